/* A bot that plays the moves of moves.h and thinks for exactly as long as it wants: it spins by the monotonic clock from
 * after reading TURN to before writing MOVE. For every move it writes `spun NANOSECONDS` on its standard error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "moves.h"

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
    long long spin = (argc > 1 ? atoll(argv[1]) : 0) * 1000;
    char line[4096];
    int ply = 0;
    setvbuf(stdin, NULL, _IONBF, 0);
    for (;;) {
        size_t length = 0;
        char c;
        while (read(0, &c, 1) == 1 && c != '\n')
            if (length < sizeof line - 1) line[length++] = c;
        line[length] = 0;
        if (!strncmp(line, "READY ", 6)) {
            ply = strstr(line, "SECOND") != NULL;
            if (write(1, "OK\n", 3) != 3) return 1;
        } else if (!strncmp(line, "TURN ", 5)) {
            long long start = now(), end;
            while ((end = now()) - start < spin) {}
            if (write(1, MOVES[ply], strlen(MOVES[ply])) < 0) return 1;
            dprintf(2, "spun %lld\n", end - start);
            ply += 2;
        } else if (!strcmp(line, "FINISH")) {
            return 0;
        } else if (strncmp(line, "OPP ", 4)) {
            return 2;
        }
    }
}
