// Domineering: a sample bot in C#. It looks ahead while its time lasts. Replace `Choose` by your own idea.
// Build and run: mcs -optimize+ sample.cs && mono sample.exe
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

static class Sample {
    // ---- Board -----------------------------------------------------------------------------------------------------
    // Each player lays dominoes along lines of his own: First the rows, Second the columns.

    const int First = 0, Second = 1;

    /// The player to move, his lines and those of the other. Bit i of a line is set if its cell i is taken.
    class Board {
        public int Player;
        public int[] Own, Foe;
    }

    /// A line of the player and the index of the domino's first cell on it, from 0. A PASS is null.
    class Move {
        public int Line, I;
        public int Points, Value; // the value is the points and the board after them: own prospects minus the other's
    }

    static readonly int[][][] weight = new int[2][][]; // for each player, the numbers on each of his lines

    /// An empty board with these rows of numbers.
    static Board NewBoard(List<int[]> rows) {
        weight[First] = rows.ToArray();
        weight[Second] = rows[0].Select((_, y) => rows.Select(row => row[y]).ToArray()).ToArray();
        return new Board { Player = First, Own = new int[weight[First].Length], Foe = new int[weight[Second].Length] };
    }

    // ---- Rules -----------------------------------------------------------------------------------------------------

    static int PointsOf(int player, int line, int i) {
        return weight[player][line][i] + weight[player][line][i + 1];
    }

    /// The board after a move, seen by the other player.
    static Board After(Board board, Move move) {
        int[] own = (int[])board.Own.Clone(), foe = (int[])board.Foe.Clone();
        if (move != null) {
            own[move.Line] |= 3 << move.I;
            foe[move.I] |= 1 << move.Line;
            foe[move.I + 1] |= 1 << move.Line;
        }
        return new Board { Player = 1 - board.Player, Own = foe, Foe = own };
    }

    // ---- Choice ----------------------------------------------------------------------------------------------------

    const int Share = 10, Reserve = 100; // a move may take a tenth of the time left, but for the last 100 ms
    const int MaxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
    const int Infinity = 1000000;

    static readonly Stopwatch clock = Stopwatch.StartNew();
    static double deadline;

    /// The points a player could still make on his lines if the other one laid no more dominoes. The first j+1 cells of
    /// a line are worth what the first j are, or what the first j-1 are and a domino on the last two.
    static int Prospects(int player, int[] lines) {
        int sum = 0;
        for (int line = 0; line < lines.Length; line++) {
            int best = 0, shorter = 0; // for the first j cells and the first j-1 cells
            for (int i = 0; i + 1 < weight[player][line].Length; i++) {
                int with = (lines[line] >> i & 3) != 0 ? 0 : shorter + PointsOf(player, line, i);
                shorter = best;
                best = Math.Max(best, with);
            }
            sum += best;
        }
        return sum;
    }

    /// All moves, the highest value first.
    static List<Move> ListMoves(Board board) {
        var moves = new List<Move>();
        for (int line = 0; line < board.Own.Length; line++)
            for (int i = 0; i + 1 < board.Foe.Length; i++) {
                if ((board.Own[line] >> i & 3) != 0) continue;
                var move = new Move { Line = line, I = i, Points = PointsOf(board.Player, line, i) };
                var next = After(board, move);
                move.Value = move.Points + Prospects(board.Player, next.Foe) - Prospects(next.Player, next.Own);
                moves.Add(move);
            }
        return moves.OrderByDescending(move => move.Value).ToList(); // equals stay in their order
    }

    /// The points that the player to move can still gain on the other one (negamax with alpha-beta).
    static int Search(Board board, int depth, int alpha, int beta) {
        if (clock.ElapsedMilliseconds > deadline) throw new TimeoutException();
        var moves = ListMoves(board);
        if (moves.Count == 0) return -Prospects(1 - board.Player, board.Foe); // the other one now lays all that fit
        if (depth == 1) return moves[0].Value;
        foreach (var move in moves) {
            int gain = move.Points;
            alpha = Math.Max(alpha, gain - Search(After(board, move), depth - 1, gain - beta, gain - alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /// The move to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game.
    static Move Choose(Board board, int myTime) {
        deadline = clock.ElapsedMilliseconds + (double)(myTime - Reserve) / Share;
        var moves = ListMoves(board);
        try {
            for (int depth = 1; depth < MaxDepth && moves.Count > 1; depth++) {
                Move best = null;
                int alpha = -Infinity;
                foreach (var move in moves) {
                    int gain = move.Points, value = gain - Search(After(board, move), depth, -Infinity, gain - alpha);
                    if (value > alpha) (best, alpha) = (move, value);
                }
                moves.Remove(best);
                moves.Insert(0, best); // the next iteration tries it first
            }
        } catch (TimeoutException) { } // the last finished iteration counts
        return moves.FirstOrDefault();
    }

    // ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ---------

    static void Main() {
        var rows = new List<int[]>();
        Board board = null;
        for (string text; (text = Console.ReadLine()) != null;) {
            string[] words = text.Split(' ');
            if (words[0] == "READY") { // FIRST or SECOND, which follows from the moves as well
                Console.WriteLine("OK");
            } else if (words[0] == "TURN") {
                var move = Choose(board, int.Parse(words[1]));
                int[] xy = move == null ? new[] { -1, -1 } : new[] { move.Line + 1, move.I + 1 };
                Console.WriteLine($"MOVE {xy[board.Player]} {xy[1 - board.Player]}"); // this flushes, too
                board = After(board, move);
            } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
                int[] xy = { int.Parse(words[1]) - 1, int.Parse(words[2]) - 1 };
                board = After(board, xy[0] < 0 ? null : new Move { Line = xy[board.Player], I = xy[1 - board.Player] });
            } else if (words[0] == "FINISH") {
                if (Environment.GetEnvironmentVariable("AGON_STAY") == null) break;
                rows.Clear(); // the same program plays the next game, too
            } else { // a row of the board
                rows.Add(text.Trim().Split(' ').Select(int.Parse).ToArray());
                board = NewBoard(rows);
            }
        }
    }
}
