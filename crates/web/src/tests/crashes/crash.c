#include <stdio.h>
#include <stdlib.h>
int choose(int *free) {
    return *free;
}
int main(void) {
    char line[99];
    while (fgets(line, 99, stdin)) {
        if (line[0] == 'R') puts("OK"), fflush(stdout);
        if (line[0] == 'T') exit(choose(NULL));
    }
}
