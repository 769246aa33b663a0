/* Battle for the Petri Dish: a sample species in C. Replace `choose` by your own idea.
 *
 * The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.
 *
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do)
 * Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | ./sample
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { HP = 5, ENERGY = 7, ACIDITY = 0 }; /* must add up to 12 */
enum { OWN = 'o', ENEMY = 'x', EMPTY = '.', CORPSE = 'c', WALL = '#' };
enum { LONGEST = 255, NONE = -1 };

static const struct { const char *name; int dx, dy; } DIRECTIONS[8] = {
    {"N", 0, -1}, {"NE", 1, -1}, {"E", 1, 0}, {"SE", 1, 1}, {"S", 0, 1}, {"SW", -1, 1}, {"W", -1, 0}, {"NW", -1, -1},
};

static int width, height;
static char dish[LONGEST][LONGEST + 1]; /* row by row */

/* What is on a square, outside the dish included; x goes right and y down, from 0. */
static char look(int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? WALL : dish[y][x]; }

static bool is_free(int x, int y) { return look(x, y) == EMPTY || look(x, y) == CORPSE; }

/* How many neighbours of a square hold no living cell. */
static int room(int x, int y) {
    int sum = 0;
    for (int d = 0; d < 8; d++) sum += is_free(x + DIRECTIONS[d].dx, y + DIRECTIONS[d].dy);
    return sum;
}

/* What the cell at (x,y) does: multiply first, then eat, then fight, and spread out while waiting for energy. */
static void choose(int x, int y, int hp, int energy) {
    (void)hp; /* matters to one that explodes */
    /* The direction of one of each; of all free squares, the one with the most room. */
    int corpse = NONE, enemy = NONE, space = NONE, most_room = -1;
    for (int d = 7; d >= 0; d--) { /* backwards, so that the first direction of a kind stays */
        int to_x = x + DIRECTIONS[d].dx, to_y = y + DIRECTIONS[d].dy;
        if (look(to_x, to_y) == CORPSE) corpse = d;
        if (look(to_x, to_y) == ENEMY) enemy = d;
        if (is_free(to_x, to_y) && room(to_x, to_y) >= most_room) space = d, most_room = room(to_x, to_y);
    }

    if (space != NONE && energy >= 5) printf("DIVIDE %s\n", DIRECTIONS[space].name);
    else if (corpse != NONE && energy <= ENERGY - 2) printf("EAT %s\n", DIRECTIONS[corpse].name); /* hungry */
    else if (enemy != NONE && energy >= 1) printf("ATTACK %s %d\n", DIRECTIONS[enemy].name, energy < 3 ? energy : 3);
    else if (space != NONE && energy >= 1 && most_room >= room(x, y) + 3) printf("MOVE %s\n", DIRECTIONS[space].name);
    else puts("REST");
}

int main(void) {
    char word[16];
    if (scanf("%15s", word) != 1) return 0;
    if (strcmp(word, "BEGIN") == 0) {
        printf("%d %d %d\n", HP, ENERGY, ACIDITY);
        return 0;
    }
    int x, y, hp, energy;
    if (sscanf(word, "%d", &width) != 1 || scanf("%d", &height) != 1 || width > LONGEST || height > LONGEST) return 1;
    for (int row = 0; row < height; row++)
        if (scanf("%255s", dish[row]) != 1) return 1;
    if (scanf("%d %d %d %d", &x, &y, &hp, &energy) != 4) return 1;
    choose(x, y, hp, energy);
    return 0;
}
