/* Attacks on other processes: the judge, what it has above the program, and the opponent. */
#include "attacks.h"

#include <sched.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

/* Calls this for the judge, the parent, process 1 where it is not the machine's, and every process that is seen. */
static void each_target(void (*run)(pid_t pid)) {
    run(judge());
    run(getppid());
    each_process(run);
}

/* ---- Signals ---------------------------------------------------------------------------------------------------- */

static int signalled;

/* In a process namespace, 1 is what stands above the program: the kernel takes no notice of what it is sent from within. */
static bool is_above(pid_t pid) { return pid == 1 && getppid() == 1; }

static void probe(pid_t pid) {
    if (is_above(pid) || kill(pid, 0)) return;
    signalled++;
    reached("signals to %d", pid);
}

/* What this signal does to everybody it reaches; it is sent only where nobody is that must not get it. */
static void send_to_all(int number) {
    signalled = 0;
    each_target(probe);
    if (signalled) return;
    held("no process is within reach of signals: %s", strerror(errno));
    kill(-1, number);
    kill(1, number);
    kill(getppid(), number);
    kill(-getppid(), number);
}

ATTACK(kill_everybody) { send_to_all(SIGKILL); }
ATTACK(stop_everybody) { send_to_all(SIGSTOP); }

/* Without /proc: every number that a process may have. */
ATTACK(signal_every_number) {
    for (pid_t pid = 2; pid < 100000; pid++)
        if (pid != getpid() && kill(pid, 0) == 0) reached("signals to %d", pid);
    held("numbers: %s", strerror(errno));
}

/* Signals by ways that are not kill. */
ATTACK(signal_by_other_ways) {
    siginfo_t info = {.si_signo = SIGWINCH, .si_code = SI_QUEUE};
    pid_t targets[] = {judge(), getppid()};
    for (int i = 0; i < 2; i++) {
        pid_t pid = targets[i];
        if (is_above(pid)) continue;
        attempt("tgkill", syscall(SYS_tgkill, pid, pid, 0));
        attempt("tkill", syscall(SYS_tkill, pid, 0));
        attempt("rt_sigqueueinfo", syscall(SYS_rt_sigqueueinfo, pid, SIGWINCH, &info));
        int handle = syscall(SYS_pidfd_open, pid, 0);
        if (handle >= 0) attempt("pidfd_send_signal", syscall(SYS_pidfd_send_signal, handle, 0, NULL, 0));
        else held("pidfd_open: %s", strerror(errno));
    }
}

/* The kernel itself signals the owner of a file when there is something to read. */
ATTACK(signal_by_the_owner_of_a_file) {
    pid_t targets[] = {judge(), getppid()};
    for (int i = 0; i < 2; i++) {
        int ends[2];
        if (pipe(ends)) fail("pipe");
        fcntl(ends[0], F_SETSIG, SIGKILL);
        int owned = fcntl(ends[0], F_SETOWN, targets[i]);
        fcntl(ends[0], F_SETFL, O_ASYNC);
        if (write(ends[1], "x", 1) != 1) fail("write");
        held("F_SETOWN: %s; the judge is there to say whether it came", owned ? strerror(errno) : "done");
    }
}

ATTACK(signal_storm_upwards) {
    if (getppid() != 1 && kill(getppid(), 0) == 0) {
        reached("signals to the parent");
        return;
    }
    for (int i = 0; i < 20000; i++) {
        kill(getppid(), SIGCHLD);
        kill(getppid(), SIGUSR1);
    }
    for (int number = 1; number <= 64; number++) kill(getppid(), number);
    held("the parent lives through signals");
}

ATTACK(join_a_group_outside) {
    /* 0 is the group or session of a process that is not in this namespace. */
    if (getpgrp() == 0 || (getpgrp() != getpid() && kill(getpgrp(), 0) == 0 && getpgrp() != 1)) reached("a group of others");
    pid_t targets[] = {judge(), getppid()};
    for (int i = 0; i < 2; i++) {
        pid_t group = getpgid(targets[i]);
        if (group <= 0) held("getpgid: %s", strerror(errno));
        else if (setpgid(0, group)) held("setpgid: %s", strerror(errno));
        /* A group alone is no harm: what counts is whether its members can be signalled. */
        else if (kill(-group, 0) == 0 && group != getpid() && kill(targets[i], 0) == 0) reached("signals to a group of others");
    }
}

/* ---- Tracing and memory ----------------------------------------------------------------------------------------- */

static void trace(pid_t pid) {
    if (attempt("PTRACE_SEIZE", ptrace(PTRACE_SEIZE, pid, 0, 0))) ptrace(PTRACE_DETACH, pid, 0, 0);
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) reached("PTRACE_ATTACH");
}

