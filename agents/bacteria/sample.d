// Bacteria War: a sample bot in D. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: ldc2 -O2 sample.d && ./sample
import core.bitop : bsf, popcnt;
import core.time : MonoTime, msecs;
import std.algorithm : max, sort, SwapStrategy;
import std.array : split;
import std.ascii : isDigit;
import std.conv : to;
import std.math : abs;
import std.process : environment;
import std.stdio : stdin, stdout, writefln, writeln;

// ---- Board ---------------------------------------------------------------------------------------------------------
// A set of cells is a number: bit 7*row + column (both from 0) is one cell.

enum side = 7, area = side * side;
enum full = (1UL << area) - 1;

/// The cells of both players, seen by the player to move.
struct Board {
    ulong own = 1UL << 0 | 1UL << 48, foe = 1UL << 6 | 1UL << 42; // the first player, who moves, has (1,1) and (7,7)
}

/// A pair of cells, each 0..48, and what the move gains: two for each infection, one for a division.
struct Move {
    int from = -1, to = -1, gain;
}

enum pass = Move.init;

// For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2 (a
// leap comes from there).
immutable ulong[area] near = atDistance(1), far = atDistance(2);

ulong[area] atDistance(int distance) {
    ulong[area] cells;
    foreach (a; 0 .. area)
        foreach (b; 0 .. area)
            if (max(abs(a / side - b / side), abs(a % side - b % side)) == distance) cells[a] |= 1UL << b;
    return cells;
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/// All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
Move[] listMoves(Board board) {
    Move[] moves;
    foreach (to; 0 .. area) {
        if ((board.own | board.foe) >> to & 1) continue;
        immutable gain = 2 * popcnt(board.foe & near[to]), division = near[to] & board.own;
        if (division) moves ~= Move(bsf(division), to, gain + 1);
        for (ulong leap = far[to] & board.own; leap; leap &= leap - 1) moves ~= Move(bsf(leap), to, gain);
    }
    if (!moves.length) return [pass];
    moves.sort!((a, b) => a.gain > b.gain, SwapStrategy.stable); // equals stay in their order
    return moves;
}

/// The board after a move, seen by the other player.
Board after(Board board, Move move) {
    if (move == pass) return Board(board.foe, board.own);
    immutable infected = board.foe & near[move.to];
    immutable source = far[move.to] & 1UL << move.from; // a leap empties its source
    return Board(board.foe & ~infected, (board.own | infected | 1UL << move.to) & ~source);
}

// ---- Choice --------------------------------------------------------------------------------------------------------

enum share = 30, reserve = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
enum maxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
enum infinity = 1_000_000;

class OutOfTime : Exception { this() { super("out of time"); } }

MonoTime deadline;

/// What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
int search(Board board, int depth, int alpha, int beta) {
    immutable lead = popcnt(board.own) - popcnt(board.foe);
    if (!board.own || !board.foe || (board.own | board.foe) == full) return 100 * lead; // the game is over
    if (depth == 0) return lead;
    if (MonoTime.currTime > deadline) throw new OutOfTime;
    auto moves = board.listMoves;
    foreach (move; depth > 1 ? moves : moves[0 .. 1]) { // the last move is the one that gains most
        alpha = max(alpha, -board.after(move).search(depth - 1, -beta, -alpha));
        if (alpha >= beta) break;
    }
    return alpha;
}

/// The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds.
Move choose(Board board, int myTime) {
    deadline = MonoTime.currTime + msecs(myTime - reserve) / share;
    auto moves = board.listMoves;
    try
        for (int depth = 1; depth < maxDepth && moves.length > 1; depth++) {
            size_t best;
            int alpha = -infinity;
            foreach (k, move; moves) {
                immutable value = -board.after(move).search(depth, -infinity, -alpha);
                if (value > alpha) { alpha = value; best = k; }
            }
            moves = moves[best] ~ moves[0 .. best] ~ moves[best + 1 .. $]; // the next iteration tries it first
        }
    catch (OutOfTime) { } // the last finished iteration counts
    return moves[0];
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

void main() {
    Board board;
    foreach (text; stdin.byLineCopy) {
        auto words = text.split;
        switch (words[0]) {
        case "READY": // FIRST or SECOND, which follows from the moves as well
            writeln("OK");
            break;
        case "TURN":
            immutable m = board.choose(words[1].to!int);
            board = board.after(m);
            if (m == pass) writeln("MOVE -1 -1 -1 -1");
            else writefln!"MOVE %s %s %s %s"(m.from / side + 1, m.from % side + 1, m.to / side + 1, m.to % side + 1);
            break;
        case "OPP", "OPENING": // OPENING: a move made for us before READY
            immutable n = words[1 .. 5].to!(int[]), from = side * n[0] + n[1] - 8, to = side * n[2] + n[3] - 8;
            board = board.after(n[0] < 0 ? pass : Move(from, to));
            break;
        case "POSITION": // where the game begins: rows of x (first), o and numbers of empty cells; who moves
            ulong[char] cells = ['x': 0, 'o': 0];
            int n;
            foreach (c; words[1])
                if (c.isDigit) n += c - '0';
                else if (c != '/') cells[c] |= 1UL << n++;
            board = words[2] == "x" ? Board(cells['x'], cells['o']) : Board(cells['o'], cells['x']);
            break;
        case "FINISH":
            if ("AGON_STAY" !in environment) return;
            board = Board.init; // the same program plays the next game, too
            break;
        default:
        }
        stdout.flush(); // or the judge waits for an answer that never leaves this process
    }
}
