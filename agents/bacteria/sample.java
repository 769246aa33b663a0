// Bacteria War: a sample bot in Java. Greedy with one reply looked ahead. Replace `choose` by your own idea.
//
// Build and run: javac sample.java && java Main        (Java 17)
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

class Main {
    // ---- Board ---------------------------------------------------------------------------------------------------
    // A set of cells is a long: bit 7*row + column (both from 0) is one cell. A board is two such sets.

    /** A board, seen by the player to move. */
    record Board(long own, long foe) {
        Board turned() {
            return new Board(foe, own);
        }
    }

    /** A move from cell to cell, each 0..48. */
    record Move(int from, int to) {}

    static final int SIDE = 7, AREA = SIDE * SIDE, BEST = 1_000_000;
    static final long FULL = (1L << AREA) - 1;
    static final Move PASS = new Move(-1, -1);

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

    /** All moves. Divisions to one cell all have the same effect: the first one stands for all. */
    static List<Move> listMoves(Board board) {
        List<Move> moves = new ArrayList<>();
        long taken = board.own | board.foe;
        for (int to = 0; to < AREA; to++) {
            if ((taken >> to & 1) != 0) continue;
            long division = NEAR[to] & board.own;
            if (division != 0) moves.add(new Move(Long.numberOfTrailingZeros(division), to));
            for (long leap = FAR[to] & board.own; leap != 0; leap &= leap - 1)
                moves.add(new Move(Long.numberOfTrailingZeros(leap), to));
        }
        return moves;
    }

    /** The board after a move, still seen by the player who made it. */
    static Board after(Board board, Move move) {
        if (move.from < 0) return board;
        long infected = board.foe & NEAR[move.to];
        long own = board.own | infected | 1L << move.to;
        if ((FAR[move.to] >> move.from & 1) != 0) own &= ~(1L << move.from); // a leap empties its source
        return new Board(own, board.foe & ~infected);
    }

    // ---- Choice --------------------------------------------------------------------------------------------------

    /** What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
    static int value(Board board, int depth, int alpha, int beta) {
        int lead = Long.bitCount(board.own) - Long.bitCount(board.foe);
        boolean over = board.own == 0 || board.foe == 0 || (board.own | board.foe) == FULL;
        if (over) return 100 * lead;
        if (depth == 0) return lead;
        List<Move> moves = listMoves(board);
        if (moves.isEmpty()) moves.add(PASS);
        for (Move move : moves) {
            alpha = Math.max(alpha, -value(after(board, move).turned(), depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /** The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds. */
    static Move choose(Board board, int myTime) {
        int depth = myTime > 1000 ? 2 : 1; // my move and one reply; hurry when time runs out
        Move best = PASS;
        int bestValue = -BEST;
        for (Move move : listMoves(board)) {
            int v = -value(after(board, move).turned(), depth - 1, -BEST, -bestValue);
            if (v > bestValue) {
                bestValue = v;
                best = move;
            }
        }
        return best;
    }

    // ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ------------------------

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        final Board START = new Board(1L | 1L << 48, 1L << 6 | 1L << 42); // the first player has (1,1) and (7,7)
        Board board = START;
        boolean firstMoves = true;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" +");
            if (words[0].equals("READY")) {
                if (words[1].equals("FIRST") != firstMoves) board = board.turned(); // from here on as I see it
                System.out.println("OK");
            } else if (words[0].equals("TURN")) {
                Move m = choose(board, Integer.parseInt(words[1]));
                board = after(board, m);
                if (m.from < 0) System.out.println("MOVE -1 -1 -1 -1");
                else
                    System.out.println("MOVE " + (m.from / 7 + 1) + " " + (m.from % 7 + 1)
                            + " " + (m.to / 7 + 1) + " " + (m.to % 7 + 1));
            } else if (words[0].equals("OPP") || words[0].equals("OPENING")) {
                int[] n = new int[4];
                for (int i = 0; i < 4; i++) n[i] = Integer.parseInt(words[i + 1]) - 1;
                Move m = n[0] < 0 ? PASS : new Move(7 * n[0] + n[1], 7 * n[2] + n[3]);
                if (words[0].equals("OPP")) {
                    board = after(board.turned(), m).turned();
                } else { // a move made for us before READY
                    board = after(board, m).turned();
                    firstMoves = !firstMoves;
                }
            } else if (words[0].equals("POSITION")) { // where the game begins; x moves first
                long x = 0, o = 0;
                int cell = 0;
                for (char c : words[1].toCharArray()) {
                    if (c == 'x') x |= 1L << cell++;
                    else if (c == 'o') o |= 1L << cell++;
                    else if (c != '/') cell += c - '0';
                }
                firstMoves = words[2].equals("x");
                board = firstMoves ? new Board(x, o) : new Board(o, x);
            } else if (words[0].equals("FINISH")) {
                if (System.getenv("AGON_STAY") == null) break;
                // The same program plays the next game, too.
                board = START;
                firstMoves = true;
            }
            System.out.flush(); // or the judge waits for an answer that never leaves this process
        }
    }
}
