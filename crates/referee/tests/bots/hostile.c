/* A program that attacks its judge in one chosen way: hostile ATTACK [THEN].
 *
 * It plays Bacteria War when it is told READY, and the petri dish when it is told BEGIN or shown a dish. The attack
 * begins at READY, or when it is shown its first dish. THEN is what it does when it is to move:
 *
 *   play    moves, and ends at FINISH (the default)     hang    sleeps for ever
 *   stay    moves, and does not end at FINISH           spin    computes for ever
 *   die     ends with code 3                            loop    petri: stays alive; `loop hang`, `loop spin` as above
 *
 * On its standard error it says `attack NAME begins`, `left PID` for each process that may survive, and `attack NAME
 * done`, or `attack NAME refused: WHY` where the system does not let it. Before it hangs or spins it makes a file with
 * its own name and `.turn`. All its processes end by themselves after a minute, and a chain of processes ends when this
 * program's file is gone.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIFE = 60, MIB = 1 << 20 };

static const char *attack = "well", *then = "play";
static char self[4096];

static void say(const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (write(2, text, length) < 0) _exit(99);
}

static void left(pid_t pid) { say("left %d\n", pid); }

/* The attack cannot be made here: the test sees that from this line. */
static void refused(const char *why) {
    say("attack %s refused: %s: %s\n", attack, why, strerror(errno));
}

static void fail(const char *why) {
    refused(why);
    _exit(98);
}

static void sit(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    alarm(LIFE);
    for (;;) pause();
}

static void spin(void) {
    for (volatile unsigned long count = 0;; count++) {}
}

/* A child that has this process as its parent; 0 in the child. */
static pid_t offspring(void) {
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) alarm(LIFE);
    return pid;
}

/* ---- memory ---- */

/* Touches every page. */
static void touch(char *block, size_t size) {
    for (size_t at = 0; at < size; at += 4096) block[at] = 1;
}

static void *pages(size_t size, int flags, int file) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);
    if (block == MAP_FAILED) fail("mmap");
    return block;
}

static void write_all(int file, size_t megabytes) {
    static char block[MIB];
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < megabytes; i++) {
        for (size_t at = 0; at < sizeof block;) {
            ssize_t written = write(file, block + at, sizeof block - at);
            if (written <= 0) {
                if (errno == EAGAIN) break;
                fail("write");
            }
            at += written;
        }
    }
}

static int shm_file(char *name) {
    const char *slash = strrchr(self, '/');
    sprintf(name, "/dev/shm/%.100s-%d", slash ? slash + 1 : self, getpid());
    int file = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0) fail(name);
    return file;
}

static void many_files(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Fills the buffers of pairs of sockets until they hold so much. */
static void fill_sockets(size_t megabytes) {
    static char block[64 << 10];
    many_files();
    for (size_t held = 0; held < megabytes * MIB;) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) fail("socketpair");
        for (int end = 0; end < 2; end++)
            for (ssize_t sent; (sent = write(pair[end], block, sizeof block)) > 0;) held += sent;
    }
}

static void fill_pipes(size_t megabytes) {
    many_files();
    for (size_t held = 0; held < megabytes * MIB;) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK)) fail("pipe");
        /* Refused to others than root beyond a few; they then stay as large as they are. */
        fcntl(ends[1], F_SETPIPE_SZ, MIB);
        size_t size = fcntl(ends[1], F_GETPIPE_SZ);
        static char block[MIB];
        ssize_t written = write(ends[1], block, size);
        if (written <= 0) fail("fill a pipe");
        held += written;
    }
}

