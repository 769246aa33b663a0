/* Calls of the kernel that no program of a game needs, and that have been the way out of other jails. */
#include "attacks.h"

#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <time.h>

/* ---- Namespaces and mounts -------------------------------------------------------------------------------------- */

static const struct { const char *name; unsigned long flag; } namespaces[] = {
    {"user", CLONE_NEWUSER}, {"pid", CLONE_NEWPID}, {"mount", CLONE_NEWNS}, {"network", CLONE_NEWNET}, {"ipc", CLONE_NEWIPC},
    {"uts", CLONE_NEWUTS}, {"cgroup", CLONE_NEWCGROUP}, {"time", 0x80}, {"user and mount", CLONE_NEWUSER | CLONE_NEWNS},
    {"user and pid", CLONE_NEWUSER | CLONE_NEWPID}, {"user and network", CLONE_NEWUSER | CLONE_NEWNET}};

enum { NAMESPACES = sizeof namespaces / sizeof *namespaces };

static void unshare_all(void) {
    for (int i = 0; i < NAMESPACES; i++) attempt(namespaces[i].name, unshare(namespaces[i].flag));
}

ATTACK(new_namespaces_by_unshare) { apart(unshare_all); }

ATTACK(new_namespaces_by_clone) {
    for (int i = 0; i < NAMESPACES; i++) {
        /* That of time has the place of a signal here. */
        if (namespaces[i].flag == 0x80) continue;
        long pid = syscall(SYS_clone, namespaces[i].flag | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) _exit(0);
        attempt(namespaces[i].name, pid);
    }
}

ATTACK(new_namespaces_by_clone3) {
    for (int i = 0; i < NAMESPACES; i++) {
        unsigned long arguments[11] = {namespaces[i].flag, 0, 0, 0, SIGCHLD};
        long pid = syscall(SYS_clone3, arguments, sizeof arguments);
        if (pid == 0) _exit(0);
        attempt(namespaces[i].name, pid);
    }
}

ATTACK(enter_namespaces) {
    static const char *names[] = {"mnt", "pid", "net", "user", "ipc", "uts", "cgroup"};
    pid_t targets[] = {1, getppid(), judge(), getpid()};
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < sizeof names / sizeof *names; j++) {
            char path[64];
            sprintf(path, "/proc/%d/ns/%s", targets[i], names[j]);
            int file = open(path, O_RDONLY);
            if (file >= 0) attempt(path, setns(file, 0));
            else held("%s: %s", path, strerror(errno));
        }
        int handle = syscall(SYS_pidfd_open, targets[i], 0);
        if (handle >= 0) attempt("setns by a pidfd", setns(handle, CLONE_NEWNS | CLONE_NEWPID));
    }
}

ATTACK(mount_old) {
    attempt("tmpfs", mount("none", "/tmp", "tmpfs", 0, NULL));
    attempt("proc", mount("none", "/proc", "proc", 0, NULL));
    attempt("sysfs", mount("none", "/tmp", "sysfs", 0, NULL));
    attempt("cgroup2", mount("none", "/tmp", "cgroup2", 0, NULL));
    attempt("a bind", mount("/", "/tmp", NULL, MS_BIND | MS_REC, NULL));
    attempt("writable again", mount(NULL, "/usr", NULL, MS_REMOUNT | MS_BIND, NULL));
    attempt("shared again", mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL));
    attempt("a move", mount("/usr", "/tmp", NULL, MS_MOVE, NULL));
    attempt("umount", umount2("/proc", MNT_DETACH));
    attempt("umount of the root", umount2("/", MNT_DETACH));
    attempt("pivot_root", syscall(SYS_pivot_root, ".", "."));
}

