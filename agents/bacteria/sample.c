/* Bacteria War: a sample bot in C. It looks ahead while its time lasts. Replace `choose` by your own idea.
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do) */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- Board ------------------------------------------------------------------------------------------------------
 * A set of cells is a 64-bit number: bit 7*row + column (both from 0) is one cell. A board is two such sets.     */

typedef uint64_t Cells;
typedef struct { Cells own, foe; } Board; /* seen by the player to move */
typedef struct { int from, to, gain; } Move; /* cells 0..48, and how much the lead grows */

enum { SIDE = 7, AREA = SIDE * SIDE, MAX_VALUE = 1000000, MAX_MOVES = AREA * 17 };
static const Move PASS = {-1, -1, 0};
static const Cells FULL = ((Cells)1 << AREA) - 1;

static Cells near_to[AREA]; /* the cells at distance 1: a division comes from there, an infection goes there */
static Cells far_from[AREA]; /* the cells at distance 2: a leap comes from there */

static Cells bit(int cell) { return (Cells)1 << cell; }
static int count(Cells cells) { return __builtin_popcountll(cells); }
static int first(Cells cells) { return __builtin_ctzll(cells); }

static void prepare(void) {
    for (int a = 0; a < AREA; a++)
        for (int b = 0; b < AREA; b++) {
            int rows = abs(a / SIDE - b / SIDE), columns = abs(a % SIDE - b % SIDE);
            int d = rows > columns ? rows : columns;
            if (d == 1) near_to[a] |= bit(b);
            if (d == 2) far_from[a] |= bit(b);
        }
}

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

/* Inserts a move before those that gain less. */
static int add_move(Move *moves, int n, Move move) {
    int at = n;
    for (; at > 0 && moves[at - 1].gain < move.gain; at--) moves[at] = moves[at - 1];
    moves[at] = move;
    return n + 1;
}

/* Lists all moves, the one that gains most first. Divisions to one cell all have one effect: one stands for all. */
static int list_moves(Board board, Move *moves) {
    int n = 0;
    for (int to = 0; to < AREA; to++) {
        if ((board.own | board.foe) & bit(to)) continue;
        int infected = count(board.foe & near_to[to]);
        Cells division = near_to[to] & board.own;
        if (division) n = add_move(moves, n, (Move){first(division), to, 2 * infected + 1});
        for (Cells leap = far_from[to] & board.own; leap; leap &= leap - 1)
            n = add_move(moves, n, (Move){first(leap), to, 2 * infected});
    }
    return n ? n : add_move(moves, 0, PASS);
}

/* The board after a move, seen by the other player. */
static Board after(Board board, Move move) {
    if (move.from < 0) return (Board){board.foe, board.own};
    Cells infected = board.foe & near_to[move.to];
    board.own |= infected | bit(move.to);
    if (far_from[move.to] & bit(move.from)) board.own &= ~bit(move.from); /* a leap empties its source */
    return (Board){board.foe & ~infected, board.own};
}

/* ---- Choice ----------------------------------------------------------------------------------------------------- */

enum { SHARE = 30, RESERVE = 100 }; /* a move may take a thirtieth of the time left, but for the last 100 ms */
enum { MAX_DEPTH = 64 };            /* moves to look ahead; a bot with a small number repeats its games */

static double deadline;
static bool out_of_time; /* what a search returns after this does not count */

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
static int search(Board board, int depth, int alpha, int beta) {
    int lead = count(board.own) - count(board.foe);
    if (!board.own || !board.foe || (board.own | board.foe) == FULL) return 100 * lead; /* the game is over */
    if (depth == 0 || (out_of_time |= now() > deadline)) return lead;
    Move moves[MAX_MOVES];
    int n = list_moves(board, moves);
    if (depth == 1) n = 1; /* the last move is the one that gains most */
    for (int i = 0; i < n && alpha < beta; i++) {
        int value = -search(after(board, moves[i]), depth - 1, -beta, -alpha);
        if (value > alpha) alpha = value;
    }
    return alpha;
}

/* The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds. */
static Move choose(Board board, int my_time) {
    out_of_time = false, deadline = now() + (double)(my_time - RESERVE) / SHARE;
    Move moves[MAX_MOVES];
    int n = list_moves(board, moves);
    for (int depth = 1; depth < MAX_DEPTH && n > 1; depth++) {
        int best = 0, alpha = -MAX_VALUE;
        for (int i = 0; i < n; i++) {
            int value = -search(after(board, moves[i]), depth, -MAX_VALUE, -alpha);
            if (value > alpha) alpha = value, best = i;
        }
        if (out_of_time) break;
        moves[best].gain = MAX_VALUE + depth; /* to be the first in the next iteration */
        add_move(moves, best, moves[best]);
    }
    return moves[0];
}

/* ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ------------------------- */

int main(void) {
    prepare();
    const Board START = {bit(0) | bit(48), bit(6) | bit(42)}; /* the first player, who moves, has (1,1) and (7,7) */
    Board board = START;
    char line[256], rows[64], side[16];
    int x1, y1, x2, y2, my_time;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'R') { /* READY FIRST or SECOND, which follows from the moves as well */
            puts("OK");
        } else if (sscanf(line, "TURN %d", &my_time) == 1) {
            Move m = choose(board, my_time);
            board = after(board, m);
            if (m.from < 0) puts("MOVE -1 -1 -1 -1");
            else printf("MOVE %d %d %d %d\n", m.from / 7 + 1, m.from % 7 + 1, m.to / 7 + 1, m.to % 7 + 1);
        } else if (sscanf(line, "%*[A-Z] %d %d %d %d", &x1, &y1, &x2, &y2) == 4) { /* OPP, or OPENING: made for us */
            Move m = {7 * (x1 - 1) + y1 - 1, 7 * (x2 - 1) + y2 - 1, 0};
            board = after(board, x1 < 0 ? PASS : m);
        } else if (sscanf(line, "POSITION %63s %15s", rows, side) == 2) { /* where the game begins; x moves first */
            board = (Board){0, 0};
            for (char *c = rows, cell = 0; *c; c++) {
                if (*c == 'x') board.own |= bit(cell++);
                else if (*c == 'o') board.foe |= bit(cell++);
                else if (*c != '/') cell += *c - '0';
            }
            if (side[0] == 'o') board = (Board){board.foe, board.own};
        } else if (line[0] == 'F') { /* FINISH */
            if (!getenv("AGON_STAY")) break;
            board = START; /* the same program plays the next game, too */
        }
        fflush(stdout); /* or the judge waits for an answer that never leaves this process */
    }
}
