// Renju: a sample bot in Java. It counts what every row of five is worth. Replace `choose` by your own idea.
//
// Build and run: javac sample.java && java Main        (Java 17)
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;

class Main {
    // ---- Board ---------------------------------------------------------------------------------------------------
    // Rows and columns count from 1, as the judge counts them.

    static final int SIDE = 15, LINE = 11, CENTRE = 5;
    static final char EMPTY = '.', BLACK = 'B', WHITE = 'W', WALL = '#';
    static final int[][] DIRECTIONS = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

    /** A row and a column. */
    record Cell(int x, int y) {}

    static final Cell PASS = new Cell(-1, -1);
    static final char[][] board = new char[SIDE + 1][SIDE + 1];

    static char at(int x, int y) {
        return x < 1 || y < 1 || x > SIDE || y > SIDE ? WALL : board[x][y];
    }

    static char other(char player) {
        return player == BLACK ? WHITE : BLACK;
    }

    /** The 11 cells through (x,y) in one direction: all that can matter to a stone there, in the CENTRE. */
    static char[] line(int x, int y, int[] direction) {
        char[] line = new char[LINE];
        for (int i = 0; i < LINE; i++)
            line[i] = at(x + (i - CENTRE) * direction[0], y + (i - CENTRE) * direction[1]);
        return line;
    }

    /** How many of the `n` cells from `start` on are `wanted`. */
    static int count(char[] line, int start, int n, char wanted) {
        int sum = 0;
        for (int i = start; i < start + n; i++) if (line[i] == wanted) sum++;
        return sum;
    }

    // ---- Rules ---------------------------------------------------------------------------------------------------

    /**
     * Whether Black should keep off an empty cell. The full rule looks ahead from every THREE. This one counts all
     * that looks like a FOUR or a THREE, so that it never plays a forbidden move, but refuses some that are allowed.
     */
    static boolean mayBeForbidden(int x, int y) {
        boolean overline = false;
        int fours = 0, threes = 0;
        for (int[] direction : DIRECTIONS) {
            char[] line = line(x, y, direction);
            line[CENTRE] = BLACK;
            int row = 1;
            for (int i = CENTRE - 1; i >= 0 && line[i] == BLACK; i--) row++;
            for (int i = CENTRE + 1; i < LINE && line[i] == BLACK; i++) row++;
            if (row == 5) return false; // a FIVE wins, whatever else it makes
            overline |= row > 5;
            // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
            boolean four = false, three = false;
            for (int i = 1; i <= 5; i++) four |= count(line, i, 5, BLACK) == 4 && count(line, i, 5, EMPTY) == 1;
            if (four) fours += count(line, 1, 9, BLACK) >= 5 ? 2 : 1;
            // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
            for (int i = 2; i <= 5; i++)
                three |= count(line, i, 4, BLACK) == 3 && count(line, i, 4, EMPTY) == 1
                        && line[i - 1] == EMPTY && line[i + 4] == EMPTY;
            if (three) threes++;
        }
        return overline || fours >= 2 || threes >= 2;
    }

    /** Whether a cell is legal for certain: empty, within the opening's bounds, and not forbidden. */
    static boolean mayPlay(char me, int x, int y, int movesPlayed) {
        int reach = movesPlayed < 3 ? movesPlayed : SIDE; // (8,8), then one cell around it, then two
        boolean near = Math.abs(x - 8) <= reach && Math.abs(y - 8) <= reach;
        return board[x][y] == EMPTY && near && !(me == BLACK && mayBeForbidden(x, y));
    }

    // ---- Choice --------------------------------------------------------------------------------------------------
    // Every five neighbouring cells are worth something to a player alone there, the more the more stones it has:
    // ATTACK is for a player's own, DEFEND for blocking the other's. Four stones decide; then comes an open three,
    // which is three stones in two such rows at once.

    static final int[] ATTACK = {1, 6, 50, 1500, 1_000_000};
    static final int[] DEFEND = {0, 5, 40, 1000, 50_000};

    static int worth(char me, int x, int y) {
        int sum = 0;
        for (int[] direction : DIRECTIONS) {
            char[] line = line(x, y, direction);
            for (int i = 1; i <= 5; i++) {
                if (count(line, i, 5, WALL) > 0) continue;
                int own = count(line, i, 5, me), foe = count(line, i, 5, other(me));
                if (foe == 0) sum += ATTACK[own];
                else if (own == 0) sum += DEFEND[foe];
            }
        }
        return sum;
    }

    /** The cell to play, or a PASS when none is sure to be legal. The clock, in milliseconds, is not needed here. */
    static Cell choose(char me, int movesPlayed, int myTime) {
        Cell best = PASS;
        int bestWorth = -1;
        for (int x = 1; x <= SIDE; x++)
            for (int y = 1; y <= SIDE; y++) {
                if (board[x][y] != EMPTY) continue;
                int value = worth(me, x, y);
                if (value > bestWorth && mayPlay(me, x, y, movesPlayed)) {
                    bestWorth = value;
                    best = new Cell(x, y);
                }
            }
        return best;
    }

    // ---- Protocol: one command a line; a PASS is -1 -1 -------------------------------------------------------------

    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (char[] row : board) Arrays.fill(row, EMPTY);
        char me = BLACK;
        int movesPlayed = 0;
        for (String text = input.readLine(); text != null; text = input.readLine()) {
            String[] words = text.trim().split(" +");
            if (words[0].equals("READY")) {
                me = words[1].equals("FIRST") ? BLACK : WHITE;
                System.out.println("OK");
            } else if (words[0].equals("TURN")) {
                Cell c = choose(me, movesPlayed++, Integer.parseInt(words[1]));
                if (c != PASS) board[c.x][c.y] = me;
                System.out.println("MOVE " + c.x + " " + c.y);
            } else if (words[0].equals("OPP")) {
                int x = Integer.parseInt(words[1]), y = Integer.parseInt(words[2]);
                if (x > 0) board[x][y] = other(me);
                movesPlayed++;
            } else if (words[0].equals("OPENING")) { // a move made for us before READY
                int x = Integer.parseInt(words[1]), y = Integer.parseInt(words[2]);
                if (x > 0) board[x][y] = movesPlayed % 2 == 0 ? BLACK : WHITE;
                movesPlayed++;
            } else if (words[0].equals("FINISH")) {
                if (System.getenv("AGON_STAY") == null) break;
                // The same program plays the next game, too.
                movesPlayed = 0;
                for (char[] row : board) Arrays.fill(row, EMPTY);
            }
            System.out.flush(); // or the judge waits for an answer that never leaves this process
        }
    }
}