ATTACK(mount_new) {
    attempt("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* OPEN_TREE_CLONE */ | 0x8000 /* AT_RECURSIVE */));
    attempt("move_mount", syscall(SYS_move_mount, AT_FDCWD, "/usr", AT_FDCWD, "/tmp", 0));
    attempt("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    attempt("fspick", syscall(SYS_fspick, AT_FDCWD, "/", 0));
    attempt("fsmount", syscall(SYS_fsmount, 0, 0, 0));
    unsigned long attributes[4] = {0, 1 /* MOUNT_ATTR_RDONLY */, 0, 0};
    attempt("mount_setattr", syscall(SYS_mount_setattr, AT_FDCWD, "/usr", 0, attributes, sizeof attributes));
}

/* ---- Doors of the kernel ---------------------------------------------------------------------------------------- */

ATTACK(keys) {
    attempt("add_key", syscall(SYS_add_key, "user", MARK "key", "x", 1, -4));
    attempt("request_key", syscall(SYS_request_key, "user", MARK "key", NULL, -4));
    attempt("keyctl to join a session", syscall(SYS_keyctl, 1, MARK "session"));
    attempt("keyctl to ask for a keyring", syscall(SYS_keyctl, 0, -4, 1));
    attempt("keyctl to read", syscall(SYS_keyctl, 11, -5, NULL, 0));
}

ATTACK(bpf) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    attempt("a map", syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
    union bpf_attr next = {.start_id = 0};
    attempt("the programs of the machine", syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &next, sizeof next));
}

ATTACK(perf_events) {
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK,
                                    .exclude_kernel = 1, .exclude_hv = 1};
    attempt("of itself", syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
    attempt("of a processor", syscall(SYS_perf_event_open, &event, -1, 0, -1, 0));
    attempt("of process 1", syscall(SYS_perf_event_open, &event, 1, -1, -1, 0));
}

ATTACK(userfaults) {
    attempt("userfaultfd", syscall(SYS_userfaultfd, O_CLOEXEC));
    attempt("userfaultfd of user pages alone", syscall(SYS_userfaultfd, O_CLOEXEC | 1));
}

ATTACK(io_uring) {
    struct io_uring_params parameters = {0};
    attempt("io_uring_setup", syscall(SYS_io_uring_setup, 4, &parameters));
    attempt("io_uring_enter", syscall(SYS_io_uring_enter, 0, 0, 0, 0, NULL, 0));
    attempt("io_uring_register", syscall(SYS_io_uring_register, -1, 0, NULL, 0) == -1 && errno == EINVAL ? 0 : -1);
}

ATTACK(fanotify_and_quotas) {
    attempt("fanotify_init", syscall(SYS_fanotify_init, 0, O_RDONLY));
    attempt("fanotify_init that reports names", syscall(SYS_fanotify_init, 0xe00, O_RDONLY));
    char space[256];
    attempt("quotactl", syscall(SYS_quotactl, 0x80000700, "/dev/vda", 0, space));
    attempt("acct", syscall(SYS_acct, MARK "accounts"));
    attempt("swapoff", syscall(SYS_swapoff, "/dev/vda"));
    attempt("swapon", syscall(SYS_swapon, "/tmp/" MARK "swap", 0));
}

ATTACK(modules_and_reboot) {
    attempt("init_module", syscall(SYS_init_module, "", 0, ""));
    attempt("finit_module", syscall(SYS_finit_module, 0, "", 0));
    attempt("delete_module", syscall(SYS_delete_module, MARK "none", 0) == -1 && errno != ENOENT ? -1 : 0);
    attempt("kexec_load", syscall(SYS_kexec_load, 0, 0, NULL, 0));
    /* Without the magic numbers it does nothing, but says whether it may be called: EINVAL. */
    attempt("reboot", syscall(SYS_reboot, 0, 0, 0, NULL) == -1 && errno == EINVAL ? 0 : -1);
    char text[16];
    attempt("the kernel's log", syscall(SYS_syslog, 3, text, sizeof text));
    attempt("vhangup", syscall(SYS_vhangup));
#ifdef SYS_iopl
    attempt("iopl", syscall(SYS_iopl, 3));
    attempt("ioperm", syscall(SYS_ioperm, 0x80, 1, 1));
#endif
}

ATTACK(clocks) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    attempt("clock_settime", clock_settime(CLOCK_REALTIME, &now));
    struct timeval same = {now.tv_sec, now.tv_nsec / 1000};
    attempt("settimeofday", syscall(SYS_settimeofday, &same, NULL));
    struct timex none = {.modes = ADJ_OFFSET_SINGLESHOT};
    attempt("adjtimex", syscall(SYS_adjtimex, &none));
    attempt("sethostname", sethostname("escape", 6));
    attempt("setdomainname", setdomainname("escape", 6));
}

