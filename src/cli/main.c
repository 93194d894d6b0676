#include <unistd.h>

#include "cli/program.h"

int main(int argc, char **argv) {
    (void)argc;
    return program_run(argv, environ);
}