/* Uses so much memory of this kind. */
static void eat(const char *kind, size_t megabytes) {
    size_t size = megabytes * MIB;
    char name[160];
    if (!strcmp(kind, "private")) {
        touch(pages(size, MAP_PRIVATE | MAP_ANONYMOUS, -1), size);
    } else if (!strcmp(kind, "shared")) {
        touch(pages(size, MAP_SHARED | MAP_ANONYMOUS, -1), size);
    } else if (!strcmp(kind, "memfd")) {
        int file = memfd_create("memory", 0);
        if (file < 0) fail("memfd_create");
        write_all(file, megabytes);
    } else if (!strcmp(kind, "mapped-memfd")) {
        int file = memfd_create("memory", 0);
        if (file < 0 || ftruncate(file, size)) fail("memfd_create");
        touch(pages(size, MAP_SHARED, file), size);
        close(file);
    } else if (!strcmp(kind, "shm-open")) {
        write_all(shm_file(name), megabytes);
    } else if (!strcmp(kind, "shm-unlinked")) {
        int file = shm_file(name);
        unlink(name);
        write_all(file, megabytes);
    } else if (!strcmp(kind, "shm-closed")) {
        int file = shm_file(name);
        write_all(file, megabytes);
        close(file);
    } else if (!strcmp(kind, "sysv")) {
        int id = shmget(IPC_PRIVATE, size, IPC_CREAT | 0600);
        char *block = shmat(id, NULL, 0);
        shmctl(id, IPC_RMID, NULL);
        if (block == (void *)-1) fail("shmat");
        touch(block, size);
    } else if (!strcmp(kind, "sockets")) {
        fill_sockets(megabytes);
    } else if (!strcmp(kind, "pipes")) {
        fill_pipes(megabytes);
    } else {
        errno = EINVAL;
        fail(kind);
    }
    say("ate %zu MiB of %s\n", megabytes, kind);
}

/* ---- processes that are found ---- */

/* The pid of another process of this program whose attack is this, within two seconds. */
static pid_t find(const char *wanted) {
    for (int attempt = 0; attempt < 200; attempt++, usleep(10000)) {
        DIR *folder = opendir("/proc");
        for (struct dirent *entry; (entry = readdir(folder));) {
            pid_t pid = atoi(entry->d_name);
            char path[64], line[8192];
            if (pid <= 0 || pid == getpid()) continue;
            sprintf(path, "/proc/%d/cmdline", pid);
            int file = open(path, O_RDONLY);
            ssize_t length = file < 0 ? 0 : read(file, line, sizeof line - 1);
            close(file);
            if (length <= 0) continue;
            line[length] = 0;
            size_t first = strlen(line) + 1;
            if (!strcmp(line, self) && first < (size_t)length && !strcmp(line + first, wanted)) {
                closedir(folder);
                return pid;
            }
        }
        closedir(folder);
    }
    errno = ESRCH;
    fail(wanted);
    return 0;
}

/* ---- attacks ---- */

/* Runs this program as something else, with this environment. */
static void become(const char *what, const char *argument, char **environment) {
    char *words[] = {self, (char *)what, (char *)argument, NULL};
    execve(self, words, environment);
    _exit(97);
}

/* An orphan in a session of its own. 0 in it, which must not return; its pid is said. */
static pid_t orphan(void) {
    int ends[2];
    pid_t pid = 0;
    if (pipe2(ends, O_CLOEXEC)) fail("pipe");
    pid_t child = offspring();
    if (child == 0) {
        setsid();
        if (offspring()) _exit(0);
        pid = getpid();
        /* In a process namespace of its own it would say another number; none of the callers makes one. */
        if (write(ends[1], &pid, sizeof pid) < 0) _exit(96);
        return 0;
    }
    waitpid(child, NULL, 0);
    if (read(ends[0], &pid, sizeof pid) != sizeof pid) fail("orphan");
    close(ends[0]);
    close(ends[1]);
    left(pid);
    return pid;
}

static void leave_group(void) {
    pid_t child = offspring();
    if (child == 0) {
        setpgid(0, 0);
        sit();
    }
    setpgid(child, child);
    left(child);
    if (setpgid(0, child)) fail("setpgid");
}

/* A process that traces another, and never waits for it. It holds what it traces as a zombie. */
static void trace(pid_t wanted, bool daemon, long options) {
    int ends[2], result = 0;
    if (pipe(ends)) fail("pipe");
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    pid_t child = daemon ? orphan() : offspring();
    if (child == 0) {
        setsid();
        if (ptrace(PTRACE_SEIZE, wanted, 0, options)) result = errno;
        if (write(ends[1], &result, sizeof result) < 0) _exit(95);
        sit();
    }
    if (!daemon) left(child);
    if (read(ends[0], &result, sizeof result) != sizeof result) fail("tracer");
    close(ends[0]);
    close(ends[1]);
    errno = result;
    if (result) refused("PTRACE_SEIZE");
}

static void *flood(void *stream) {
    static char block[64][4096];
    struct iovec parts[64];
    for (int i = 0; i < 64; i++) {
        memset(block[i], 'x', sizeof block[i]);
        /* The judge keeps only the end of this stream, so every page tells. */
        if ((long)stream == 2) memcpy(block[i], "\nattack flood done\n", 19);
        parts[i] = (struct iovec){block[i], sizeof block[i]};
    }
    for (;;) {
        if (vmsplice((long)stream, parts, 64, 0) < 0 && errno != EAGAIN) return NULL;
    }
}

