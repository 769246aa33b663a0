import java.util.Scanner;

public class Bot {
    public static void main(String[] words) {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            String line = lines.nextLine();
            if (line.startsWith("READY")) System.out.println("OK");
            if (line.startsWith("TURN")) System.out.println("MOVE -1 -1");
            if (line.startsWith("FINISH")) return;
        }
    }
}
