/* An instant bot: plays one game from a table. With an argument it stays for the next game after FINISH. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "game.h" /* static const char *const MOVES[PLIES]: whole answers, newline included */

int main(int argc, char **argv) {
    char line[256];
    size_t held = 0;
    int ply = 0;
    (void)argv;
    for (;;) {
        ssize_t got = read(0, line + held, sizeof line - held);
        if (got <= 0) return 0;
        held += (size_t)got;
        char *start = line, *end;
        while ((end = memchr(start, '\n', held - (size_t)(start - line))) != NULL) {
            const char *answer = NULL;
            if (*start == 'T') {
                answer = MOVES[ply];
                ply += 2;
            } else if (*start == 'R') {
                ply = start[6] == 'S';
                answer = "OK\n";
            } else if (*start == 'F' && argc < 2) {
                return 0;
            }
            if (answer && write(1, answer, strlen(answer)) < 0) return 1;
            start = end + 1;
        }
        held -= (size_t)(start - line);
        memmove(line, start, held);
    }
}