static void threads(int count, void *(*run)(void *), void *argument) {
    for (int i = 0; i < count; i++) {
        pthread_t thread;
        if ((errno = pthread_create(&thread, NULL, run, argument))) fail("pthread_create");
    }
}

static void *sibling(void *megabytes) {
    pid_t pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid < 0) fail("clone");
    if (pid == 0) {
        alarm(LIFE);
        setsid();
        if (megabytes) eat("private", (long)megabytes);
        sit();
    }
    left(pid);
    return NULL;
}

static void join(void *(*run)(void *)) {
    pthread_t thread;
    if ((errno = pthread_create(&thread, NULL, run, NULL))) fail("pthread_create");
    pthread_join(thread, NULL);
}

/* One link of a chain: it starts the next one and ends. */
static void link_of_chain(bool exec) {
    static char *nothing[] = {NULL};
    for (;;) {
        if (access(self, F_OK)) _exit(0);
        pid_t pid = fork();
        if (pid > 0) _exit(0);
        if (pid < 0) usleep(1000);
        if (pid == 0 && exec) become("link", NULL, nothing);
    }
}

static void chain(int count, bool exec) {
    for (int i = 0; i < count; i++) {
        if (fork() == 0) {
            setsid();
            link_of_chain(exec);
        }
    }
}

/* A daemon with the environment of the opponent. */
static void masquerade(const char *whose, const char *what, const char *argument) {
    static char text[64 << 10];
    static char *variables[1024];
    char path[64];
    sprintf(path, "/proc/%d/environ", find(whose));
    int file = open(path, O_RDONLY);
    if (file < 0) return refused("environ");
    ssize_t length = read(file, text, sizeof text - 1), count = 0;
    for (char *at = text; at < text + length && count < 1023; at += strlen(at) + 1) variables[count++] = at;
    if (orphan() == 0) become(what, argument, variables);
}

/* A child that runs in this process's memory for a while: that is no more memory. */
static int borrow(void *unused) {
    (void)unused;
    usleep(400000);
    return 0;
}

static void share_memory(int flags) {
    static char stack[64 << 10];
    int pid = clone(borrow, stack + sizeof stack, CLONE_VM | SIGCHLD | flags, NULL);
    if (pid < 0) fail("clone");
    waitpid(pid, NULL, 0);
}

/* Processes in a process namespace of their own, the first of which is its init. */
static void namespace(void) {
    if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID)) return refused("unshare");
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        setsid();
        for (int i = 0; i < 3; i++)
            if (offspring() == 0) sit();
        sit();
    }
    left(child);
}

/* Leaves the control group of memory, where there is one and the system allows it. */
static void leave_cgroup(void) {
    char line[4096], place[8192];
    bool done = false;
    FILE *file = fopen("/proc/self/cgroup", "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path || !path[1]) continue;
        *path++ = 0;
        bool memory = !strcmp(controllers + 1, "memory");
        if (!memory && controllers[1]) continue;
        sprintf(place, "/sys/fs/cgroup%s%s/../cgroup.procs", memory ? "/memory" : "", path);
        int procs = open(place, O_WRONLY);
        done |= procs >= 0 && write(procs, "0", 1) == 1;
        close(procs);
    }
    if (file) fclose(file);
    if (!done) refused("cgroup.procs");
}

/* Does this to the process above, unless that is the judge itself. */
static void against_parent(int signal) {
    const char *judge = getenv("HOSTILE_JUDGE");
    errno = EPERM;
    if (!judge || getppid() == atoi(judge) || getppid() <= 1) return refused("the parent is the judge");
    say("attack %s done\n", attack);
    kill(getppid(), signal);
}

static void daemonise(void) {
    static char *nothing[] = {NULL};
    if (orphan() == 0) become("sit", NULL, nothing);
}

