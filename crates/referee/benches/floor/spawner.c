/* The least that a driver of cells can do: spawner CELL COUNT. No rules, no deadlines, no record: one posix_spawn with
   an input and an output pipe each, read to the end, and a wait. Prints invocations per second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    int count = atoi(argv[2]);
    const char *input = "10 4\n..........\n.o........\n........x.\n..........\n\n1 1 4 8";
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int i = 0; i < count; i++) {
        int in[2], out[2];
        pid_t pid;
        char answer[256], *words[] = {argv[1], NULL};
        if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) return 1;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in[0], 0);
        posix_spawn_file_actions_adddup2(&actions, out[1], 1);
        if (posix_spawn(&pid, argv[1], &actions, NULL, words, environ)) return 1;
        posix_spawn_file_actions_destroy(&actions);
        close(in[0]);
        close(out[1]);
        if (write(in[1], input, strlen(input)) < 0) return 1;
        close(in[1]);
        while (read(out[0], answer, sizeof answer) > 0) {}
        close(out[0]);
        waitpid(pid, NULL, 0);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    printf("%.1f\n", count / seconds);
    return 0;
}
