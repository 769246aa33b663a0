/* The least that a referee can do: referee BOT GAMES fresh|stay. No rules, no deadlines, no record: one write and one
   blocking read a ply. Prints games per second. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "game.h"

extern char **environ;

struct bot {
    pid_t pid;
    int to, from;
};

static void start(struct bot *bot, char *path, int stay) {
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC)) exit(1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    char *argv[] = {path, stay ? "stay" : NULL, NULL};
    if (posix_spawn(&bot->pid, path, &actions, NULL, argv, environ)) exit(1);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    bot->to = in[1];
    bot->from = out[0];
}

static void stop(struct bot *bot) {
    close(bot->to);
    waitpid(bot->pid, NULL, 0);
    close(bot->from);
}

static size_t hear(struct bot *bot, char *line, size_t room) {
    size_t held = 0;
    do {
        ssize_t got = read(bot->from, line + held, room - held);
        if (got <= 0) exit(1);
        held += (size_t)got;
    } while (line[held - 1] != '\n');
    return held;
}

static void tell(struct bot *bot, const char *text, size_t length) {
    if (write(bot->to, text, length) != (ssize_t)length) exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    int games = atoi(argv[2]), stay = argv[3][0] == 's';
    struct bot bots[2];
    char line[256], text[512];
    struct timespec from, to;
    if (stay) {
        start(&bots[0], argv[1], 1);
        start(&bots[1], argv[1], 1);
    }
    clock_gettime(CLOCK_MONOTONIC, &from);
    for (int game = 0; game < games; game++) {
        if (!stay) {
            start(&bots[0], argv[1], 0);
            start(&bots[1], argv[1], 0);
        }
        tell(&bots[0], "READY FIRST\n", 12);
        tell(&bots[1], "READY SECOND\n", 13);
        hear(&bots[0], line, sizeof line);
        hear(&bots[1], line, sizeof line);
        size_t heard = 0;
        for (int ply = 0; ply < PLIES; ply++) {
            int length = 0;
            if (ply > 0) length = sprintf(text, "OPP %.*s 1\n", (int)heard - 6, line + 5);
            length += sprintf(text + length, "TURN 10000 10000\n");
            tell(&bots[ply % 2], text, (size_t)length);
            heard = hear(&bots[ply % 2], line, sizeof line);
        }
        tell(&bots[0], "FINISH\n", 7);
        tell(&bots[1], "FINISH\n", 7);
        if (!stay) {
            stop(&bots[0]);
            stop(&bots[1]);
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
    printf("%.1f\n", games / seconds);
    if (stay) {
        stop(&bots[0]);
        stop(&bots[1]);
    }
    return 0;
}
