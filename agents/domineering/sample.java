// Domineering: a sample bot in Java. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Build and run: javac sample.java && java Main        (Java 17)
import java.io.*;
import java.util.*;

class Main {
    // ---- Board ---------------------------------------------------------------------------------------------------
    // Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place is a line and the
    // index of the domino's first cell on it, from 0.

    record Place(int line, int i) {}

    static final int FIRST = 0, SECOND = 1, MAX_SIDE = 8;
    static final Place PASS = null;
    static final int[] size = new int[2]; // how many lines each player has; they are as long as the other has lines
    static final int[][][] weight = new int[2][MAX_SIDE][MAX_SIDE]; // for each player, the numbers on each of his lines

    /** The player to move, and the lines of both: bit i of a line is set if its cell i is taken. */
    record Board(int mover, int[][] lines) {
        // ---- Rules -----------------------------------------------------------------------------------------------

        boolean fits(int player, int line, int i) { return (lines[player][line] >> i & 3) == 0; }

        Board after(Place place) {
            Board next = new Board(1 - mover, new int[][] {lines[FIRST].clone(), lines[SECOND].clone()});
            if (place != PASS) {
                next.lines[mover][place.line] |= 3 << place.i;
                next.lines[1 - mover][place.i] |= 1 << place.line;
                next.lines[1 - mover][place.i + 1] |= 1 << place.line;
            }
            return next;
        }
    }

    static final Board START = new Board(FIRST, new int[2][MAX_SIDE]);

    static int points(int player, int line, int i) { return weight[player][line][i] + weight[player][line][i + 1]; }

    // ---- Choice --------------------------------------------------------------------------------------------------

    static final int SHARE = 10, RESERVE = 100; // a move may take a tenth of the time left, but for the last 100 ms
    static final int MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
    static final int INFINITY = 1_000_000;
    static long deadline; // in nanoseconds

    static class OutOfTime extends RuntimeException {}

    /** The value is the gain and the board after the move. */
    record Move(Place place, int gain, int value) {}

    /** The points a player could still make if the other one laid no more dominoes. Dominoes of one player never cross
     * from line to line, so each line is solved alone: its first j+1 cells are worth what the first j are, or what the
     * first j-1 are and a domino on the last two. */
    static int prospects(Board board, int player) {
        int sum = 0;
        for (int line = 0; line < size[player]; line++) {
            int best = 0, shorter = 0; // for the first j cells and the first j-1 cells
            for (int i = 0; i + 1 < size[1 - player]; i++) {
                int with = board.fits(player, line, i) ? shorter + points(player, line, i) : 0;
                shorter = best;
                best = Math.max(best, with);
            }
            sum += best;
        }
        return sum;
    }

    /** All moves, the highest value first; equals stay in their order. */
    static List<Move> listMoves(Board board) {
        List<Move> moves = new ArrayList<>();
        int me = board.mover, foe = 1 - me;
        for (int line = 0; line < size[me]; line++)
            for (int i = 0; i + 1 < size[foe]; i++) {
                if (!board.fits(me, line, i)) continue;
                Place place = new Place(line, i);
                Board next = board.after(place);
                int gain = points(me, line, i);
                moves.add(new Move(place, gain, gain + prospects(next, me) - prospects(next, foe)));
            }
        moves.sort(Comparator.comparing(move -> -move.value));
        return moves;
    }

    /** The points that the player to move can still gain on the other one (negamax with alpha-beta). */
    static int search(Board board, int depth, int alpha, int beta) {
        if (System.nanoTime() > deadline) throw new OutOfTime();
        List<Move> moves = listMoves(board);
        if (moves.isEmpty()) return -prospects(board, 1 - board.mover); // the other one lays all the dominoes that fit
        if (depth == 1) return moves.get(0).value;
        for (Move move : moves) {
            int value = move.gain - search(board.after(move.place), depth - 1, move.gain - beta, move.gain - alpha);
            alpha = Math.max(alpha, value);
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /** The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game. */
    static Place choose(Board board, int myTime) {
        deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE;
        List<Move> moves = listMoves(board);
        try {
            for (int depth = 1; depth < MAX_DEPTH && moves.size() > 1; depth++) {
                Move best = null;
                int alpha = -INFINITY;
                for (Move move : moves) {
                    int value = move.gain - search(board.after(move.place), depth, -INFINITY, move.gain - alpha);
                    if (value > alpha) best = move;
                    alpha = Math.max(alpha, value);
                }
                moves.remove(best);
                moves.add(0, best); // the next iteration tries it first
            }
        } catch (OutOfTime e) {} // the last finished iteration stands
        return moves.isEmpty() ? PASS : moves.get(0).place;
    }

    // ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 --------

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Board board = START;
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.trim().split(" +");
            if (words[0].equals("READY")) { // FIRST or SECOND, which follows from the moves as well
                System.out.println("OK");
            } else if (words[0].equals("TURN")) {
                Place p = choose(board, Integer.parseInt(words[1]));
                if (p == PASS) System.out.println("MOVE -1 -1");
                else if (board.mover == FIRST) System.out.println("MOVE " + (p.line + 1) + " " + (p.i + 1));
                else System.out.println("MOVE " + (p.i + 1) + " " + (p.line + 1));
                board = board.after(p);
            } else if (words[0].equals("OPP") || words[0].equals("OPENING")) { // OPENING: a move made for us
                int x = Integer.parseInt(words[1]) - 1, y = Integer.parseInt(words[2]) - 1;
                board = board.after(x < 0 ? PASS : board.mover == FIRST ? new Place(x, y) : new Place(y, x));
            } else if (words[0].equals("FINISH")) {
                if (System.getenv("AGON_STAY") == null) break;
                board = START; // the same program plays the next game, too
                size[FIRST] = 0;
            } else if (size[FIRST] < MAX_SIDE) { // a row of the board
                size[SECOND] = words.length;
                for (int x = size[FIRST]++, y = 0; y < words.length; y++)
                    weight[FIRST][x][y] = weight[SECOND][y][x] = Integer.parseInt(words[y]);
            }
            System.out.flush(); // or the judge waits for an answer that never leaves this process
        }
    }
}