ATTACK(trace_everybody) {
    each_target(trace);
    trace(1);
}

ATTACK(trace_me) { attempt("PTRACE_TRACEME", ptrace(PTRACE_TRACEME, 0, 0, 0)); }

static void attach_to_the_parent(void) {
    pid_t parent = getppid();
    if (ptrace(PTRACE_SEIZE, parent, 0, 0) == 0) {
        reached("PTRACE_SEIZE from a daemon");
        sit();
    }
    held("PTRACE_SEIZE: %s", strerror(errno));
}

/* Whoever is traced cannot be waited for by its parent when it has ended. */
ATTACK(trace_by_a_child) {
    if (offspring() == 0) {
        setsid();
        attach_to_the_parent();
        _exit(0);
    }
    wait(NULL);
}

static void peek(pid_t pid) {
    char here[16];
    struct iovec mine = {here, sizeof here}, theirs = {(void *)self, sizeof here};
    attempt("process_vm_readv", process_vm_readv(pid, &mine, 1, &theirs, 1, 0));
    attempt("process_vm_writev", process_vm_writev(pid, &mine, 1, &theirs, 1, 0));
    attempt("kcmp", syscall(SYS_kcmp, getpid(), pid, 0, 0, 0));
    static const char *files[] = {"mem", "maps", "environ", "auxv", "io", "pagemap", "syscall", "stack", "map_files"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[64], text[16];
        sprintf(path, "/proc/%d/%s", pid, files[i]);
        int file = open(path, O_RDONLY);
        if (file < 0) continue;
        /* Some are refused only when they are read; the first page of memory is never there. */
        if (!strcmp(files[i], "mem") || read(file, text, sizeof text) > 0) reached("%s", path);
        close(file);
    }
}

ATTACK(read_memory_of_everybody) {
    each_target(peek);
    peek(1);
}

static void links(pid_t pid) {
    static const char *names[] = {"root", "cwd", "exe", "ns/mnt", "ns/pid"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[64], target[256];
        sprintf(path, "/proc/%d/%s", pid, names[i]);
        if (readlink(path, target, sizeof target) > 0) reached("%s", path);
        /* A folder of another process is a way around one's own root. */
        if (i < 2 && open(path, O_RDONLY | O_DIRECTORY) >= 0) reached("the inside of %s", path);
    }
}

ATTACK(folders_of_everybody) {
    each_target(links);
    links(1);
    held("%s", strerror(errno));
}

/* ---- Pipes ------------------------------------------------------------------------------------------------------ */

static void forge(pid_t pid) {
    for (int number = 0; number < 40; number++) {
        char path[64];
        sprintf(path, "/proc/%d/fd/%d", pid, number);
        struct stat found;
        if (stat(path, &found)) continue;
        reached("%s", path);
        int file = open(path, O_WRONLY | O_NONBLOCK);
        /* What the opponent would be blamed for. */
        if (file >= 0 && write(file, "MOVE 9 9 9 9\n", 13) == 13) reached("a move in the name of %d", pid);
    }
}

ATTACK(forge_moves_through_proc) {
    each_target(forge);
    forge(1);
    held("pipes: %s", strerror(errno));
}

ATTACK(steal_descriptors) {
    pid_t targets[] = {judge(), getppid(), 1};
    for (int i = 0; i < 3; i++) {
        int handle = syscall(SYS_pidfd_open, targets[i], 0);
        for (int number = 0; number < 20 && handle >= 0; number++)
            if (syscall(SYS_pidfd_getfd, handle, number, 0) >= 0) reached("descriptor %d of %d", number, targets[i]);
        held("pidfd: %s", strerror(errno));
    }
}

ATTACK(inherited_descriptors) {
    for (int file = 3; file < 4096; file++)
        if (fcntl(file, F_GETFD) >= 0) reached("descriptor %d", file);
    for (int file = 0; file < 3; file++) {
        struct stat found;
        if (fstat(file, &found) || !S_ISFIFO(found.st_mode)) reached("stream %d is no pipe", file);
    }
    held("only the three pipes are open");
}

/* ---- Limits and priorities -------------------------------------------------------------------------------------- */

