// Domineering: a sample bot in D. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: ldc2 -O2 sample.d && ./sample
import core.time : MonoTime, msecs;
import std.algorithm : max, sort, SwapStrategy;
import std.array : split;
import std.conv : to;
import std.process : environment;
import std.stdio : stdin, stdout, writeln;

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: the first the rows, the second the columns. A place is a line and
// the index of the domino's first cell on it, from 0. Bit i of a line is set if its cell i is taken.

enum { first, second }
enum maxSide = 8;

struct Place {
    int line = -2, i = -2; // a PASS, unless it is set: the judge, who counts from 1, writes -1 -1
}

struct Board {
    int mover; // the player to move
    int[maxSide][2] lines; // of both players
}

int[][][2] weight; // for each player, the numbers on each of his lines

// ---- Rules ---------------------------------------------------------------------------------------------------------

/// The board after a move; it is a copy.
Board after(Board board, Place place) {
    if (place.line >= 0) {
        board.lines[board.mover][place.line] |= 3 << place.i;
        foreach (line; place.i .. place.i + 2) board.lines[1 - board.mover][line] |= 1 << place.line;
    }
    board.mover = 1 - board.mover;
    return board;
}

// ---- Choice --------------------------------------------------------------------------------------------------------

enum share = 10, reserve = 100; // a move may take a tenth of the time left, but for the last 100 milliseconds
enum maxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
enum infinity = 1_000_000;

/// The value is the points and the board after them: own prospects minus the other's.
struct Move {
    Place place;
    int points, value;
}

class OutOfTime : Exception { this() { super("out of time"); } }

MonoTime deadline;

/// The points a player could still make if the other one laid no more dominoes. The first j+1 cells of a line are worth
/// what the first j are, or what the first j-1 are and a domino on the last two.
int prospects(ref const Board board, int player) {
    int sum = 0;
    foreach (line, w; weight[player]) {
        int best = 0, shorter = 0; // for the first j cells and the first j-1 cells
        foreach (i; 0 .. w.length - 1) {
            immutable with_ = board.lines[player][line] >> i & 3 ? 0 : shorter + w[i] + w[i + 1];
            shorter = best;
            best = max(best, with_);
        }
        sum += best;
    }
    return sum;
}

/// All moves, the highest value first.
Move[] listMoves(Board board) {
    Move[] moves;
    immutable me = board.mover;
    foreach (line, w; weight[me])
        foreach (i; 0 .. w.length - 1) {
            if (board.lines[me][line] >> i & 3) continue;
            immutable place = Place(cast(int) line, cast(int) i), next = board.after(place), points = w[i] + w[i + 1];
            moves ~= Move(place, points, points + next.prospects(me) - next.prospects(1 - me));
        }
    moves.sort!((a, b) => a.value > b.value, SwapStrategy.stable); // equals stay in their order
    return moves;
}

/// The points that the player to move can still gain on the other one (negamax with alpha-beta).
int search(Board board, int depth, int alpha, int beta) {
    if (MonoTime.currTime > deadline) throw new OutOfTime;
    auto moves = board.listMoves;
    if (!moves.length) return -board.prospects(1 - board.mover); // the other one now lays all the dominoes that fit
    if (depth == 1) return moves[0].value;
    foreach (m; moves) {
        alpha = max(alpha, m.points - board.after(m.place).search(depth - 1, m.points - beta, m.points - alpha));
        if (alpha >= beta) break;
    }
    return alpha;
}

/// The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game.
Place choose(Board board, int myTime) {
    deadline = MonoTime.currTime + msecs(myTime - reserve) / share;
    auto moves = board.listMoves;
    try
        for (int depth = 1; depth < maxDepth && moves.length > 1; depth++) {
            size_t best;
            int alpha = -infinity;
            foreach (k, m; moves) {
                immutable value = m.points - board.after(m.place).search(depth, -infinity, m.points - alpha);
                if (value > alpha) { alpha = value; best = k; }
            }
            moves = moves[best] ~ moves[0 .. best] ~ moves[best + 1 .. $]; // the next iteration tries it first
        }
    catch (OutOfTime) { } // the last finished iteration counts
    return moves.length ? moves[0].place : Place();
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

void main() {
    Board board;
    foreach (text; stdin.byLineCopy) {
        auto words = text.split;
        switch (words[0]) {
        case "READY": // FIRST or SECOND, which follows from the moves as well
            writeln("OK");
            break;
        case "TURN":
            immutable place = board.choose(words[1].to!int), xy = [place.line + 1, place.i + 1];
            writeln("MOVE ", xy[board.mover], " ", xy[1 - board.mover]);
            board = board.after(place);
            break;
        case "OPP", "OPENING": // OPENING: a move made for us before READY
            immutable xy = [words[1].to!int - 1, words[2].to!int - 1];
            board = board.after(Place(xy[board.mover], xy[1 - board.mover]));
            break;
        case "FINISH":
            if ("AGON_STAY" !in environment) return;
            board = Board.init; // the same program plays the next game, too
            weight = weight.init;
            break;
        default: // a row of the board
            weight[first] ~= words.to!(int[]);
            weight[second].length = words.length;
            foreach (column, ref w; weight[second]) w ~= weight[first][$ - 1][column];
        }
        stdout.flush(); // or the judge waits for an answer that never leaves this process
    }
}
