/* The attacks. */
#include "hostile.h"

#include <dirent.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

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
    /* A signal that came to a traced process would stop it for ever: the end of who started the daemon. */
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
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

void threads(int count, void *(*run)(void *), void *argument) {
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
void link_of_chain(bool exec) {
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

/* Processes each of which has one child. */
static void nest(int depth) {
    if (depth == 0) return;
    pid_t child = offspring();
    if (child == 0) {
        setsid();
        nest(depth - 1);
        sit();
    }
    if (depth % 50 == 0) left(child);
}

/* Orphans that end at once, and whom nobody but the judge's own can wait for. */
static void dying_orphans(int count) {
    for (int i = 0; i < count; i++) {
        pid_t child = offspring();
        if (child == 0) {
            for (int j = 0; j < 10; j++)
                if (fork() == 0) _exit(0);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

void *exec_elsewhere(void *unused) {
    (void)unused;
    char *words[] = {self, "well", (char *)then, NULL};
    say("attack %s done\n", attack);
    execv(self, words);
    _exit(97);
}



void begin(void) {
    say("attack %s begins\n", attack);
    count_eaters();
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
        sleep(2);
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
    } else if (starts_with(attack, "nest:")) {
        nest(atoi(kind));
    } else if (starts_with(attack, "wide:")) {
        for (int i = atoi(kind); i; i--)
            if (offspring() == 0) sit();
    } else if (!strcmp(attack, "dying-orphans")) {
        dying_orphans(200);
    } else if (!strcmp(attack, "traceme")) {
        /* Its parent now traces it, and hears of every signal to it. */
        if (ptrace(PTRACE_TRACEME, 0, 0, 0)) refused("PTRACE_TRACEME");
    } else if (!strcmp(attack, "join-group-of-parent")) {
        if (setpgid(0, getpgid(getppid()))) refused("setpgid");
    } else if (!strcmp(attack, "vfork-hang")) {
        say("attack %s done\n", attack);
        if (vfork() == 0)
            for (;;) pause();
    } else if (!strcmp(attack, "page-cache")) {
        read_much(400);
    } else if (!strcmp(attack, "eat-in-flight")) {
        eat_in_flight(300);
        sleep(2);
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
        await_eaters(1);
    } else if (starts_with(attack, "sibling-eats")) {
        sibling((void *)300L);
        await_eaters(1);
    } else if (starts_with(attack, "children-eat")) {
        for (int i = 0; i < 10; i++)
            if (offspring() == 0) {
                eat("private", 30);
                sit();
            }
        await_eaters(10);
    } else if (starts_with(attack, "undumpable-child-eats")) {
        errno = EPERM;
        if (geteuid() && strcmp(kind, "private")) refused("without a control group an ordinary user sees nothing of it");
        if (offspring() == 0) {
            prctl(PR_SET_DUMPABLE, 0);
            eat(kind, 300);
            sit();
        }
        await_eaters(1);
    } else if (starts_with(attack, "namespace-eats")) {
        namespace();
        if (fork() == 0) {
            eat("private", 300);
            sit();
        }
        await_eaters(1);
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
