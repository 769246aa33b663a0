/* A program that tries to get out of the jail in one chosen way: attacks NAME [KEY@VALUE]...
 *
 * It plays Bacteria War by the protocol of the judge, in the simplest legal way, to the end of the game. The attack is made
 * at the first TURN, when the opponent is there too. On its error stream it says
 *
 *   started NAME     the attack begins           reached WHAT     it got somewhere
 *   ended NAME       it has been made to its end held WHAT        it was held
 *
 * `attacks honest` is its opponent, `attacks honest slow` one that takes its time. It says each of its moves (`moved MOVE ...`), so
 * that one which it has not made is known.
 *
 * No attack is made where the process has not given up new privileges for ever, which every jail sees to: this program is
 * harmless when it is started by hand.
 */
#include "attacks.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/wait.h>

char self[4096];

static struct { const char *name; void (*run)(void); } attacks[200];
static int attack_count;
static const char *name = "honest";
static void (*attack)(void);
static char **words;

void enter(const char *its_name, void (*run)(void)) {
    if (attack_count == sizeof attacks / sizeof *attacks) abort();
    attacks[attack_count].name = its_name;
    attacks[attack_count++].run = run;
}

static void say(const char *kind, const char *format, va_list arguments) {
    char text[600];
    int length = snprintf(text, sizeof text, "%s ", kind);
    length += vsnprintf(text + length, sizeof text - length - 1, format, arguments);
    if (length > (int)sizeof text - 2) length = sizeof text - 2;
    text[length++] = '\n';
    if (write(2, text, length) < 0) _exit(99);
}

static void line(const char *kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(kind, format, arguments);
    va_end(arguments);
}

void reached(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("reached", format, arguments);
    va_end(arguments);
}

void held(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("held", format, arguments);
    va_end(arguments);
}

bool attempt(const char *what, long result) {
    int error = errno;
    if (result < 0) held("%s: %s", what, strerror(error));
    else reached("%s", what);
    errno = error;
    return result >= 0;
}

void fail(const char *why) {
    line("failed", "%s: %s", why, strerror(errno));
    _exit(98);
}

const char *given(const char *key) {
    size_t length = strlen(key);
    for (char **word = words; *word; word++)
        if (!strncmp(*word, key, length) && (*word)[length] == '@') return *word + length + 1;
    return NULL;
}

long given_number(const char *key) {
    const char *value = given(key);
    return value ? atol(value) : 0;
}

pid_t judge(void) { return given_number("judge"); }

void sit(void) {
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGALRM);
    sigprocmask(SIG_SETMASK, &all, NULL);
    alarm(LIFE);
    for (;;) pause();
}

pid_t offspring(void) {
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) alarm(LIFE);
    return pid;
}

pid_t orphan(void) {
    pid_t child = offspring();
    if (child == 0) {
        setsid();
        if (offspring()) _exit(0);
        return 0;
    }
    waitpid(child, NULL, 0);
    return child;
}

int apart(void (*run)(void)) {
    int status = 0;
    pid_t child = offspring();
    if (child == 0) {
        run();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

void each_process(void (*run)(pid_t pid)) {
    DIR *folder = opendir("/proc");
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && pid != getpid()) run(pid);
    }
    closedir(folder);
}

/* ---- Bacteria War ----------------------------------------------------------------------------------------------- */

static char board[7][7], mine = 'O', theirs = 'X';

static void start(bool second) {
    memset(board, '.', sizeof board);
    board[0][0] = board[6][6] = 'O';
    board[0][6] = board[6][0] = 'X';
    if (second) mine = 'X', theirs = 'O';
}

static void move_as(char who, const int m[4]) {
    if (m[0] < 0) return;
    if (abs(m[0] - m[2]) == 2 || abs(m[1] - m[3]) == 2) board[m[0]][m[1]] = '.';
    board[m[2]][m[3]] = who;
    for (int x = m[2] - 1; x <= m[2] + 1; x++)
        for (int y = m[3] - 1; y <= m[3] + 1; y++)
            if (x >= 0 && x < 7 && y >= 0 && y < 7 && board[x][y] != '.') board[x][y] = who;
}

/* The first division, else the first leap, else a PASS. */
static void choose(int m[4]) {
    for (int distance = 1; distance <= 2; distance++)
        for (int at = 0; at < 7 * 7 * 7 * 7; at++) {
            int x1 = at / 343, y1 = at / 49 % 7, x2 = at / 7 % 7, y2 = at % 7;
            int rows = abs(x1 - x2), columns = abs(y1 - y2);
            if (board[x1][y1] != mine || board[x2][y2] != '.' || (rows > columns ? rows : columns) != distance) continue;
            memcpy(m, (int[]){x1, y1, x2, y2}, 4 * sizeof(int));
            return;
        }
    memcpy(m, (int[]){-2, -2, -2, -2}, 4 * sizeof(int));
}

static void attack_once(void) {
    static bool begun;
    if (begun || !attack) return;
    begun = true;
    line("started", "%s", name);
    attack();
    line("ended", "%s", name);
}

static void play(void) {
    char text[256];
    int m[4];
    while (fgets(text, sizeof text, stdin)) {
        if (!strncmp(text, "READY", 5)) {
            start(strstr(text, "SECOND"));
            puts("OK");
        } else if (sscanf(text, "OPP %d %d %d %d", m, m + 1, m + 2, m + 3) == 4) {
            for (int i = 0; i < 4; i++) m[i]--;
            move_as(theirs, m);
        } else if (!strncmp(text, "TURN", 4)) {
            attack_once();
            choose(m);
            move_as(mine, m);
            for (int i = 0; i < 4; i++) m[i]++;
            /* As if it thought. */
            if (words[0] && words[1] && !strcmp(words[1], "slow")) usleep(20000);
            if (!attack) line("moved", "MOVE %d %d %d %d", m[0], m[1], m[2], m[3]);
            printf("MOVE %d %d %d %d\n", m[0], m[1], m[2], m[3]);
        } else if (!strncmp(text, "FINISH", 6)) {
            return;
        }
        fflush(stdout);
    }
}

void *play_to_the_end(void *unused) {
    (void)unused;
    play();
    exit(0);
}

int main(int count, char **arguments) {
    strcpy(self, arguments[0]);
    words = arguments + 1;
    if (count > 1) name = arguments[1];
    /* An honest program may think for long; an attack that is stuck must not stay. */
    if (strcmp(name, "honest")) alarm(LIFE);
    signal(SIGPIPE, SIG_IGN);
    if (!strcmp(name, "sit")) sit();
    for (int at = 0; at < attack_count; at++) {
        char own[100];
        strcpy(own, attacks[at].name);
        for (char *c = own; *c; c++)
            if (*c == '_') *c = '-';
        if (!strcmp(own, name)) attack = attacks[at].run;
        if (!strcmp(name, "list")) puts(own);
    }
    if (!strcmp(name, "list")) return 0;
    if (!attack && strcmp(name, "honest")) {
        errno = EINVAL;
        fail(name);
    }
    if (attack && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
        errno = EPERM;
        fail("there is no jail around this process");
    }
    if (!strncmp(name, "leaderless", 10)) {
        /* The first thread ends, and another one plays: /proc shows a dead process. */
        pthread_t thread;
        if ((errno = pthread_create(&thread, NULL, play_to_the_end, NULL))) fail("pthread_create");
        syscall(SYS_exit, 0);
    }
    play();
    return 0;
}