ATTACK(capabilities) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &head, sets)) fail("capget");
    if (sets[0].effective | sets[1].effective | sets[0].permitted | sets[1].permitted | sets[0].inheritable | sets[1].inheritable)
        reached("capabilities %x %x %x", sets[0].effective, sets[0].permitted, sets[0].inheritable);
    for (int i = 0; i < 2; i++) sets[i].effective = sets[i].permitted = sets[i].inheritable = ~0u >> (i ? 23 : 0);
    attempt("capset", syscall(SYS_capset, &head, sets));
    for (int cap = 0; cap < 41; cap++) {
        if (prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1) held("capability %d is in the bounding set", cap);
        if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) == 0) reached("ambient capability %d", cap);
    }
    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) reached("new privileges");
    attempt("PR_SET_NO_NEW_PRIVS to 0", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
    attempt("PR_SET_SECUREBITS", prctl(PR_SET_SECUREBITS, 0, 0, 0, 0));
    if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 2) reached("a life without a filter");
}

/* System calls under other numbers: those of 32 bits, and of x32. The kernel ends whoever is not allowed to. */
#ifdef __x86_64__
static void by_interrupt(void) {
    long result;
    /* 20 is getpid there. */
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    if (result > 0) reached("system calls of 32 bits");
    else held("int 0x80: %s", strerror(-result));
}

static void by_x32(void) {
    if (syscall(0x40000000 | SYS_getpid) > 0) reached("system calls of x32");
    else held("x32: %s", strerror(errno));
    if (syscall(0x40000000 | 521 /* ptrace */, 0, 0, 0, 0) == 0) reached("ptrace of x32");
}

ATTACK(other_system_calls) {
    int status = apart(by_interrupt);
    if (WIFSIGNALED(status)) held("int 0x80: signal %d", WTERMSIG(status));
    status = apart(by_x32);
    if (WIFSIGNALED(status)) held("x32: signal %d", WTERMSIG(status));
}
#else
ATTACK(other_system_calls) { held("this processor has no others"); }
#endif

static void change_personality(void) {
    attempt("the personality of 32 bits", personality(PER_LINUX32));
    attempt("readable is executable", personality(READ_IMPLIES_EXEC));
    attempt("page 0", personality(MMAP_PAGE_ZERO));
}

ATTACK(personalities) {
    apart(change_personality);
    void *zero = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zero != MAP_FAILED) reached("page 0");
    held("%s", strerror(errno));
}

/* What is typed for whoever has started the judge. */
ATTACK(type_on_the_terminal) {
    static const char *paths[] = {"/dev/tty", "/dev/console", "/dev/ptmx", "/proc/self/fd/0", "/proc/self/fd/2"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int file = open(paths[i], O_RDWR | O_NONBLOCK | O_NOCTTY);
        if (file < 0) {
            held("%s: %s", paths[i], strerror(errno));
            continue;
        }
        if (isatty(file)) reached("the terminal %s", paths[i]);
        attempt("TIOCSTI", ioctl(file, TIOCSTI, "x"));
        attempt("TIOCSTI with other high bits", ioctl(file, (1UL << 32) | TIOCSTI, "x"));
        attempt("TIOCSCTTY", ioctl(file, TIOCSCTTY, 1));
        attempt("TIOCLINUX", ioctl(file, TIOCLINUX, "\003"));
        attempt("TIOCCONS", ioctl(file, TIOCCONS, 0));
        close(file);
    }
    for (int file = 0; file < 3; file++) attempt("TIOCSTI", ioctl(file, TIOCSTI, "x"));
}

