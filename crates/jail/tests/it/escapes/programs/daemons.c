/* Processes that are to outlive the game, bombs of processes and threads, and load on the opponent's turn. */
#include "attacks.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

/* More processes than any jail of the tests allows, and few enough for a machine without one. */
enum { MANY = 300 };

static void become_sitter(void) {
    char *nothing[] = {NULL}, *arguments[] = {self, "sit", NULL};
    execve(self, arguments, nothing);
    _exit(97);
}

ATTACK(daemon_of_two_forks) {
    if (orphan() == 0) sit();
}

ATTACK(daemon_of_setsid) {
    if (offspring() == 0) {
        setsid();
        sit();
    }
}

ATTACK(daemon_without_environment) {
    if (orphan() == 0) become_sitter();
}

ATTACK(daemon_without_descriptors) {
    if (orphan() == 0) {
        for (int file = 0; file < 1024; file++) close(file);
        if (chdir("/")) _exit(96);
        sit();
    }
}

ATTACK(daemons_of_a_subreaper) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1)) fail("PR_SET_CHILD_SUBREAPER");
    for (int i = 0; i < 8; i++)
        if (orphan() == 0) become_sitter();
}

ATTACK(daemon_as_sibling) {
    pid_t pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (pid < 0) held("CLONE_PARENT: %s", strerror(errno));
    if (pid == 0) {
        setsid();
        sit();
    }
}

static void *sibling_of_a_thread(void *unused) {
    (void)unused;
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0) {
        setsid();
        sit();
    }
    return NULL;
}

ATTACK(daemon_as_sibling_of_a_thread) {
    pthread_t thread;
    if ((errno = pthread_create(&thread, NULL, sibling_of_a_thread, NULL))) fail("pthread_create");
    pthread_join(thread, NULL);
}

ATTACK(daemon_that_is_undumpable) {
    if (orphan() == 0) {
        prctl(PR_SET_DUMPABLE, 0);
        sit();
    }
}

ATTACK(daemon_under_another_name) {
    if (orphan() == 0) {
        prctl(PR_SET_NAME, "kworker/0:0");
        sit();
    }
}

ATTACK(daemon_that_is_stopped) {
    if (orphan() == 0) {
        raise(SIGSTOP);
        sit();
    }
}

ATTACK(daemon_within_vfork) {
    if (orphan() == 0) {
        if (vfork() == 0)
            for (;;) pause();
        _exit(0);
    }
}

/* Always another process, so that whoever looks for it comes too late. */
static void chain(void) {
    time_t end = time(NULL) + LIFE;
    while (time(NULL) < end) {
        pid_t pid = fork();
        if (pid > 0) _exit(0);
        if (pid < 0) usleep(1000);
    }
    _exit(0);
}

ATTACK(daemons_in_a_chain) {
    for (int i = 0; i < 4; i++)
        if (orphan() == 0) chain();
}

/* It forks at each signal. */
static void hydra(int number) {
    (void)number;
    if (fork() == 0) alarm(LIFE);
}

ATTACK(daemon_that_forks_at_signals) {
    if (orphan() == 0) {
        for (int number = 1; number < 32; number++)
            if (number != SIGALRM) signal(number, hydra);
        for (;;) pause();
    }
}

/* It waits until its program has ended, as an honest helper does, and stays then, under another name. */
ATTACK(helper_that_stays) {
    pid_t program = getpid();
    if (offspring() == 0) {
        while (getppid() == program) usleep(1000);
        if (offspring() == 0) become_sitter();
        _exit(0);
    }
}

ATTACK(daemon_and_hang) {
    if (orphan() == 0) sit();
    if (offspring() == 0) {
        setpgid(0, 0);
        sit();
    }
    sit();
}

ATTACK(leaderless_daemon) {
    if (orphan() == 0) sit();
}

static void *sit_there(void *unused) {
    (void)unused;
    sit();
}

/* Its first thread is dead, the others live. */
ATTACK(daemon_without_its_first_thread) {
    if (orphan() == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, sit_there, NULL)) _exit(95);
        syscall(SYS_exit, 0);
    }
}

ATTACK(fork_bomb) {
    int count = 0;
    for (; count < MANY; count++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0) sit();
    }
    if (count == MANY) reached("%d processes", count);
    else held("after %d processes: %s", count, strerror(errno));
}

static void breed(int generations) {
    for (int i = 0; i < 2 && generations; i++) {
        if (fork() == 0) {
            breed(generations - 1);
            sit();
        }
    }
}

/* Every process starts others; none of them waits. */
ATTACK(fork_bomb_of_generations) {
    breed(8);
}

ATTACK(thread_bomb) {
    int count = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    for (; count < MANY; count++) {
        pthread_t thread;
        if ((errno = pthread_create(&thread, &small, sit_there, NULL))) break;
    }
    if (count == MANY) reached("%d threads", count);
    else held("after %d threads: %s", count, strerror(errno));
}

ATTACK(zombies) {
    int count = 0;
    for (; count < MANY; count++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0) _exit(0);
    }
    if (count == MANY) reached("%d zombies", count);
    else held("after %d zombies: %s", count, strerror(errno));
}

/* Nobody but a process of the judge can wait for them. */
ATTACK(dying_orphans) {
    for (int i = 0; i < 100; i++) {
        pid_t child = offspring();
        if (child == 0) {
            for (int j = 0; j < 5; j++)
                if (fork() == 0) _exit(0);
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

static void spin_for_life(void) {
    time_t end = time(NULL) + LIFE;
    while (time(NULL) < end) {}
    _exit(0);
}

static void *spin_there(void *unused) {
    (void)unused;
    spin_for_life();
    return NULL;
}

/* On the opponent's turns, too. */
ATTACK(load_by_threads) {
    pthread_t thread;
    for (int i = 0; i < 4; i++)
        if ((errno = pthread_create(&thread, NULL, spin_there, NULL))) fail("pthread_create");
}

ATTACK(load_by_daemons) {
    for (int i = 0; i < 4; i++)
        if (orphan() == 0) spin_for_life();
}

/* A stream of system calls that are dear to the kernel. */
ATTACK(load_by_system_calls) {
    for (int i = 0; i < 4; i++)
        if (orphan() == 0)
            for (time_t end = time(NULL) + LIFE; time(NULL) < end;) {
                if (fork() == 0) _exit(0);
                waitpid(-1, NULL, 0);
            }
}
