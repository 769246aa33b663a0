// Battle for the Petri Dish: a sample species in Java. Replace `choose` by your own idea.
//
// The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.
//
// Build: javac sample.java
// Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | java Main        (Java 17)
import java.io.IOException;

class Main {
    static final int HP = 5, ENERGY = 7, ACIDITY = 0; // must add up to 12
    static final char ENEMY = 'x', EMPTY = '.', CORPSE = 'c', WALL = '#';

    enum Direction {
        N(0, -1), NE(1, -1), E(1, 0), SE(1, 1), S(0, 1), SW(-1, 1), W(-1, 0), NW(-1, -1);

        final int dx, dy;

        Direction(int dx, int dy) {
            this.dx = dx;
            this.dy = dy;
        }
    }

    /** The squares, row by row; x goes right and y down, from 0. */
    record Dish(int width, int height, String[] rows) {
        /** What is on a square, outside the dish included. */
        char look(int x, int y) {
            return x < 0 || y < 0 || x >= width || y >= height ? WALL : rows[y].charAt(x);
        }

        boolean isFree(int x, int y) {
            return look(x, y) == EMPTY || look(x, y) == CORPSE;
        }

        /** How many neighbours of a square hold no living cell. */
        int room(int x, int y) {
            int sum = 0;
            for (Direction d : Direction.values()) if (isFree(x + d.dx, y + d.dy)) sum++;
            return sum;
        }
    }

    /** What the cell at (x,y) does: multiply first, then eat, then fight, and spread out while waiting for energy. */
    static String choose(Dish dish, int x, int y, int hp, int energy) {
        // The direction of one of each; of all free squares, the one with the most room.
        Direction corpse = null, enemy = null, space = null;
        int mostRoom = -1;
        for (Direction d : Direction.values()) {
            char seen = dish.look(x + d.dx, y + d.dy);
            if (seen == CORPSE && corpse == null) corpse = d;
            if (seen == ENEMY && enemy == null) enemy = d;
            if (dish.isFree(x + d.dx, y + d.dy) && dish.room(x + d.dx, y + d.dy) > mostRoom) {
                space = d;
                mostRoom = dish.room(x + d.dx, y + d.dy);
            }
        }

        if (space != null && energy >= 5) return "DIVIDE " + space;
        if (corpse != null && energy <= ENERGY - 2) return "EAT " + corpse; // hungry
        if (enemy != null && energy >= 1) return "ATTACK " + enemy + " " + Math.min(energy, 3);
        if (space != null && energy >= 1 && mostRoom >= dish.room(x, y) + 3) return "MOVE " + space; // crowded here
        return "REST";
    }

    public static void main(String[] arguments) throws IOException {
        String[] words = new String(System.in.readAllBytes()).trim().split("\\s+");
        if (words[0].equals("BEGIN")) {
            System.out.println(HP + " " + ENERGY + " " + ACIDITY);
        } else if (!words[0].isEmpty()) {
            int width = Integer.parseInt(words[0]), height = Integer.parseInt(words[1]);
            Dish dish = new Dish(width, height, java.util.Arrays.copyOfRange(words, 2, 2 + height));
            int[] cell = new int[4]; // x, y, hp, energy
            for (int i = 0; i < 4; i++) cell[i] = Integer.parseInt(words[2 + height + i]);
            System.out.println(choose(dish, cell[0], cell[1], cell[2], cell[3]));
        }
    }
}
