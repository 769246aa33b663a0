/* Renju: a sample bot in C. It looks ahead while its time lasts. Replace `choose` by your own idea.
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do) */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Board ------------------------------------------------------------------------------------------------------
 * The cells are stored row by row, with a margin of walls. A direction is the distance to the next cell.          */

enum { SIDE = 15, WIDTH = 20, AREA = 26 * WIDTH + 1, PASS = -1 };
enum { EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#' };
typedef struct { char cells[AREA], player; int score, stones; } Position; /* the score is for the player to move */

static const int DIRECTIONS[4] = {1, WIDTH, WIDTH + 1, WIDTH - 1};

static char other(char player) { return player == BLACK ? WHITE : BLACK; }

static int cell_at(int x, int y) { return WIDTH * (x + 5) + y; } /* row and column, from 1 */

static Position start(void) {
    Position position = {.player = BLACK};
    memset(position.cells, WALL, AREA);
    for (int x = 1; x <= SIDE; x++) memset(position.cells + cell_at(x, 1), EMPTY, SIDE);
    return position;
}

/* How many of `n` cells are `wanted`. */
static int count(const char *cells, int n, char wanted) {
    return n ? (*cells == wanted) + count(cells + 1, n - 1, wanted) : 0;
}

/* Reads the 11 cells through a cell in one direction: all that can matter to a stone there, the one in the middle. */
static void read_line(const Position *p, int cell, int direction, char *line) {
    for (int i = 0; i < 11; i++) line[i] = p->cells[cell + (i - 5) * direction];
}

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

/* Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
 * that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed. */
static bool may_play(const Position *p, int cell) {
    if (p->stones < 3) /* the first is on (8,8), the second a step from it, the third two */
        return abs(cell / WIDTH - 13) <= p->stones && abs(cell % WIDTH - 8) <= p->stones;
    int longest = 0, fours = 0, threes = 0;
    for (int k = 0; k < 4 && p->player == BLACK; k++) {
        char line[11];
        read_line(p, cell, DIRECTIONS[k], line);
        line[5] = BLACK;
        int row = 1;
        for (int i = 4; i >= 0 && line[i] == BLACK; i--) row++;
        for (int i = 6; i < 11 && line[i] == BLACK; i++) row++;
        if (row == 5) return true; /* a FIVE wins, whatever else it makes */
        if (row > longest) longest = row;
        /* A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones. */
        bool four = false, three = false;
        for (int i = 1; i <= 5; i++) four |= count(line + i, 5, BLACK) == 4 && count(line + i, 5, EMPTY) == 1;
        if (four) fours += count(line + 1, 9, BLACK) >= 5 ? 2 : 1;
        /* A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty. */
        for (int i = 2; i <= 5; i++) three |= count(line + i, 4, BLACK) == 3 && count(line + i - 1, 6, EMPTY) == 3;
        threes += three;
    }
    return longest < 6 && fours < 2 && threes < 2;
}

/* ---- Choice -----------------------------------------------------------------------------------------------------
 * A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The
 * index is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for
 * the order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives.   */

static const int ORDER[2][5] = {{0, 6, 50, 1500, 1000000}, {0, 5, 40, 1000, 50000}};
static const int VALUE[2][5] = {{1, 6, 50, 500, 0}, {0, 1, 7, 57, 557}};
enum { WIN = 1000000, FOUR = 50000, MAX_VALUE = 10000000 };
enum { BREADTH = 10 };              /* moves tried in a position */
enum { SHARE = 30, RESERVE = 100 }; /* a move may take a thirtieth of the time left, but for the last 100 ms */
enum { MAX_DEPTH = 64 };            /* moves to look ahead; a bot with a small number repeats its games */

typedef struct { int cell, worth; } Move;
static double deadline;
static bool out_of_time; /* what a search returns after this does not count */

static double now(void) {
    struct timespec t;
    return timespec_get(&t, TIME_UTC), t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int worth(const int table[2][5], const Position *p, int cell) {
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        char line[11];
        read_line(p, cell, DIRECTIONS[k], line);
        for (int i = 1; i <= 5; i++) {
            int own = count(line + i, 5, p->player), foe = count(line + i, 5, other(p->player));
            if (count(line + i, 5, WALL) == 0 && (own == 0 || foe == 0)) sum += foe ? table[1][foe] : table[0][own];
        }
    }
    return sum;
}

static Position after(Position p, int cell) {
    if (cell != PASS) {
        p.score += worth(VALUE, &p, cell);
        p.cells[cell] = p.player;
        p.stones++;
    }
    p.score = -p.score;
    p.player = other(p.player);
    return p;
}

/* The moves to try, the one worth most first; after a four, only those that complete or block it. */
static int list_moves(const Position *p, Move *moves) {
    int n = 0;
    for (int cell = cell_at(1, 1); cell <= cell_at(SIDE, SIDE); cell++) {
        Move move = {cell, p->cells[cell] == EMPTY ? worth(ORDER, p, cell) : -1};
        if (move.worth <= (n < BREADTH ? -1 : moves[n - 1].worth) || !may_play(p, cell)) continue;
        int at = n < BREADTH ? n++ : n - 1;
        for (; at > 0 && moves[at - 1].worth < move.worth; at--) moves[at] = moves[at - 1];
        moves[at] = move;
    }
    while (n && moves[0].worth >= FOUR && moves[n - 1].worth < FOUR) n--;
    return n;
}

/* What the player to move can reach in `depth` moves (negamax with alpha-beta). */
static int search(Position p, int depth, int alpha, int beta) {
    if (depth == 0 || (out_of_time |= now() > deadline)) return p.score;
    Move moves[BREADTH];
    int n = list_moves(&p, moves);
    if (n == 0) return p.score;
    if (moves[0].worth >= WIN) return WIN + SIDE * SIDE - p.stones; /* the sooner, the better */
    if (moves[0].worth >= FOUR) depth++;                            /* a forced move does not count */
    if (depth == 1) n = 1;                                          /* the last move is the one that looks best */
    for (int i = 0; i < n && alpha < beta; i++) {
        int value = -search(after(p, moves[i].cell), depth - 1, -beta, -alpha);
        if (value > alpha) alpha = value;
    }
    return alpha;
}

/* The cell to play, or a PASS when none is sure to be legal. `my_time`, in milliseconds, is left for the whole game. */
static int choose(Position p, int my_time) {
    out_of_time = false, deadline = now() + (double)(my_time - RESERVE) / SHARE;
    Move moves[BREADTH];
    int n = list_moves(&p, moves);
    for (int depth = 2; depth < MAX_DEPTH && n > 1 && moves[0].worth < WIN; depth++) {
        int best = 0, alpha = -MAX_VALUE;
        for (int i = 0; i < n; i++) {
            int value = -search(after(p, moves[i].cell), depth, -MAX_VALUE, -alpha);
            if (value > alpha) alpha = value, best = i;
        }
        if (out_of_time) break;
        Move move = moves[best];
        memmove(moves + 1, moves, best * sizeof move);
        moves[0] = move; /* the next iteration tries it first */
    }
    return n ? moves[0].cell : PASS;
}

/* ---- Protocol: one command a line; a PASS is -1 -1 --------------------------------------------------------------- */

int main(void) {
    char line[256];
    Position position = start();
    int x, y, my_time;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'R') { /* READY FIRST or SECOND, which follows from the moves as well */
            puts("OK");
        } else if (sscanf(line, "TURN %d", &my_time) == 1) {
            int cell = choose(position, my_time);
            if (cell == PASS) puts("MOVE -1 -1");
            else printf("MOVE %d %d\n", cell / WIDTH - 5, cell % WIDTH);
            position = after(position, cell);
        } else if (sscanf(line, "%*[A-Z] %d %d", &x, &y) == 2) { /* OPP, or OPENING: a move made for us */
            position = after(position, x < 0 ? PASS : cell_at(x, y));
        } else if (line[0] == 'F') { /* FINISH */
            if (!getenv("AGON_STAY")) break;
            position = start(); /* the same program plays the next game, too */
        }
        fflush(stdout); /* or the judge waits for an answer that never leaves this process */
    }
}
