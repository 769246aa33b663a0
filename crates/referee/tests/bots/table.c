/* table MICROSECONDS [WAY [PID]]: a bot that plays the moves of moves.h and thinks for exactly as long as it is told: it
 * spins by the monotonic clock from after reading TURN to before writing MOVE. For every move it writes `spun NANOSECONDS`
 * on its standard error. The ways to be a nuisance besides:
 *
 *   work          thinks for so long of its processor time, not of the clock
 *   ponder        spins while the opponent thinks
 *   crowd         thirty-two threads spin all the time
 *   flood         sixteen threads fill the standard error as fast as they can, by vmsplice
 *   flood silent  and no answer comes to TURN
 *   stop PID      stops the judge, which is PID, at the first TURN, answers, and lets it go on two and a half seconds later
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "moves.h"

static clockid_t measure = CLOCK_MONOTONIC;

static long long now(void) {
    struct timespec t;
    clock_gettime(measure, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void *spin_on(void *unused) {
    for (;;) __asm__ volatile("" ::: "memory");
    return unused;
}

static void *flood(void *unused) {
    static char pages[64 << 10] __attribute__((aligned(4096)));
    struct iovec all = {pages, sizeof pages};
    (void)unused;
    memset(pages, 'x', sizeof pages);
    while (vmsplice(2, &all, 1, 0) >= 0) {}
    return NULL;
}

/* Whether every thread of a process is stopped. */
static int stopped(const char *pid) {
    char path[300], text[400];
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *tasks = opendir(path);
    struct dirent *task;
    int all = tasks != NULL;
    while (all && (task = readdir(tasks)) != NULL) {
        if (task->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/%s/task/%.20s/stat", pid, task->d_name);
        FILE *file = fopen(path, "r");
        if (!file) continue;
        char *name = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
        all = name && name[2] == 'T';
        fclose(file);
    }
    if (tasks) closedir(tasks);
    return all;
}

int main(int argc, char **argv) {
    long long spin = (argc > 1 ? atoll(argv[1]) : 0) * 1000;
    const char *way = argc > 2 ? argv[2] : "";
    char line[4096];
    int ply = 0;
    if (!strcmp(way, "work")) measure = CLOCK_THREAD_CPUTIME_ID;
    for (;;) {
        size_t length = 0;
        char c;
        struct pollfd input = {0, POLLIN, 0};
        while (!strcmp(way, "ponder") && poll(&input, 1, 0) == 0) {}
        while (read(0, &c, 1) == 1 && c != '\n')
            if (length < sizeof line - 1) line[length++] = c;
        line[length] = 0;
        if (!strncmp(line, "READY ", 6)) {
            ply = strstr(line, "SECOND") != NULL;
            if (write(1, "OK\n", 3) != 3) return 1;
            int flooding = !strncmp(way, "flood", 5), crowding = !strcmp(way, "crowd");
            for (int i = 0; i < 16 * flooding + 32 * crowding; i++) {
                pthread_t thread;
                pthread_create(&thread, NULL, flooding ? flood : spin_on, NULL);
            }
        } else if (!strncmp(line, "TURN ", 5)) {
            long long start = now(), end;
            if (!strcmp(way, "flood silent")) pause();
            int stop = ply < 2 && !strcmp(way, "stop");
            if (stop) kill(atoi(argv[3]), SIGSTOP);
            while (stop && !stopped(argv[3])) usleep(1000);
            while ((end = now()) - start < spin) {}
            if (write(1, MOVES[ply], strlen(MOVES[ply])) < 0) return 1;
            if (strncmp(way, "flood", 5)) dprintf(2, "spun %lld\n", end - start);
            ply += 2;
            if (stop) {
                usleep(2500000);
                kill(atoi(argv[3]), SIGCONT);
            }
        } else if (!strcmp(line, "FINISH")) {
            _exit(0);
        } else if (strncmp(line, "OPP ", 4)) {
            return 2;
        }
    }
}
