/* Bacteria War: a sample bot in C. Greedy with one reply looked ahead. Replace `choose` by your own idea.
 *
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do)
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Board ------------------------------------------------------------------------------------------------------
 * A set of cells is a 64-bit number: bit 7*row + column (both from 0) is one cell. A board is two such sets.     */

typedef uint64_t Cells;
typedef struct { Cells own, foe; } Board; /* seen by the player to move */
typedef struct { int from, to; } Move;    /* cells 0..48 */

enum { SIDE = 7, AREA = SIDE * SIDE, BEST = 1000000 };
static const Move PASS = {-1, -1};
static const Cells FULL = ((Cells)1 << AREA) - 1;

static Cells near_to[AREA]; /* the cells at distance 1: a division comes from there, an infection goes there */
static Cells far_from[AREA]; /* the cells at distance 2: a leap comes from there */

static Cells bit(int cell) { return (Cells)1 << cell; }
static int count(Cells cells) { return __builtin_popcountll(cells); }
static int first(Cells cells) { return __builtin_ctzll(cells); }
static int distance(int a, int b) { return a < b ? b - a : a - b; }

static void prepare(void) {
    for (int a = 0; a < AREA; a++)
        for (int b = 0; b < AREA; b++) {
            int rows = distance(a / SIDE, b / SIDE), columns = distance(a % SIDE, b % SIDE);
            int d = rows > columns ? rows : columns;
            if (d == 1) near_to[a] |= bit(b);
            if (d == 2) far_from[a] |= bit(b);
        }
}

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

/* Lists all moves and returns how many. Divisions to one cell all have one effect: the first stands for all. */
static int list_moves(Board board, Move *moves) {
    int n = 0;
    for (int to = 0; to < AREA; to++) {
        if ((board.own | board.foe) & bit(to)) continue;
        Cells division = near_to[to] & board.own;
        if (division) moves[n++] = (Move){first(division), to};
        for (Cells leap = far_from[to] & board.own; leap; leap &= leap - 1) moves[n++] = (Move){first(leap), to};
    }
    return n;
}

/* The board after a move, still seen by the player who made it. */
static Board after(Board board, Move move) {
    if (move.from < 0) return board;
    Cells infected = board.foe & near_to[move.to];
    board.own |= infected | bit(move.to);
    board.foe &= ~infected;
    if (far_from[move.to] & bit(move.from)) board.own &= ~bit(move.from); /* a leap empties its source */
    return board;
}

static Board turned(Board board) { return (Board){board.foe, board.own}; }

/* ---- Choice ----------------------------------------------------------------------------------------------------- */

/* What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
static int value(Board board, int depth, int alpha, int beta) {
    int lead = count(board.own) - count(board.foe);
    if (!board.own || !board.foe || (board.own | board.foe) == FULL) return 100 * lead; /* the game is over */
    if (depth == 0) return lead;
    Move moves[AREA * 17];
    int n = list_moves(board, moves);
    if (n == 0) moves[n++] = PASS;
    for (int i = 0; i < n && alpha < beta; i++) {
        int v = -value(turned(after(board, moves[i])), depth - 1, -beta, -alpha);
        if (v > alpha) alpha = v;
    }
    return alpha;
}

/* The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds. */
static Move choose(Board board, int my_time) {
    int depth = my_time > 1000 ? 2 : 1; /* my move and one reply; hurry when time runs out */
    Move moves[AREA * 17], best = PASS;
    int n = list_moves(board, moves), best_value = -BEST;
    for (int i = 0; i < n; i++) {
        int v = -value(turned(after(board, moves[i])), depth - 1, -BEST, -best_value);
        if (v > best_value) best_value = v, best = moves[i];
    }
    return best;
}

/* ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ------------------------- */

static Move read_move(int x1, int y1, int x2, int y2) {
    return x1 < 0 ? PASS : (Move){7 * (x1 - 1) + y1 - 1, 7 * (x2 - 1) + y2 - 1};
}

int main(void) {
    prepare();
    const Board START = {bit(0) | bit(48), bit(6) | bit(42)}; /* the first player, who moves, has (1,1) and (7,7) */
    Board board = START;
    bool first_moves = true;
    char line[256], rows[64], side[16];
    int x1, y1, x2, y2, my_time;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "READY %15s", side) == 1) {
            if ((side[0] == 'F') != first_moves) board = turned(board); /* from here on as I see it */
            puts("OK");
        } else if (sscanf(line, "TURN %d", &my_time) == 1) {
            Move m = choose(board, my_time);
            board = after(board, m);
            if (m.from < 0) puts("MOVE -1 -1 -1 -1");
            else printf("MOVE %d %d %d %d\n", m.from / 7 + 1, m.from % 7 + 1, m.to / 7 + 1, m.to % 7 + 1);
        } else if (sscanf(line, "OPP %d %d %d %d", &x1, &y1, &x2, &y2) == 4) {
            board = turned(after(turned(board), read_move(x1, y1, x2, y2)));
        } else if (sscanf(line, "OPENING %d %d %d %d", &x1, &y1, &x2, &y2) == 4) { /* a move made for us before READY */
            board = turned(after(board, read_move(x1, y1, x2, y2)));
            first_moves = !first_moves;
        } else if (sscanf(line, "POSITION %63s %15s", rows, side) == 2) { /* where the game begins; x moves first */
            int cell = 0;
            board = (Board){0, 0};
            for (char *c = rows; *c; c++) {
                if (*c == 'x') board.own |= bit(cell++);
                else if (*c == 'o') board.foe |= bit(cell++);
                else if (*c != '/') cell += *c - '0';
            }
            first_moves = side[0] == 'x';
            if (!first_moves) board = turned(board);
        } else if (line[0] == 'F') { /* FINISH */
            if (!getenv("AGON_STAY")) break;
            /* The same program plays the next game, too. */
            board = START;
            first_moves = true;
        }
        fflush(stdout); /* or the judge waits for an answer that never leaves this process */
    }
    return 0;
}
