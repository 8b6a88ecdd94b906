// Makes "aqueductc serve" a process that is nobody's child, before Go's runtime starts: a start of it takes ten milliseconds.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void detach(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "serve") != 0)
        return;
    pid_t server = fork();
    if (server == 0) {
        close(STDOUT_FILENO); // whoever reads the number waits for its end
        dup2(STDIN_FILENO, STDOUT_FILENO);
        return;
    }
    if (server < 0)
        perror("aqueductc: fork");
    _exit(server < 0 || dprintf(STDOUT_FILENO, "%d", server) < 0);
}
