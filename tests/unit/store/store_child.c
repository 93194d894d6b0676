/*
 * The other process of the store's tests.
 *
 *   store_child hold PATH      opens, prints "ready", closes when its standard input ends
 *   store_child sync PATH      commits rows 1, 2, 3 … with sync until it is killed, and prints the
 *                              number of each one after its commit
 *   store_child write PATH     the same without sync
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/store.h"

static void child_check(struct error *e) {
    if (!e)
        return;
    printf("failed: %.*s\n", SLICE_ARG(e->message));
    fflush(stdout);
    exit(1);
}

static void child_hold(void) {
    char c;
    puts("ready");
    fflush(stdout);
    while (read(0, &c, 1) > 0)
        ;
}

/* Two keys a row, so that half a batch would show. */
static void child_write(struct store *s, struct arena *a, bool sync) {
    struct store_batch *b = store_batch_create(s);
    for (unsigned n = 1;; n++) {
        char key[2][16];
        store_batch_clear(b);
        for (int i = 0; i < 2; i++) {
            int len = snprintf(key[i], sizeof key[i], "%c%08u", "ab"[i], n);
            store_batch_put(b, (struct slice){key[i], (size_t)len}, SLICE("a value of some bytes"));
        }
        child_check(store_commit(s, a, b, sync));
        char line[16];
        int len = snprintf(line, sizeof line, "%u\n", n);
        if (write(1, line, (size_t)len) < 0)
            exit(0);
    }
}

int main(int count, char **args) {
    struct arena *a = arena_create();
    struct store *s = NULL;
    if (count != 3)
        return 2;
    child_check(store_open_rocks(a, &(struct store_options){.path = args[2]}, &s));
    if (strcmp(args[1], "hold") == 0)
        child_hold();
    else
        child_write(s, a, strcmp(args[1], "sync") == 0);
    store_close(s);
    arena_destroy(a);
    return 0;
}