static bool starts_with(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

static void begin(void) {
    say("attack %s begins\n", attack);
    const char *kind = strchr(attack, ':');
    kind = kind ? kind + 1 : "private";
    if (!strcmp(attack, "well") || !strcmp(attack, "slow")) {
    } else if (!strcmp(attack, "leave-group")) {
        leave_group();
    } else if (!strcmp(attack, "tracer-child")) {
        trace(getpid(), false, 0);
    } else if (!strcmp(attack, "tracer-at-exit")) {
        trace(getpid(), false, PTRACE_O_TRACEEXIT);
    } else if (!strcmp(attack, "tracer-daemon")) {
        trace(getpid(), true, 0);
    } else if (!strcmp(attack, "trace-opponent")) {
        trace(find("well"), true, 0);
    } else if (!strcmp(attack, "trace-parent")) {
        trace(getppid(), true, 0);
    } else if (!strcmp(attack, "stop-parent")) {
        against_parent(SIGSTOP);
    } else if (!strcmp(attack, "kill-parent")) {
        against_parent(SIGKILL);
    } else if (!strcmp(attack, "flood-errors")) {
        threads(16, flood, (void *)2L);
    } else if (!strcmp(attack, "flood-output")) {
        for (int i = 0; i < 16; i++)
            if (offspring() == 0) {
                setsid();
                /* Silent until this program has ended. */
                for (pid_t parent = getppid(); getppid() == parent;) usleep(1000);
                flood((void *)1L);
                sit();
            }
    } else if (starts_with(attack, "sibling:")) {
        sibling((void *)atol(kind));
    } else if (!strcmp(attack, "sibling")) {
        sibling(NULL);
    } else if (!strcmp(attack, "sibling-of-thread")) {
        join(sibling);
    } else if (starts_with(attack, "exec-chain:")) {
        chain(atoi(kind), true);
    } else if (starts_with(attack, "fork-chain:")) {
        chain(atoi(kind), false);
    } else if (!strcmp(attack, "daemon")) {
        daemonise();
    } else if (!strcmp(attack, "own-subreaper")) {
        if (prctl(PR_SET_CHILD_SUBREAPER, 1)) fail("prctl");
        for (int i = 0; i < 8; i++) daemonise();
    } else if (starts_with(attack, "masquerade:")) {
        masquerade(kind, "sit", NULL);
    } else if (!strcmp(attack, "frame")) {
        masquerade("well", "eat-and-sit", NULL);
    } else if (!strcmp(attack, "namespace")) {
        namespace();
    } else if (!strcmp(attack, "leave-cgroup")) {
        daemonise();
        leave_cgroup();
    } else if (starts_with(attack, "vfork") || starts_with(attack, "clone-vm")) {
        eat("private", 77);
        share_memory(*attack == 'v' ? CLONE_VFORK : 0);
    } else if (starts_with(attack, "small")) {
        eat("private", 40);
    } else if (starts_with(attack, "litter")) {
        eat("shm-closed", 100);
    } else if (starts_with(attack, "eat:")) {
        eat(kind, 300);
        sleep(2);
    } else if (starts_with(attack, "much:")) {
        eat(kind, 1300);
    } else if (starts_with(attack, "daemon-eats:")) {
        if (orphan() == 0) {
            eat(kind, 300);
            sit();
        }
        sleep(2);
    } else if (starts_with(attack, "sibling-eats")) {
        sibling((void *)300L);
        sleep(2);
    } else if (starts_with(attack, "children-eat")) {
        for (int i = 0; i < 10; i++)
            if (offspring() == 0) {
                eat("private", 30);
                sit();
            }
        sleep(2);
    } else if (starts_with(attack, "undumpable-child-eats")) {
        if (offspring() == 0) {
            prctl(PR_SET_DUMPABLE, 0);
            eat(kind, 300);
            sit();
        }
        sleep(2);
    } else if (starts_with(attack, "namespace-eats")) {
        namespace();
        if (fork() == 0) {
            eat("private", 300);
            sit();
        }
        sleep(2);
    } else if (!strcmp(attack, "leaderless")) {
        /* Done before. */
    } else if (!strcmp(attack, "leaderless-eats")) {
        eat("private", 300);
        sleep(2);
    } else {
        errno = EINVAL;
        fail(attack);
    }
    say("attack %s done\n", attack);
}

/* What it does where it is to move. Returns when it moves. */
static void on_turn(void) {
    if (strstr(then, "hang") || strstr(then, "spin")) {
        char name[5000];
        sprintf(name, "%s.turn", self);
        close(open(name, O_WRONLY | O_CREAT, 0600));
    }
    if (strstr(then, "hang")) sit();
    if (strstr(then, "spin")) spin();
    if (strstr(then, "die")) _exit(3);
    if (!strcmp(attack, "slow")) usleep(200000);
}

/* ---- the games ---- */

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
    if (starts_with(attack, "leaderless")) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, NULL)) fail("pthread_create");
        syscall(SYS_exit, 0);
    }
    serve(NULL);
}
