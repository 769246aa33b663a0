// Bacteria War: a sample bot in C#. It looks ahead while its time lasts. Replace `Choose` by your own idea.
// Build and run: mcs -optimize+ sample.cs && mono sample.exe
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

static class Sample {
    // ---- Board -----------------------------------------------------------------------------------------------------
    // A set of cells is a number: bit 7*row + column (both from 0) is one cell.

    const int Side = 7, Area = Side * Side;
    const ulong Full = (1UL << Area) - 1;

    /// The cells of both players, seen by the player to move.
    struct Board {
        public ulong Own, Foe;
    }

    /// A pair of cells, each 0..48, and what the move gains: two for each infection, one for a division.
    class Move {
        public int From, To, Gain;
    }

    static readonly Move Pass = new Move { From = -1 };
    static readonly Board Start = new Board { Own = 1UL << 0 | 1UL << 48, Foe = 1UL << 6 | 1UL << 42 };

    // For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
    // (a leap comes from there).
    static readonly ulong[] near = AtDistance(1), far = AtDistance(2);

    static ulong[] AtDistance(int distance) {
        var cells = new ulong[Area];
        for (int a = 0; a < Area; a++)
            for (int b = 0; b < Area; b++)
                if (Math.Max(Math.Abs(a / Side - b / Side), Math.Abs(a % Side - b % Side)) == distance)
                    cells[a] |= 1UL << b;
        return cells;
    }

    static int Count(ulong cells) {
        int count = 0;
        for (; cells != 0; cells &= cells - 1) count++;
        return count;
    }

    static int First(ulong cells) {
        return Count(~cells & (cells - 1)); // the zeros below the lowest bit
    }

    // ---- Rules -----------------------------------------------------------------------------------------------------

    /// All moves, the one that gains most first. One division stands for all to the same cell.
    static List<Move> ListMoves(Board board) {
        var moves = new List<Move>();
        for (int to = 0; to < Area; to++) {
            if (((board.Own | board.Foe) >> to & 1) != 0) continue;
            int gain = 2 * Count(board.Foe & near[to]);
            ulong division = near[to] & board.Own;
            if (division != 0) moves.Add(new Move { From = First(division), To = to, Gain = gain + 1 });
            for (ulong leap = far[to] & board.Own; leap != 0; leap &= leap - 1)
                moves.Add(new Move { From = First(leap), To = to, Gain = gain });
        }
        if (moves.Count == 0) moves.Add(Pass);
        return moves.OrderByDescending(move => move.Gain).ToList(); // equals stay in their order
    }

    /// The board after a move, seen by the other player.
    static Board After(Board board, Move move) {
        if (move == Pass) return new Board { Own = board.Foe, Foe = board.Own };
        ulong infected = board.Foe & near[move.To];
        ulong source = far[move.To] & 1UL << move.From; // a leap empties its source
        return new Board { Own = board.Foe & ~infected, Foe = (board.Own | infected | 1UL << move.To) & ~source };
    }

    // ---- Choice ----------------------------------------------------------------------------------------------------

    const int Share = 30, Reserve = 100; // a move may take a thirtieth of the time left, but for the last 100 ms
    const int MaxDepth = 64; // moves to look ahead; a bot with a small number repeats its games
    const int Infinity = 1000000;

    static readonly Stopwatch clock = Stopwatch.StartNew();
    static double deadline;

    /// What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
    static int Search(Board board, int depth, int alpha, int beta) {
        int lead = Count(board.Own) - Count(board.Foe);
        if (board.Own == 0 || board.Foe == 0 || (board.Own | board.Foe) == Full) return 100 * lead; // the game is over
        if (depth == 0) return lead;
        if (clock.ElapsedMilliseconds > deadline) throw new TimeoutException();
        var moves = ListMoves(board);
        foreach (var move in depth > 1 ? moves : moves.Take(1)) { // the last move is the one that gains most
            alpha = Math.Max(alpha, -Search(After(board, move), depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /// The move to play; `myTime`, in milliseconds, is left for the whole game.
    static Move Choose(Board board, int myTime) {
        deadline = clock.ElapsedMilliseconds + (double)(myTime - Reserve) / Share;
        var moves = ListMoves(board);
        try {
            for (int depth = 1; depth < MaxDepth && moves.Count > 1; depth++) {
                Move best = null;
                int alpha = -Infinity;
                foreach (var move in moves) {
                    int value = -Search(After(board, move), depth, -Infinity, -alpha);
                    if (value > alpha) (best, alpha) = (move, value);
                }
                moves.Remove(best);
                moves.Insert(0, best); // the next iteration tries it first
            }
        } catch (TimeoutException) { } // the last finished iteration counts
        return moves[0];
    }

    // ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -------------------------

    static void Main() {
        var board = Start;
        for (string text; (text = Console.ReadLine()) != null;) {
            string[] words = text.Split(' ');
            if (words[0] == "READY") { // FIRST or SECOND, which follows from the moves as well
                Console.WriteLine("OK"); // this flushes, too
            } else if (words[0] == "TURN") {
                var m = Choose(board, int.Parse(words[1]));
                board = After(board, m);
                Console.WriteLine(m == Pass ? "MOVE -1 -1 -1 -1" :
                    $"MOVE {m.From / Side + 1} {m.From % Side + 1} {m.To / Side + 1} {m.To % Side + 1}");
            } else if (words[0] == "OPP" || words[0] == "OPENING") { // OPENING: a move made for us before READY
                int[] n = words.Skip(1).Take(4).Select(word => int.Parse(word) - 1).ToArray();
                board = After(board, n[0] < 0 ? Pass : new Move { From = Side * n[0] + n[1], To = Side * n[2] + n[3] });
            } else if (words[0] == "POSITION") { // where the game begins: rows of x (first), o and numbers; who moves
                int cell = 0;
                board = new Board();
                foreach (char c in words[1].Replace("/", "")) {
                    if (c == 'x') board.Own |= 1UL << cell;
                    if (c == 'o') board.Foe |= 1UL << cell;
                    cell += char.IsDigit(c) ? c - '0' : 1;
                }
                if (words[2] == "o") board = After(board, Pass);
            } else if (words[0] == "FINISH") {
                if (Environment.GetEnvironmentVariable("AGON_STAY") == null) break;
                board = Start; // the same program plays the next game, too
            }
        }
    }
}
