/* A program that attacks its judge in one chosen way: hostile ATTACK [THEN].
 *
 * It plays Bacteria War when it is told READY, and the petri dish when it is told BEGIN or shown a dish. The attack
 * begins at READY, or when it is shown its first dish. THEN is what it does when it is to move:
 *
 *   play    moves, and ends at FINISH (the default)     hang    sleeps for ever
 *   stay    moves, and does not end at FINISH           spin    computes for ever
 *   die     ends with code 3                            loop    petri: stays alive; `loop hang`, `loop spin` as above
 *
 * On its standard error it says `attack NAME begins`, `left PID START` for each process that may survive, and `attack NAME
 * done`, or `attack NAME refused: WHY` where the system does not let it. Before it hangs or spins it makes a file with
 * its own name and `.turn`. All its processes end by themselves after a minute, and a chain of processes ends when this
 * program's file is gone.
 */
#include "hostile.h"

#include <stdarg.h>

const char *attack = "well", *then = "play";
char self[4096];

void say(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (write(2, text, length) < 0) _exit(99);
}

/* Names a process by its number and the time of its start, since numbers are used again. */
void left(pid_t pid) {
    char name[64], text[1024];
    snprintf(name, sizeof name, "/proc/%d/stat", pid);
    int file = open(name, O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, text, sizeof text - 1);
    if (file >= 0) close(file);
    text[length < 0 ? 0 : length] = 0;
    unsigned long long start = 0;
    const char *rest = strrchr(text, ')');
    if (rest) sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start);
    say("left %d %llu\n", pid, start);
}

/* The attack cannot be made here: the test sees that from this line. */
void refused(const char *why) {
    say("attack %s refused: %s: %s\n", attack, why, strerror(errno));
}

void fail(const char *why) {
    say("attack %s failed: %s: %s\n", attack, why, strerror(errno));
    _exit(98);
}

void sit(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    alarm(LIFE);
    for (;;) pause();
}

/* A child that has this process as its parent; 0 in the child. */
pid_t offspring(void) {
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) alarm(LIFE);
    return pid;
}

bool starts_with(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

static void spin(void) {
    for (volatile unsigned long count = 0;; count++) {}
}

/* What it does where it is to move. Returns when it moves. */
static void on_turn(void) {
    if (strstr(then, "hang") || strstr(then, "spin")) {
        char name[5000];
        sprintf(name, "%s.turn", self);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
    if (strstr(then, "hang")) {
        /* One that is traced stops at any signal. */
        if (!strcmp(attack, "traceme")) raise(SIGUSR1);
        sit();
    }
    if (strstr(then, "spin")) spin();
    if (strstr(then, "die")) _exit(3);
    if (!strcmp(attack, "slow")) usleep(50000);
}

static char board[7][7];

static void move_as(char who, int x1, int y1, int x2, int y2) {
    if (x1 < 0) return;
    if (abs(x1 - x2) == 2 || abs(y1 - y2) == 2) board[x1][y1] = '.';
    board[x2][y2] = who;
    for (int x = x2 - 1; x <= x2 + 1; x++)
        for (int y = y2 - 1; y <= y2 + 1; y++)
            if (x >= 0 && x < 7 && y >= 0 && y < 7 && board[x][y] != '.') board[x][y] = who;
}

static void choose(char who, int move[4]) {
    for (int distance = 1; distance <= 2; distance++)
        for (int x1 = 0; x1 < 7; x1++)
            for (int y1 = 0; y1 < 7; y1++)
                for (int x2 = 0; x2 < 7; x2++)
                    for (int y2 = 0; y2 < 7; y2++) {
                        int far = abs(x1 - x2) > abs(y1 - y2) ? abs(x1 - x2) : abs(y1 - y2);
                        if (board[x1][y1] != who || board[x2][y2] != '.' || far != distance) continue;
                        memcpy(move, (int[]){x1, y1, x2, y2}, 4 * sizeof(int));
                        return;
                    }
    memcpy(move, (int[]){-2, -2, -2, -2}, 4 * sizeof(int));
}

static void play_bacteria(char *line, size_t room) {
    char mine = 'O', theirs = 'X';
    int move[4];
    memset(board, '.', sizeof board);
    board[0][0] = board[6][6] = 'O';
    board[0][6] = board[6][0] = 'X';
    do {
        if (starts_with(line, "READY")) {
            if (strstr(line, "SECOND")) mine = 'X', theirs = 'O';
            begin();
            puts("OK");
        } else if (sscanf(line, "OPP %d %d %d %d", move, move + 1, move + 2, move + 3) == 4) {
            move_as(theirs, move[0] - 1, move[1] - 1, move[2] - 1, move[3] - 1);
        } else if (starts_with(line, "TURN")) {
            on_turn();
            choose(mine, move);
            move_as(mine, move[0], move[1], move[2], move[3]);
            printf("MOVE %d %d %d %d\n", move[0] + 1, move[1] + 1, move[2] + 1, move[3] + 1);
        } else if (starts_with(line, "FINISH")) {
            if (!strcmp(then, "stay")) sit();
            return;
        }
        fflush(stdout);
    } while (fgets(line, room, stdin));
}

static void play_petri(char *line, size_t room) {
    bool stays = starts_with(then, "loop"), begun = false;
    int width, height;
    do {
        if (starts_with(line, "BEGIN")) {
            puts(stays ? "4 8 0 LOOP" : "4 8 0");
        } else if (sscanf(line, "%d %d", &width, &height) == 2) {
            for (int row = 0; row < height + 2; row++)
                if (!fgets(line, room, stdin)) break;
            if (!begun) begin();
            begun = true;
            on_turn();
            puts("REST");
        } else {
            return;
        }
        fflush(stdout);
    } while (stays && fgets(line, room, stdin));
}

static void *serve(void *unused) {
    static char line[1 << 16];
    (void)unused;
    if (!fgets(line, sizeof line, stdin)) return NULL;
    if (starts_with(line, "READY")) {
        play_bacteria(line, sizeof line);
    } else {
        play_petri(line, sizeof line);
    }
    exit(0);
}

int main(int count, char **words) {
    strcpy(self, words[0]);
    if (count > 1) attack = words[1];
    if (count > 2) then = words[2];
    signal(SIGPIPE, SIG_IGN);
    alarm(LIFE);
    if (!strcmp(attack, "link")) link_of_chain(true);
    if (!strcmp(attack, "sit")) sit();
    if (!strcmp(attack, "eat-and-sit")) {
        eat("private", 300);
        sit();
    }
    for (int file = 3; file < 1024; file++)
        if (fcntl(file, F_GETFD) >= 0) fail("a descriptor that is not its own");
    if (starts_with(attack, "leaderless")) {
        threads(1, serve, NULL);
        syscall(SYS_exit, 0);
    }
    if (!strcmp(attack, "exec-from-thread")) {
        threads(1, exec_elsewhere, NULL);
        for (;;) pause();
    }
    serve(NULL);
}
