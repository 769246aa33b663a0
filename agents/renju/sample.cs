// Renju: a sample bot in C#. It looks ahead while its time lasts. Replace `Choose` by your own idea.
// Build and run: mcs -optimize+ sample.cs && mono sample.exe
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

/// A board seen by the player to move, row by row with a margin of walls. A direction is the distance to the next cell.
class Position {
    // ---- Board -----------------------------------------------------------------------------------------------------
    const int Side = 15, Area = Side * Side, Width = 20, Pass = 4 * Width - 1; // a PASS is like a cell (-1,-1)
    const int Empty = 0, Black = 1, White = 2, Wall = 3;
    static readonly int[] directions = { 1, Width, Width + 1, Width - 1 };
    static readonly int[] cells = Enumerable.Range(0, Area).Select(n => 121 + n / Side * Width + n % Side).ToArray();
    readonly int[] board = Enumerable.Repeat(Wall, 26 * Width + 1).ToArray();
    int player = Black, stones, score; // who moves, how many stones are on the board, and the score for him

    Position() { foreach (int cell in cells) board[cell] = Empty; }

    /// How many of n cells from one on in a direction are empty, black, white or walls.
    int Count(int what, int cell, int direction, int n) {
        int count = 0;
        for (; n > 0; n--, cell += direction)
            if (board[cell] == what) count++;
        return count;
    }

    // ---- Rules -----------------------------------------------------------------------------------------------------
    /// The position after a move.
    Position(Position before, int cell) {
        board = (int[])before.board.Clone();
        (player, stones, score) = (Black + White - before.player, before.stones, -before.score);
        if (cell == Pass) return;
        score -= before.Worth(values, cell);
        board[cell] = before.player;
        stones++;
    }

    /// Whether one of the n rows of n cells with this one has so many stones and, with a margin, so many empty cells.
    bool Has(int cell, int direction, int n, int stones, int margin, int empties) =>
        Enumerable.Range(0, n).Select(i => cell - i * direction).Any(start =>
            Count(Black, start, direction, n) == stones
            && Count(Empty, start - margin * direction, direction, n + 2 * margin) == empties);

    /// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one
    /// counts all that looks like a FOUR or THREE: it never plays a forbidden move, but refuses some that are allowed.
    bool MayPlay(int cell) {
        int distance = Math.Max(Math.Abs(cell / Width - 13), Math.Abs(cell % Width - 8));
        if (stones < 3) return distance <= stones; // the first is on (8,8), the second a step from it, the third two
        if (player == White) return true;
        bool five = false, overline = false;
        int fours = 0, threes = 0;
        board[cell] = Black;
        foreach (int d in directions) {
            if (Has(cell, d, 6, 6, 0, 0)) overline = true;
            else if (Has(cell, d, 5, 5, 0, 0)) five = true;
            // A FOUR is four of five cells, the fifth empty. Two of them on one line take five stones.
            if (Has(cell, d, 5, 4, 0, 1)) fours += Count(Black, cell - 4 * d, d, 9) >= 5 ? 2 : 1;
            if (Has(cell, d, 4, 3, 1, 3)) threes++; // three of four cells, the fourth and both outer neighbours empty
        }
        board[cell] = Empty;
        return five || (!overline && fours < 2 && threes < 2);
    }

    // ---- Choice ----------------------------------------------------------------------------------------------------
    // A stone is worth something in every five cells in a row in which all the other stones are one player's: their
    // number is the index, in the first list for own ones. `order` is for the order of moves, `values` for the score.
    static readonly int[][] order = { new[] { 0, 6, 50, 1500, 1000000 }, new[] { 0, 5, 40, 1000, 50000 } };
    static readonly int[][] values = { new[] { 1, 6, 50, 500, 0 }, new[] { 0, 1, 7, 57, 557 } };
    const int Win = 1000000, Four = 50000, Infinity = 10000000, Breadth = 10; // moves tried in a position
    const int MaxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
    const int Share = 30, Reserve = 100; // a move may take a thirtieth of the time left, but for the last 100 ms
    static readonly Stopwatch clock = Stopwatch.StartNew();
    static double deadline;

    /// What a stone of the player to move is worth on an empty cell.
    int Worth(int[][] table, int cell) {
        int sum = 0;
        foreach (int d in directions)
            for (int start = cell - 4 * d; start != cell + d; start += d) {
                if (board[start] == Wall || board[start + 4 * d] == Wall) continue;
                int own = Count(player, start, d, 5), foe = Count(Black + White - player, start, d, 5);
                if (own == 0 || foe == 0) sum += foe > 0 ? table[1][foe] : table[0][own];
            }
        return sum;
    }

    /// The moves to try and their worth, the highest first; after a four, only those that complete or block it.
    List<(int cell, int worth)> ListMoves() {
        var moves = new List<(int cell, int worth)>();
        var all = cells.Where(cell => board[cell] == Empty).Select(cell => (cell: cell, worth: Worth(order, cell)));
        foreach (var move in all.OrderByDescending(move => move.worth)) { // equals stay in their order
            if (moves.Count == Breadth || (moves.Count > 0 && moves[0].worth >= Four && move.worth < Four)) break;
            if (MayPlay(move.cell)) moves.Add(move);
        }
        return moves;
    }

    /// What the player to move can reach in `depth` moves (negamax with alpha-beta).
    int Search(int depth, int alpha, int beta) {
        if (clock.ElapsedMilliseconds > deadline) throw new TimeoutException();
        if (depth == 0) return score;
        var moves = ListMoves();
        if (moves.Count == 0) return score;
        if (moves[0].worth >= Win) return Win + Area - stones; // the sooner, the better
        if (moves[0].worth >= Four) depth++; // a forced move does not count
        foreach (var move in depth > 1 ? moves : moves.Take(1)) { // the last move is the one that looks best
            alpha = Math.Max(alpha, -new Position(this, move.cell).Search(depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /// The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game.
    int Choose(int myTime) {
        deadline = clock.ElapsedMilliseconds + (double)(myTime - Reserve) / Share;
        var moves = ListMoves();
        try {
            for (int depth = 2; depth < MaxDepth && moves.Count > 1 && moves[0].worth < Win; depth++) {
                var (best, alpha) = (moves[0], -Infinity);
                foreach (var move in moves) {
                    int value = -new Position(this, move.cell).Search(depth, -Infinity, -alpha);
                    if (value > alpha) (best, alpha) = (move, value);
                }
                moves = moves.Where(move => move.cell != best.cell).Prepend(best).ToList(); // is tried first next time
            }
        } catch (TimeoutException) { } // the last finished iteration counts
        return moves.Count > 0 ? moves[0].cell : Pass;
    }

    // ---- Protocol: one command a line; a PASS is -1 -1 -------------------------------------------------------------
    static void Main() {
        var position = new Position();
        for (string text; (text = Console.ReadLine()) != null;) {
            string[] words = text.Split(' ');
            if (words[0] == "READY") { // FIRST or SECOND, which follows from the moves as well
                Console.WriteLine("OK"); // this flushes, too
            } else if (words[0] == "TURN") {
                int cell = position.Choose(int.Parse(words[1])), next = cell + 1;
                position = new Position(position, cell);
                Console.WriteLine($"MOVE {next / Width - 5} {next % Width - 1}");
            } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
                position = new Position(position, Width * (int.Parse(words[1]) + 5) + int.Parse(words[2]));
            } else if (words[0] == "FINISH") {
                if (Environment.GetEnvironmentVariable("AGON_STAY") == null) break;
                position = new Position(); // the same program plays the next game, too
            }
        }
    }
}
