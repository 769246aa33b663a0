import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.*;
import java.util.*;

/** Attacks in Java: Attacks NAME [KEY@VALUE]... plays Bacteria War, and says what it reached as main.c tells. */
public final class Attacks {
    static final String MARK = "agon-escape-";
    static final Map<String, String> TOLD = new HashMap<>();

    interface Action { void run() throws Exception; }

    static synchronized void say(String kind, String text) {
        System.err.print(kind + " " + text + "\n");
        System.err.flush();
    }

    /** Does what must fail. */
    static void attempt(String what, Action action) {
        try {
            action.run();
            say("reached", what);
        } catch (Exception | Error error) {
            say("held", what + ": " + error);
        }
    }

    // ---- Attacks ----------------------------------------------------------------------------------------------------

    static void daemon() throws Exception {
        try {
            Process child = new ProcessBuilder("sh", "-c", "(sleep 30 &) & setsid sleep 30 & exit 0").redirectErrorStream(true).start();
            say("held", "process " + child.pid());
        } catch (IOException error) {
            say("held", "process: " + error);
        }
    }

    static void files() {
        for (String key : List.of("secret", "source", "cached", "db"))
            attempt(TOLD.get(key), () -> Files.readAllBytes(Path.of(TOLD.get(key))));
        attempt("/etc/shadow", () -> Files.readAllBytes(Path.of("/etc/shadow")));
        attempt("deleting the database", () -> Files.delete(Path.of(TOLD.get("db"))));
        try {
            // Its own folder may be laid over that one, and what it writes there be forgotten: the driver looks.
            Files.writeString(Path.of(TOLD.get("db")), "poison");
        } catch (IOException error) {
            say("held", "a new database: " + error);
        }
        attempt("the environment of the judge", () -> Files.readAllBytes(Path.of("/proc/" + TOLD.get("judge") + "/environ")));
    }

    static void sockets() {
        int port = Integer.parseInt(TOLD.get("tcp"));
        attempt("a listener of the judge's machine", () -> new Socket("127.0.0.1", port).close());
        attempt("the same by NIO", () -> SocketChannel.open(new InetSocketAddress("127.0.0.1", port)).close());
        attempt("a listener", () -> new ServerSocket(0).close());
        attempt("a datagram", () -> new DatagramSocket().close());
        attempt("a socket in the file system", () -> SocketChannel.open(UnixDomainSocketAddress.of(TOLD.get("socket"))).close());
    }

    static void memory() throws Exception {
        List<ByteBuffer> blocks = new ArrayList<>();
        // Outside of the heap, whose size the judge sets.
        for (int i = 0; i < 100; i++) {
            ByteBuffer block = ByteBuffer.allocateDirect(16 << 20);
            for (int at = 0; at < block.capacity(); at += 4096) block.put(at, (byte) 1);
            blocks.add(block);
        }
        Thread.sleep(5000);
        say("reached", blocks.size() * 16 + " MiB, and lives");
    }

    static void threads() {
        int count = 0;
        try {
            for (; count < 300; count++) {
                Thread thread = new Thread(null, () -> {
                    try {
                        Thread.sleep(30000);
                    } catch (InterruptedException end) {
                        return;
                    }
                }, "sitter", 64 << 10);
                thread.setDaemon(true);
                thread.start();
            }
            say("reached", count + " threads");
        } catch (OutOfMemoryError error) {
            say("held", "after " + count + " threads: " + error.getMessage());
        }
    }

    /** The files by which the JVMs of a user find each other. */
    static void state() {
        List<Path> paths = new ArrayList<>();
        for (String folder : List.of("/tmp", System.getProperty("user.home"), System.getProperty("user.dir"), "/dev/shm"))
            paths.add(Path.of(folder, MARK + "java"));
        for (Path path : paths)
            if (Files.exists(path)) say("reached", path.toString());
        for (Path path : paths) {
            try {
                Files.writeString(path, "x");
            } catch (IOException error) {
                say("held", path + ": " + error);
            }
        }
        long own = ProcessHandle.current().pid();
        File[] users = new File("/tmp").listFiles((folder, name) -> name.startsWith("hsperfdata_"));
        for (File user : users == null ? new File[0] : users)
            for (String pid : user.list() == null ? new String[0] : user.list())
                if (!pid.equals(Long.toString(own))) say("reached", "the JVM " + pid);
    }

    // ---- Bacteria War -----------------------------------------------------------------------------------------------

    static final char[][] board = new char[7][7];
    static char mine = 'O', theirs = 'X';

    static void moveAs(char who, int[] m) {
        if (m[0] < 0) return;
        if (Math.abs(m[0] - m[2]) == 2 || Math.abs(m[1] - m[3]) == 2) board[m[0]][m[1]] = '.';
        board[m[2]][m[3]] = who;
        for (int x = Math.max(0, m[2] - 1); x <= Math.min(6, m[2] + 1); x++)
            for (int y = Math.max(0, m[3] - 1); y <= Math.min(6, m[3] + 1); y++)
                if (board[x][y] != '.') board[x][y] = who;
    }

    static int[] choose() {
        for (int distance = 1; distance <= 2; distance++)
            for (int at = 0; at < 7 * 7 * 7 * 7; at++) {
                int x1 = at / 343, y1 = at / 49 % 7, x2 = at / 7 % 7, y2 = at % 7;
                if (board[x1][y1] == mine && board[x2][y2] == '.'
                    && Math.max(Math.abs(x1 - x2), Math.abs(y1 - y2)) == distance) return new int[] {x1, y1, x2, y2};
            }
        return new int[] {-2, -2, -2, -2};
    }

    static void attack(String name) throws Exception {
        say("started", name);
        switch (name) {
            case "java-daemon" -> daemon();
            case "java-files" -> files();
            case "java-sockets" -> sockets();
            case "java-memory" -> memory();
            case "java-threads" -> threads();
            case "java-state" -> state();
            default -> throw new IllegalArgumentException(name);
        }
        say("ended", name);
    }

    public static void main(String[] arguments) throws Exception {
        if (!Files.readString(Path.of("/proc/self/status")).contains("NoNewPrivs:\t1")) {
            say("failed", "there is no jail around this process");
            System.exit(98);
        }
        for (String word : arguments)
            if (word.contains("@")) TOLD.put(word.split("@", 2)[0], word.split("@", 2)[1]);
        boolean attacked = false;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            switch (words[0]) {
                case "READY" -> {
                    for (char[] row : board) Arrays.fill(row, '.');
                    board[0][0] = board[6][6] = 'O';
                    board[0][6] = board[6][0] = 'X';
                    if (words[1].equals("SECOND")) {
                        mine = 'X';
                        theirs = 'O';
                    }
                    System.out.println("OK");
                }
                case "OPP" -> {
                    int[] m = new int[4];
                    for (int i = 0; i < 4; i++) m[i] = Integer.parseInt(words[i + 1]) - 1;
                    moveAs(theirs, m);
                }
                case "TURN" -> {
                    if (!attacked) attack(arguments[0]);
                    attacked = true;
                    int[] m = choose();
                    moveAs(mine, m);
                    System.out.printf("MOVE %d %d %d %d%n", m[0] + 1, m[1] + 1, m[2] + 1, m[3] + 1);
                }
                case "FINISH" -> System.exit(0);
                default -> { }
            }
        }
    }
}