/* A filter of its own that asks a process for every call, and answers in the kernel's stead. */
ATTACK(filter_with_a_listener) {
    struct { unsigned short code; unsigned char jt, jf; unsigned k; } allow[] = {{6, 0, 0, 0x7fff0000}};
    struct { unsigned short length; void *code; } program = {1, allow};
    attempt("a listener", syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

ATTACK(pages_of_others) {
    int nodes = 1;
    void *page = &nodes;
    int where;
    pid_t targets[] = {1, getppid(), judge()};
    for (int i = 0; i < 3; i++) {
        unsigned long mask = 1;
        attempt("migrate_pages", syscall(SYS_migrate_pages, targets[i], 8, &mask, &mask));
        attempt("move_pages", syscall(SYS_move_pages, targets[i], 1, &page, NULL, &where, 0));
        attempt("sched_getattr of others to set", syscall(SYS_sched_setattr, targets[i], NULL, 0));
    }
    attempt("set_mempolicy of a huge page pool", syscall(SYS_mbind, NULL, 0, 1, NULL, 0, 99));
    attempt("memfd of huge pages", memfd_create("memory", MFD_HUGETLB) >= 0 && fallocate(memfd_create("m", MFD_HUGETLB), 0, 0, 2 << 20) == 0 ? 0 : -1);
}

/* ---- Control groups --------------------------------------------------------------------------------------------- */

static const char *controllers[] = {"", "/memory", "/pids", "/cpu", "/cpuset", "/freezer", "/devices", "/unified", "/systemd", "/cpuacct", "/blkio"};

/* Every place below /sys/fs/cgroup where this process, or one above, may be. */
static void in_groups(void (*run)(const char *folder)) {
    char line[4096], place[8192];
    for (size_t i = 0; i < sizeof controllers / sizeof *controllers; i++) {
        snprintf(place, sizeof place, "/sys/fs/cgroup%s", controllers[i]);
        run(place);
        FILE *file = fopen("/proc/self/cgroup", "r");
        while (file && fgets(line, sizeof line, file)) {
            line[strcspn(line, "\n")] = 0;
            char *path = strrchr(line, ':');
            if (!path || !path[1] || !path[2]) continue;
            snprintf(place, sizeof place, "/sys/fs/cgroup%s%s", controllers[i], path + 1);
            run(place);
            strcat(place, "/..");
            run(place);
        }
        if (file) fclose(file);
    }
}

static void write_in(const char *folder, const char *name, const char *text) {
    char path[8300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int file = open(path, O_WRONLY);
    if (file < 0) return;
    if (write(file, text, strlen(text)) >= 0) reached("%s", path);
    else held("%s: %s", path, strerror(errno));
    close(file);
}

static void leave(const char *folder) {
    char path[8300];
    write_in(folder, "cgroup.procs", "0");
    write_in(folder, "tasks", "0");
    snprintf(path, sizeof path, "%s/" MARK "group", folder);
    if (mkdir(path, 0700) == 0) {
        reached("%s", path);
        rmdir(path);
    }
}

static void loosen(const char *folder) {
    write_in(folder, "memory.limit_in_bytes", "-1");
    write_in(folder, "memory.max", "max");
    write_in(folder, "pids.max", "max");
    write_in(folder, "memory.swap.max", "max");
    write_in(folder, "memory.oom_control", "1");
    write_in(folder, "cgroup.subtree_control", "+memory");
}

static void thaw_or_freeze(const char *folder) {
    write_in(folder, "freezer.state", "THAWED");
    write_in(folder, "cgroup.freeze", "0");
    write_in(folder, "release_agent", "/bin/true");
}

ATTACK(leave_control_groups) {
    in_groups(leave);
    held("%s", strerror(errno));
}

ATTACK(loosen_control_groups) {
    in_groups(loosen);
    held("%s", strerror(errno));
}

ATTACK(freeze_control_groups) {
    in_groups(thaw_or_freeze);
    held("%s", strerror(errno));
}
