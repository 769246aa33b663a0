// Renju: a sample bot in Java. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: javac sample.java && java Main        (Java 17)
import java.io.*;
import java.util.*;

class Main {
    // ---- Board ---------------------------------------------------------------------------------------------------
    // The cells are stored row by row, with a margin of walls. A direction is the distance to the next cell.
    static final int SIDE = 15, WIDTH = 20, PASS = -1;
    static final char EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#';
    static final int[] DIRECTIONS = {1, WIDTH, WIDTH + 1, WIDTH - 1};

    record Position(char[] cells, char player, int score, int stones) {} // seen by the player to move: the score is his

    static char other(char player) { return player == BLACK ? WHITE : BLACK; }
    static int cellAt(int x, int y) { return WIDTH * (x + 5) + y; } // row and column, from 1

    static Position start() {
        char[] cells = new char[26 * WIDTH + 1];
        Arrays.fill(cells, WALL);
        for (int x = 1; x <= SIDE; x++) Arrays.fill(cells, cellAt(x, 1), cellAt(x, SIDE) + 1, EMPTY);
        return new Position(cells, BLACK, 0, 0);
    }

    /** How many of `n` cells in one direction are `wanted`. */
    static int count(char[] cells, int first, int direction, int n, char wanted) {
        int sum = 0;
        for (int i = 0; i < n; i++) if (cells[first + i * direction] == wanted) sum++;
        return sum;
    }

    // ---- Rules ---------------------------------------------------------------------------------------------------
    /** Whether n cells in a row with this one have so many black stones and, with a margin, so many empty cells. */
    static boolean has(char[] board, int cell, int d, int n, int stones, int margin, int empties) {
        for (int at = cell; at != cell - n * d; at -= d)
            if (count(board, at, d, n, BLACK) == stones
                && count(board, at - margin * d, d, n + 2 * margin, EMPTY) == empties) return true;
        return false;
    }

    /** Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one
     * counts all that looks like a FOUR or a THREE: it plays no forbidden move, but refuses some that are allowed. */
    static boolean mayPlay(Position p, int cell) {
        if (p.stones < 3) // the first is on (8,8), the second a step from it, the third two
            return Math.abs(cell / WIDTH - 13) <= p.stones && Math.abs(cell % WIDTH - 8) <= p.stones;
        if (p.player == WHITE) return true;
        int longest = 0, fours = 0, threes = 0;
        char[] board = p.cells.clone();
        board[cell] = BLACK;
        for (int d : DIRECTIONS) {
            int row = 1;
            for (int at = cell - d; board[at] == BLACK; at -= d) row++;
            for (int at = cell + d; board[at] == BLACK; at += d) row++;
            if (row == 5) return true; // a FIVE wins, whatever else it makes
            longest = Math.max(longest, row);
            // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
            if (has(board, cell, d, 5, 4, 0, 1)) fours += count(board, cell - 4 * d, d, 9, BLACK) >= 5 ? 2 : 1;
            // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
            if (has(board, cell, d, 4, 3, 1, 3)) threes++;
        }
        return longest < 6 && fours < 2 && threes < 2;
    }

    // ---- Choice --------------------------------------------------------------------------------------------------
    // A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The
    // index is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is
    // for the order of moves, VALUE for the score. Four stones decide; an open three is three in two such fives.
    static final int[][] ORDER = {{0, 6, 50, 1500, 1_000_000}, {0, 5, 40, 1000, 50_000}};
    static final int[][] VALUE = {{1, 6, 50, 500, 0}, {0, 1, 7, 57, 557}};
    static final int WIN = ORDER[0][4], FOUR = ORDER[1][4], INFINITY = 10 * WIN;
    static final int BREADTH = 10; // moves tried in a position
    static final int SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, less 100 ms
    static final int MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
    static long deadline; // in nanoseconds

    static class OutOfTime extends RuntimeException {}
    record Move(int cell, int worth) {}

    static int worth(int[][] table, Position p, int cell) {
        int sum = 0;
        for (int d : DIRECTIONS)
            for (int at = cell - 4 * d, i = 0; i < 5; i++, at += d) {
                int own = count(p.cells, at, d, 5, p.player), foe = count(p.cells, at, d, 5, other(p.player));
                if (count(p.cells, at, d, 5, WALL) == 0 && (own == 0 || foe == 0))
                    sum += foe > 0 ? table[1][foe] : table[0][own];
            }
        return sum;
    }

