/* Renju: a sample bot in C. It counts what every row of five is worth. Replace `choose` by your own idea.
 *
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do)
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Board ------------------------------------------------------------------------------------------------------
 * Rows and columns count from 1, as the judge counts them.                                                       */

enum { SIDE = 15, LINE = 11, CENTRE = 5 };
enum { EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#' };
typedef struct { int x, y; } Cell; /* row and column */

static const Cell PASS = {-1, -1};
static const Cell DIRECTIONS[4] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
static char board[SIDE + 1][SIDE + 1];

static char at(int x, int y) { return x < 1 || y < 1 || x > SIDE || y > SIDE ? WALL : board[x][y]; }

/* The 11 cells through (x,y) in one direction: all that can matter to a stone there, which is cells[CENTRE]. */
static void read_line(int x, int y, Cell d, char *cells) {
    for (int i = 0; i < LINE; i++) cells[i] = at(x + (i - CENTRE) * d.x, y + (i - CENTRE) * d.y);
}

/* How many of `n` cells are `wanted`. */
static int count(const char *cells, int n, char wanted) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += cells[i] == wanted;
    return sum;
}

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

/* Whether Black should keep off an empty cell. The full rule looks ahead from every THREE. This one counts all that
 * looks like a FOUR or a THREE, so that it never plays a forbidden move, but refuses some that are allowed. */
static bool may_be_forbidden(int x, int y) {
    bool overline = false;
    int fours = 0, threes = 0;
    for (int k = 0; k < 4; k++) {
        char cells[LINE];
        read_line(x, y, DIRECTIONS[k], cells);
        cells[CENTRE] = BLACK;
        int row = 1;
        for (int i = CENTRE - 1; i >= 0 && cells[i] == BLACK; i--) row++;
        for (int i = CENTRE + 1; i < LINE && cells[i] == BLACK; i++) row++;
        if (row == 5) return false; /* a FIVE wins, whatever else it makes */
        overline |= row > 5;
        /* A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones. */
        bool four = false, three = false;
        for (int i = 1; i <= 5; i++) four |= count(cells + i, 5, BLACK) == 4 && count(cells + i, 5, EMPTY) == 1;
        if (four) fours += count(cells + 1, 9, BLACK) >= 5 ? 2 : 1;
        /* A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty. */
        for (int i = 2; i <= 5; i++)
            three |= count(cells + i, 4, BLACK) == 3 && count(cells + i, 4, EMPTY) == 1 && cells[i - 1] == EMPTY &&
                     cells[i + 4] == EMPTY;
        threes += three;
    }
    return overline || fours >= 2 || threes >= 2;
}

/* Whether a cell is legal for certain: empty, within the opening's bounds, and not forbidden. */
static bool may_play(char me, int x, int y, int moves_played) {
    int reach = moves_played < 3 ? moves_played : SIDE; /* (8,8), then one cell around it, then two */
    bool near_enough = abs(x - 8) <= reach && abs(y - 8) <= reach;
    return board[x][y] == EMPTY && near_enough && !(me == BLACK && may_be_forbidden(x, y));
}

/* ---- Choice -----------------------------------------------------------------------------------------------------
 * Every five neighbouring cells are worth something to a player alone there, the more the more stones it has:
 * ATTACK is for a player's own, DEFEND for blocking the other's. Four stones decide; then comes an open three, which
 * is three stones in two such rows at once.                                                                      */

static const int ATTACK[5] = {1, 6, 50, 1500, 1000000};
static const int DEFEND[5] = {0, 5, 40, 1000, 50000};

static int worth(char me, int x, int y) {
    char foe = me == BLACK ? WHITE : BLACK;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        char cells[LINE];
        read_line(x, y, DIRECTIONS[k], cells);
        for (int i = 1; i <= 5; i++) {
            if (count(cells + i, 5, WALL)) continue;
            int own = count(cells + i, 5, me), other = count(cells + i, 5, foe);
            if (other == 0) sum += ATTACK[own];
            else if (own == 0) sum += DEFEND[other];
        }
    }
    return sum;
}

/* The cell to play, or a PASS when none is sure to be legal. The clock, in milliseconds, is not needed here. */
static Cell choose(char me, int moves_played, int my_time) {
    (void)my_time;
    Cell best = PASS;
    int best_worth = -1;
    for (int x = 1; x <= SIDE; x++)
        for (int y = 1; y <= SIDE; y++) {
            if (board[x][y] != EMPTY) continue;
            int value = worth(me, x, y);
            if (value > best_worth && may_play(me, x, y, moves_played)) best_worth = value, best = (Cell){x, y};
        }
    return best;
}

/* ---- Protocol: one command a line; a PASS is -1 -1 --------------------------------------------------------------- */

int main(void) {
    char me = BLACK, line[256], side[16];
    int x, y, my_time, moves_played = 0;
    memset(board, EMPTY, sizeof board);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "READY %15s", side) == 1) {
            me = side[0] == 'F' ? BLACK : WHITE;
            puts("OK");
        } else if (sscanf(line, "TURN %d", &my_time) == 1) {
            Cell c = choose(me, moves_played++, my_time);
            if (c.x > 0) board[c.x][c.y] = me;
            printf("MOVE %d %d\n", c.x, c.y);
        } else if (sscanf(line, "OPP %d %d", &x, &y) == 2) {
            if (x > 0) board[x][y] = me == BLACK ? WHITE : BLACK;
            moves_played++;
        } else if (sscanf(line, "OPENING %d %d", &x, &y) == 2) { /* a move made for us before READY */
            if (x > 0) board[x][y] = moves_played % 2 == 0 ? BLACK : WHITE;
            moves_played++;
        } else if (line[0] == 'F') { /* FINISH */
            if (!getenv("AGON_STAY")) break;
            /* The same program plays the next game, too. */
            moves_played = 0;
            memset(board, EMPTY, sizeof board);
        }
        fflush(stdout); /* or the judge waits for an answer that never leaves this process */
    }
    return 0;
}
