import java.util.Scanner;
public class Main {
    static int choose(int[] free) {
        return free[9];
    }
    public static void main(String[] words) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String line = in.nextLine();
            if (line.startsWith("R")) System.out.println("OK");
            if (line.startsWith("T")) choose(new int[0]);
        }
    }
}
