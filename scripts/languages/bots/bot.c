#include <stdio.h>
#include <string.h>

int main(void) {
    char line[256];
    while (fgets(line, sizeof line, stdin) && strncmp(line, "FINISH", 6)) {
        if (!strncmp(line, "READY", 5)) puts("OK");
        if (!strncmp(line, "TURN", 4)) puts("MOVE -1 -1");
        fflush(stdout);
    }
}
