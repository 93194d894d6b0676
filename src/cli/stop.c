#include "cli/stop.h"

#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static atomic_bool stop_is_ready;
static sem_t stop_asked;

static void stop_handle(int signal) {
    if (!atomic_exchange(&stop_is_ready, false))
        _exit(128 + signal);
    sem_post(&stop_asked);
}

void stop_watch(void) {
    sem_init(&stop_asked, 0, 0);
    struct sigaction action = {.sa_handler = stop_handle, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

void stop_ready(void) {
    atomic_store(&stop_is_ready, true);
}

void stop_wait(void) {
    while (sem_wait(&stop_asked) != 0)
        continue; /* another signal came between */
}
