// Bacteria War: a sample bot in Java. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Build and run: javac sample.java && java Main        (Java 17)
import java.io.*;
import java.util.*;

class Main {
    // ---- Board ---------------------------------------------------------------------------------------------------
    // A set of cells is a long: bit 7*row + column (both from 0) is one cell. A board is two such sets.

    /** A board, seen by the player to move. */
    record Board(long own, long foe) {}

    /** A move from cell to cell, each 0..48, and how much the lead grows. */
    record Move(int from, int to, int gain) {}

    static final int SIDE = 7, AREA = SIDE * SIDE, INFINITY = 1_000_000;
    static final long FULL = (1L << AREA) - 1;
    static final Move PASS = new Move(-1, -1, 0);

    // For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
    // (a leap comes from there).
    static final long[] NEAR = atDistance(1), FAR = atDistance(2);

    static long[] atDistance(int wanted) {
        long[] result = new long[AREA];
        for (int a = 0; a < AREA; a++)
            for (int b = 0; b < AREA; b++) {
                int d = Math.max(Math.abs(a / SIDE - b / SIDE), Math.abs(a % SIDE - b % SIDE));
                if (d == wanted) result[a] |= 1L << b;
            }
        return result;
    }

    // ---- Rules ---------------------------------------------------------------------------------------------------

    /** All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. */
    static List<Move> listMoves(Board board) {
        List<Move> moves = new ArrayList<>();
        for (int to = 0; to < AREA; to++) {
            if (((board.own | board.foe) >> to & 1) != 0) continue;
            int gain = 2 * Long.bitCount(board.foe & NEAR[to]);
            long division = NEAR[to] & board.own;
            if (division != 0) moves.add(new Move(Long.numberOfTrailingZeros(division), to, gain + 1));
            for (long leap = FAR[to] & board.own; leap != 0; leap &= leap - 1)
                moves.add(new Move(Long.numberOfTrailingZeros(leap), to, gain));
        }
        moves.sort(Comparator.comparing(move -> -move.gain)); // equals stay in their order
        return moves.isEmpty() ? List.of(PASS) : moves;
    }

    /** The board after a move, seen by the other player. */
    static Board after(Board board, Move move) {
        if (move.from < 0) return new Board(board.foe, board.own);
        long infected = board.foe & NEAR[move.to];
        long own = board.own | infected | 1L << move.to;
        if ((FAR[move.to] >> move.from & 1) != 0) own &= ~(1L << move.from); // a leap empties its source
        return new Board(board.foe & ~infected, own);
    }

    // ---- Choice --------------------------------------------------------------------------------------------------

    static final int SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, less 100 ms
    static final int MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
    static long deadline; // in nanoseconds

    static class OutOfTime extends RuntimeException {}

    /** What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
    static int search(Board board, int depth, int alpha, int beta) {
        int lead = Long.bitCount(board.own) - Long.bitCount(board.foe);
        if (board.own == 0 || board.foe == 0 || (board.own | board.foe) == FULL) return 100 * lead; // the game is over
        if (depth == 0) return lead;
        if (System.nanoTime() > deadline) throw new OutOfTime();
        List<Move> moves = listMoves(board);
        if (depth == 1) moves = moves.subList(0, 1); // the last move is the one that gains most
        for (Move move : moves) {
            alpha = Math.max(alpha, -search(after(board, move), depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /** The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds. */
    static Move choose(Board board, int myTime) {
        deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE;
        List<Move> moves = listMoves(board);
        try {
            for (int depth = 1; depth < MAX_DEPTH && moves.size() > 1; depth++) {
                Move best = PASS;
                int alpha = -INFINITY;
                for (Move move : moves) {
                    int value = -search(after(board, move), depth, -INFINITY, -alpha);
                    if (value > alpha) best = move;
                    alpha = Math.max(alpha, value);
                }
                moves.remove(best);
                moves.add(0, best); // the next iteration tries it first
            }
        } catch (OutOfTime e) {} // the last finished iteration stands
        return moves.get(0);
    }

    // ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ------------------------

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        final Board START = new Board(1L | 1L << 48, 1L << 6 | 1L << 42); // the first player has (1,1) and (7,7)
        Board board = START;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" +");
            if (words[0].equals("READY")) { // FIRST or SECOND, which follows from the moves as well
                System.out.println("OK");
            } else if (words[0].equals("TURN")) {
                Move m = choose(board, Integer.parseInt(words[1]));
                board = after(board, m);
                if (m.from < 0) System.out.println("MOVE -1 -1 -1 -1");
                else
                    System.out.println("MOVE " + (m.from / 7 + 1) + " " + (m.from % 7 + 1)
                            + " " + (m.to / 7 + 1) + " " + (m.to % 7 + 1));
            } else if (words[0].equals("OPP") || words[0].equals("OPENING")) { // OPENING: a move made for us
                int[] n = new int[4];
                for (int i = 0; i < 4; i++) n[i] = Integer.parseInt(words[i + 1]) - 1;
                board = after(board, n[0] < 0 ? PASS : new Move(7 * n[0] + n[1], 7 * n[2] + n[3], 0));
            } else if (words[0].equals("POSITION")) { // where the game begins; x moves first
                long x = 0, o = 0;
                int cell = 0;
                for (char c : words[1].toCharArray()) {
                    if (c == 'x') x |= 1L << cell++;
                    else if (c == 'o') o |= 1L << cell++;
                    else if (c != '/') cell += c - '0';
                }
                board = words[2].equals("x") ? new Board(x, o) : new Board(o, x);
            } else if (words[0].equals("FINISH")) {
                if (System.getenv("AGON_STAY") == null) break;
                board = START; // the same program plays the next game, too
            }
            System.out.flush(); // or the judge waits for an answer that never leaves this process
        }
    }
}