    static Position after(Position p, int cell) {
        if (cell == PASS) return new Position(p.cells, other(p.player), -p.score, p.stones);
        char[] cells = p.cells.clone();
        cells[cell] = p.player;
        return new Position(cells, other(p.player), -p.score - worth(VALUE, p, cell), p.stones + 1);
    }

    /** The moves to try, the one worth most first; after a four, only those that complete or block it. */
    static List<Move> listMoves(Position p) {
        List<Move> all = new ArrayList<>(), moves = new ArrayList<>();
        for (int cell = cellAt(1, 1); cell <= cellAt(SIDE, SIDE); cell++)
            if (p.cells[cell] == EMPTY) all.add(new Move(cell, worth(ORDER, p, cell)));
        all.sort(Comparator.comparing(move -> -move.worth)); // equals stay in their order
        for (Move move : all) {
            if (moves.size() == BREADTH || moves.size() > 0 && moves.get(0).worth >= FOUR && move.worth < FOUR) break;
            if (mayPlay(p, move.cell)) moves.add(move);
        }
        return moves;
    }

    /** What the player to move can reach in `depth` moves (negamax with alpha-beta). */
    static int search(Position p, int depth, int alpha, int beta) {
        if (depth == 0) return p.score;
        if (System.nanoTime() > deadline) throw new OutOfTime();
        List<Move> moves = listMoves(p);
        if (moves.isEmpty()) return p.score;
        if (moves.get(0).worth >= WIN) return WIN + SIDE * SIDE - p.stones; // the sooner, the better
        if (moves.get(0).worth >= FOUR) depth++; // a forced move does not count
        if (depth == 1) moves = moves.subList(0, 1); // the last move is the one that looks best
        for (Move move : moves) {
            alpha = Math.max(alpha, -search(after(p, move.cell), depth - 1, -beta, -alpha));
            if (alpha >= beta) break;
        }
        return alpha;
    }

    /** The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game. */
    static int choose(Position p, int myTime) {
        deadline = System.nanoTime() + (myTime - RESERVE) * 1_000_000L / SHARE;
        List<Move> moves = listMoves(p);
        try {
            for (int depth = 2; depth < MAX_DEPTH && moves.size() > 1 && moves.get(0).worth < WIN; depth++) {
                Move best = null;
                int alpha = -INFINITY;
                for (Move move : moves) {
                    int value = -search(after(p, move.cell), depth, -INFINITY, -alpha);
                    if (value > alpha) best = move;
                    alpha = Math.max(alpha, value);
                }
                moves.remove(best);
                moves.add(0, best); // the next iteration tries it first
            }
        } catch (OutOfTime e) {} // the last finished iteration stands
        return moves.isEmpty() ? PASS : moves.get(0).cell;
    }

    // ---- Protocol: one command a line; a PASS is -1 -1 -------------------------------------------------------------
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        Position position = start();
        for (String text = input.readLine(); text != null; text = input.readLine()) {
            String[] words = text.trim().split(" +");
            if (words[0].equals("READY")) { // FIRST or SECOND, which follows from the moves as well
                System.out.println("OK");
            } else if (words[0].equals("TURN")) {
                int cell = choose(position, Integer.parseInt(words[1]));
                System.out.println(cell == PASS ? "MOVE -1 -1" : "MOVE " + (cell / WIDTH - 5) + " " + cell % WIDTH);
                position = after(position, cell);
            } else if (words[0].equals("OPP") || words[0].equals("OPENING")) { // OPENING: a move made for us
                int x = Integer.parseInt(words[1]), y = Integer.parseInt(words[2]);
                position = after(position, x < 0 ? PASS : cellAt(x, y));
            } else if (words[0].equals("FINISH")) {
                if (System.getenv("AGON_STAY") == null) break;
                position = start(); // the same program plays the next game, too
            }
            System.out.flush(); // or the judge waits for an answer that never leaves this process
        }
    }
}
