/* Domineering: a sample bot in C. It looks ahead while its time lasts. Replace `choose` by your own idea.
 * Build: gcc -O2 -std=c2x sample.c -o sample        (C11 and later will do) */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Board ------------------------------------------------------------------------------------------------------
 * Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place is a line and the
 * index of the domino's first cell on it, from 0. Bit i of a line is set if its cell i is taken.                  */

enum { FIRST, SECOND, MAX_SIDE = 8, MAX_VALUE = 1000000 };
typedef struct { int line, i; } Place;
typedef struct { int mover, lines[2][MAX_SIDE]; } Board; /* the player to move, and the lines of both */

static const Place PASS = {-1, -1};
static int sides[2];                      /* how many lines each player has; they are as long as the other has lines */
static int weight[2][MAX_SIDE][MAX_SIDE]; /* for each player, the numbers on each of his lines */

/* ---- Rules ------------------------------------------------------------------------------------------------------ */

static int points(int player, int line, int i) { return weight[player][line][i] + weight[player][line][i + 1]; }

/* The board after a move. */
static Board after(Board board, Place place) {
    int *own = board.lines[board.mover], *foe = board.lines[1 - board.mover];
    if (place.line >= 0) {
        own[place.line] |= 3 << place.i;
        foe[place.i] |= 1 << place.line;
        foe[place.i + 1] |= 1 << place.line;
    }
    board.mover = 1 - board.mover;
    return board;
}

/* ---- Choice ----------------------------------------------------------------------------------------------------- */

enum { SHARE = 10, RESERVE = 100 }; /* a move may take a tenth of the time left, but for the last 100 milliseconds */
enum { MAX_DEPTH = 64 };            /* moves to look ahead; a bot with a small number repeats its games */
typedef struct { Place place; int points, value; } Move; /* the value is the points and the board after them */

static double deadline;
static bool out_of_time; /* what a search returns after this does not count */

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* The points a player could still make if the other one laid no more dominoes. Dominoes of one player never cross
 * from line to line, so each line is solved alone: its first j+1 cells are worth what the first j are, or what the
 * first j-1 are and a domino on the last two. */
static int prospects(const Board *board, int player) {
    int sum = 0;
    for (int line = 0; line < sides[player]; line++) {
        int best = 0, shorter = 0; /* for the first j cells and the first j-1 cells */
        for (int i = 0; i + 1 < sides[1 - player]; i++) {
            int with = board->lines[player][line] >> i & 3 ? 0 : shorter + points(player, line, i);
            shorter = best;
            if (with > best) best = with;
        }
        sum += best;
    }
    return sum;
}

/* Lists all moves, the highest value first, and returns how many. */
static int list_moves(Board board, Move *moves) {
    int n = 0, me = board.mover;
    for (int line = 0; line < sides[me]; line++)
        for (int i = 0; i + 1 < sides[1 - me]; i++) {
            if (board.lines[me][line] >> i & 3) continue;
            Move move = {{line, i}, points(me, line, i), 0};
            Board next = after(board, move.place);
            move.value = move.points + prospects(&next, me) - prospects(&next, 1 - me);
            int at = n++;
            for (; at > 0 && moves[at - 1].value < move.value; at--) moves[at] = moves[at - 1]; /* insert in order */
            moves[at] = move;
        }
    return n;
}

/* The points that the player to move can still gain on the other one (negamax with alpha-beta). */
static int search(Board board, int depth, int alpha, int beta) {
    if ((out_of_time |= now() > deadline)) return 0;
    Move moves[MAX_SIDE * MAX_SIDE];
    int n = list_moves(board, moves);
    if (n == 0) return -prospects(&board, 1 - board.mover); /* the other one now lays all the dominoes that fit */
    if (depth == 1) return moves[0].value;
    for (int k = 0; k < n && alpha < beta; k++) {
        int gain = moves[k].points;
        int value = gain - search(after(board, moves[k].place), depth - 1, gain - beta, gain - alpha);
        if (value > alpha) alpha = value;
    }
    return alpha;
}

/* The place to play; a PASS only when there is none. `my_time`, in milliseconds, is left for the whole game. */
static Place choose(Board board, int my_time) {
    deadline = now() + (double)(my_time - RESERVE) / SHARE;
    out_of_time = false;
    Move moves[MAX_SIDE * MAX_SIDE];
    int n = list_moves(board, moves);
    for (int depth = 1; depth < MAX_DEPTH && n > 1; depth++) {
        int best = 0, alpha = -MAX_VALUE;
        for (int k = 0; k < n; k++) {
            int gain = moves[k].points;
            int value = gain - search(after(board, moves[k].place), depth, -MAX_VALUE, gain - alpha);
            if (value > alpha) alpha = value, best = k;
        }
        if (out_of_time) break;
        Move move = moves[best];
        memmove(moves + 1, moves, best * sizeof move);
        moves[0] = move; /* the next iteration tries it first */
    }
    return n ? moves[0].place : PASS;
}

/* ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 --------- */

int main(void) {
    char line[256];
    Board board = {0};
    int x, y, my_time;
    while (fgets(line, sizeof line, stdin)) {
        if (line[0] == 'R') { /* READY FIRST or SECOND, which follows from the moves as well */
            puts("OK");
        } else if (sscanf(line, "TURN %d", &my_time) == 1) {
            Place p = choose(board, my_time);
            if (p.line < 0) puts("MOVE -1 -1");
            else if (board.mover == FIRST) printf("MOVE %d %d\n", p.line + 1, p.i + 1);
            else printf("MOVE %d %d\n", p.i + 1, p.line + 1);
            board = after(board, p);
        } else if (sscanf(line, "%*[A-Z] %d %d", &x, &y) == 2) { /* OPP, or OPENING: a move made for us */
            board = after(board, x < 0 ? PASS : board.mover == FIRST ? (Place){x - 1, y - 1} : (Place){y - 1, x - 1});
        } else if (line[0] == 'F') { /* FINISH */
            if (!getenv("AGON_STAY")) break;
            board = (Board){0}, sides[FIRST] = 0; /* the same program plays the next game, too */
        } else if (sides[FIRST] < MAX_SIDE) { /* a row of the board */
            sides[SECOND] = 0;
            for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n"), sides[SECOND]++)
                weight[FIRST][sides[FIRST]][sides[SECOND]] = weight[SECOND][sides[SECOND]][sides[FIRST]] = atoi(word);
            sides[FIRST]++;
        }
        fflush(stdout); /* or the judge waits for an answer that never leaves this process */
    }
    return 0;
}