static void renice(pid_t pid) {
    if (pid == 0) return;
    attempt("setpriority", setpriority(PRIO_PROCESS, pid, 19));
    attempt("ioprio_set", syscall(SYS_ioprio_set, 1, pid, 3 << 13));
    struct sched_param none = {0};
    attempt("SCHED_IDLE", sched_setscheduler(pid, SCHED_IDLE, &none));
    attempt("SCHED_BATCH", sched_setscheduler(pid, SCHED_BATCH, &none));
    /* Both may say that it was done: what counts is whether it was. */
    int policy = sched_getscheduler(pid);
    sched_setscheduler(pid, SCHED_OTHER, &none);
    if (sched_getscheduler(pid) != policy) reached("the policy of process %d", pid);
    cpu_set_t before, one, after;
    if (sched_getaffinity(pid, sizeof before, &before)) return;
    CPU_ZERO(&one);
    CPU_SET(CPU_COUNT(&before) == 1 && CPU_ISSET(0, &before), &one);
    int result = sched_setaffinity(pid, sizeof one, &one);
    held("sched_setaffinity: %s", result ? strerror(errno) : "done");
    if (sched_getaffinity(pid, sizeof after, &after)) return;
    if (!CPU_EQUAL(&before, &after)) reached("the processors of process %d", pid);
}

ATTACK(renice_everybody) {
    pid_t above = getppid();
    errno = 0;
    int before = getpriority(PRIO_PROCESS, above);
    each_target(renice);
    renice(1);
    setpriority(PRIO_USER, 0, 18);
    setpriority(PRIO_USER, getuid(), 18);
    setpriority(PRIO_PGRP, getpgid(above), 18);
    if (getpriority(PRIO_PROCESS, above) != before) reached("the priority of the parent");
}

static void limit(pid_t pid) {
    if (pid == 0) return;
    struct rlimit found;
    if (attempt("prlimit", prlimit(pid, RLIMIT_NOFILE, NULL, &found))) {
        attempt("prlimit to set", prlimit(pid, RLIMIT_NOFILE, &found, NULL));
    }
}

ATTACK(limit_everybody) {
    each_target(limit);
    limit(1);
}

ATTACK(raise_own_limits) {
    static const struct { int number; const char *name; } kinds[] = {
        {RLIMIT_CORE, "core"}, {RLIMIT_FSIZE, "fsize"}, {RLIMIT_NOFILE, "nofile"}, {RLIMIT_MEMLOCK, "memlock"},
        {RLIMIT_MSGQUEUE, "msgqueue"}, {RLIMIT_NICE, "nice"}, {RLIMIT_RTPRIO, "rtprio"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct rlimit found;
        if (getrlimit(kinds[i].number, &found)) fail("getrlimit");
        if (found.rlim_max == RLIM_INFINITY) {
            reached("no limit of %s", kinds[i].name);
            continue;
        }
        found.rlim_max++;
        char what[64];
        sprintf(what, "a higher limit of %s", kinds[i].name);
        attempt(what, setrlimit(kinds[i].number, &found));
    }
}

ATTACK(realtime_priority) {
    struct sched_param one = {1};
    attempt("SCHED_FIFO", sched_setscheduler(0, SCHED_FIFO, &one));
    attempt("SCHED_RR", sched_setscheduler(0, SCHED_RR, &one));
    attempt("SCHED_RR for later", sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &one));
    struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long runtime, deadline, period; }
        deadline = {48, 6, 0, 0, 0, 10000000, 20000000, 20000000};
    attempt("SCHED_DEADLINE", syscall(SYS_sched_setattr, 0, &deadline, 0));
    attempt("a negative nice value", setpriority(PRIO_PROCESS, 0, -5));
    attempt("the realtime class of input and output", syscall(SYS_ioprio_set, 1, 0, 1 << 13));
}

ATTACK(more_processors) {
    cpu_set_t before, all, after;
    if (sched_getaffinity(0, sizeof before, &before)) fail("sched_getaffinity");
    memset(&all, 0xff, sizeof all);
    int result = sched_setaffinity(0, sizeof all, &all);
    held("sched_setaffinity: %s", result ? strerror(errno) : "done");
    if (sched_getaffinity(0, sizeof after, &after)) fail("sched_getaffinity");
    if (CPU_COUNT(&after) > CPU_COUNT(&before)) reached("%d processors", CPU_COUNT(&after));
}

ATTACK(spare_me_when_memory_runs_out) {
    static const char *paths[] = {"/proc/self/oom_score_adj", "/proc/self/oom_adj", "/proc/thread-self/oom_score_adj"};
    for (int i = 0; i < 3; i++) {
        int file = open(paths[i], O_WRONLY);
        if (file < 0) continue;
        attempt(paths[i], write(file, i == 1 ? "-17" : "-1000", i == 1 ? 3 : 5));
        close(file);
    }
    int file = open("/proc/1/oom_score_adj", O_WRONLY);
    if (file >= 0) attempt("the score of process 1", write(file, "1000", 4));
    else held("the score of process 1: %s", strerror(errno));
}
