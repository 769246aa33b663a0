// Renju: a sample bot in D. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: ldc2 -O2 sample.d && ./sample
import core.time : MonoTime, msecs;
import std.algorithm, std.array, std.conv, std.math, std.process, std.range, std.stdio;

// ---- Board ---------------------------------------------------------------------------------------------------------
// A board is read row by row and has a margin of walls. A direction is the distance to the next cell.

enum side = 15, width = 20, pass = width * 4 - 1; // a PASS is as if it were the cell (-1,-1)
enum : ubyte { empty, black, white, wall }
immutable directions = [1, width, width + 1, width - 1];

/// A board seen by the player to move: how many stones are on it, and its score for him.
struct Position {
    ubyte[26 * width + 1] board = wall;
    ubyte player = black;
    int stones, score;
}

Position start() {
    Position position;
    foreach (x; 6 .. 6 + side) position.board[width * x + 1 .. width * x + 1 + side] = empty;
    return position;
}

/// How many of n cells from one on in a direction are empty, black, white and walls.
int[4] count(ref const Position position, int cell, int direction, int n) {
    int[4] counts;
    foreach (i; 0 .. n) counts[position.board[cell + i * direction]]++;
    return counts;
}

// ---- Rules ---------------------------------------------------------------------------------------------------------
/// Whether one of n rows of n cells through a cell has so many black stones and, with a margin, empty cells.
bool has(ref const Position position, int cell, int d, int n, int stones, int margin, int empties) {
    return iota(n).any!(i => position.count(cell - i * d, d, n)[black] == stones
        && position.count(cell - (i + margin) * d, d, n + 2 * margin)[empty] == empties);
}

/// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
/// all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
bool mayPlay(Position position, int cell) {
    immutable distance = max(abs(cell / width - 13), abs(cell % width - 8));
    if (position.stones < 3) return distance <= position.stones; // the first on (8,8), then a step from it, then two
    if (position.player == white) return true;
    position.board[cell] = black; // in a copy
    int overlines, fours, threes;
    foreach (d; directions) {
        if (position.has(cell, d, 6, 6, 0, 0)) overlines++;
        else if (position.has(cell, d, 5, 5, 0, 0)) return true; // a row of exactly five wins, whatever else it makes
        // A FOUR is four of five cells, the fifth empty. Two of them on one line take five stones.
        if (position.has(cell, d, 5, 4, 0, 1)) fours += position.count(cell - 4 * d, d, 9)[black] >= 5 ? 2 : 1;
        if (position.has(cell, d, 4, 3, 1, 3)) threes++; // three of four cells, the fourth and both neighbours empty
    }
    return overlines == 0 && fours < 2 && threes < 2;
}

Position after(Position before, int cell) {
    immutable foe = before.player == black ? white : black;
    if (cell == pass) return Position(before.board, foe, before.stones, -before.score);
    immutable score = before.score + before.worth(values, cell);
    before.board[cell] = before.player;
    return Position(before.board, foe, before.stones + 1, -score);
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five cells in a row in which all the other stones are one player's: their number
// is the index, in the first list for own ones. `order` is for the order of moves, `values` for the score.
immutable int[5][2] order = [[0, 6, 50, 1500, 1_000_000], [0, 5, 40, 1000, 50_000]];
immutable int[5][2] values = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]];
enum win = order[0][4], four = order[1][4], infinity = 10_000_000, breadth = 10; // moves tried in a position
enum maxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
enum share = 30, reserve = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
struct Move { int cell, worth; }
class OutOfTime : Exception { this() { super("out of time"); } }
MonoTime deadline;

/// What a stone of the player to move is worth on an empty cell.
int worth(ref const Position position, ref immutable int[5][2] table, int cell) {
    int sum;
    foreach (d; directions)
        foreach (i; 0 .. 5) {
            immutable n = position.count(cell - i * d, d, 5), own = n[position.player], foe = n[black] + n[white] - own;
            if (!n[wall] && !(own && foe)) sum += foe ? table[1][foe] : table[0][own];
        }
    return sum;
}

/// The moves to try, the one worth most first; after a four, only those that complete or block it.
Move[] listMoves(ref const Position position) {
    Move[] all, moves;
    foreach (int cell, stone; position.board) if (stone == empty) all ~= Move(cell, position.worth(order, cell));
    all.sort!((a, b) => a.worth > b.worth, SwapStrategy.stable); // equals stay in their order
    foreach (move; all) {
        if (moves.length == breadth || moves.length && moves[0].worth >= four && move.worth < four) break;
        if (position.mayPlay(move.cell)) moves ~= move;
    }
    return moves;
}

/// What the player to move can reach in `depth` moves (negamax with alpha-beta).
int search(Position position, int depth, int alpha, int beta) {
    if (MonoTime.currTime > deadline) throw new OutOfTime;
    auto moves = depth > 0 ? position.listMoves : [];
    if (!moves.length) return position.score;
    if (moves[0].worth >= win) return win + side * side - position.stones; // the sooner, the better
    if (moves[0].worth >= four) depth++; // a forced move does not count
    foreach (move; depth > 1 ? moves : moves[0 .. 1]) { // the last move is the one that looks best
        alpha = max(alpha, -position.after(move.cell).search(depth - 1, -beta, -alpha));
        if (alpha >= beta) break;
    }
    return alpha;
}

/// The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game.
int choose(Position position, int myTime) {
    deadline = MonoTime.currTime + msecs(myTime - reserve) / share;
    auto moves = position.listMoves;
    try
        for (int depth = 2; depth < maxDepth && moves.length > 1 && moves[0].worth < win; depth++) {
            int best, alpha = -infinity;
            foreach (move; moves) {
                immutable value = -position.after(move.cell).search(depth, -infinity, -alpha);
                if (value > alpha) { alpha = value; best = move.cell; }
            }
            moves.partition!(move => move.cell == best, SwapStrategy.stable); // the next iteration tries it first
        }
    catch (OutOfTime) { } // the last finished iteration counts
    return moves.length ? moves[0].cell : pass;
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------
void main() {
    auto position = start();
    foreach (text; stdin.byLineCopy) {
        auto words = text.split;
        if (words[0] == "READY") writeln("OK"); // FIRST or SECOND, which follows from the moves as well
        if (words[0] == "TURN") {
            immutable cell = position.choose(words[1].to!int);
            position = position.after(cell);
            writeln("MOVE ", (cell + 1) / width - 5, " ", (cell + 1) % width - 1);
        } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
            position = position.after(width * (words[1].to!int + 5) + words[2].to!int);
        } else if (words[0] == "FINISH") {
            if ("AGON_STAY" !in environment) break;
            position = start(); // the same program plays the next game, too
        }
        stdout.flush(); // or the judge waits for an answer that never leaves this process
    }
}
