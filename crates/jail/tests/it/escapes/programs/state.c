/* State that is kept from one game to the next: each attack looks for what it left in a game before, and leaves it again.
 * The driver plays two games; in the second one nothing may be found. */
#include "attacks.h"

#include <limits.h>
#include <mqueue.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>

enum { KEY = 0x41474f4e };

static void file_in(const char *folder) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" MARK "state", folder);
    if (access(path, F_OK) == 0) reached("%s", path);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    held("%s: %s", path, file < 0 ? strerror(errno) : "written");
    if (file >= 0) close(file);
}

ATTACK(state_in_tmp) { file_in("/tmp"), file_in("/var/tmp"), file_in("/run"), file_in("/run/lock"); }
ATTACK(state_in_folder) { file_in("."); }
ATTACK(state_in_dev_shm) { file_in("/dev/shm"), file_in("/dev/mqueue"), file_in("/dev"); }

ATTACK(state_in_home) {
    const char *home = getenv("HOME");
    file_in(home ? home : "/");
    if (home) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/.cache", home);
        mkdir(path, 0700);
        file_in(path);
    }
}

/* Beside its own program, wherever that is. */
ATTACK(state_beside_the_program) {
    char path[PATH_MAX];
    strcpy(path, self);
    *strrchr(path, '/') = 0;
    file_in(path);
}

ATTACK(state_in_sysv_ipc) {
    int memory = shmget(KEY, 4096, 0), semaphore = semget(KEY, 1, 0), queue = msgget(KEY, 0);
    if (memory >= 0) reached("a segment");
    if (semaphore >= 0) reached("a semaphore");
    if (queue >= 0) reached("a queue");
    held("%s", strerror(errno));
    memory = shmget(KEY, 4096, IPC_CREAT | 0666);
    semaphore = semget(KEY, 1, IPC_CREAT | 0666);
    queue = msgget(KEY, IPC_CREAT | 0666);
    struct { long kind; char text[4]; } message = {1, "abc"};
    if (queue >= 0 && msgsnd(queue, &message, 4, IPC_NOWAIT) == 0) held("a message sent");
}

/* The kernel counts how often each number was given out; a segment that is gone has counted, too. */
ATTACK(state_in_numbers_of_ipc) {
    int number = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (number < 0) {
        held("shmget: %s", strerror(errno));
        return;
    }
    if (number != 0) reached("the number %d of a segment", number);
    shmctl(number, IPC_RMID, NULL);
    for (int i = 0; i < 50; i++) shmctl(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600), IPC_RMID, NULL);
}

ATTACK(state_in_posix_ipc) {
    mqd_t queue = mq_open("/" MARK "queue", O_RDWR);
    if (queue >= 0) reached("a message queue");
    held("mq_open: %s", strerror(errno));
    queue = mq_open("/" MARK "queue", O_RDWR | O_CREAT, 0600, NULL);
    int memory = shm_open("/" MARK "memory", O_RDWR, 0);
    if (memory >= 0) reached("shared memory");
    held("shm_open: %s", strerror(errno));
    shm_open("/" MARK "memory", O_RDWR | O_CREAT, 0600);
}

/* A daemon that listens on an abstract name for the program of the next game. */
ATTACK(state_in_abstract_socket) {
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0" MARK "state"};
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(MARK "state");
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    if (file < 0) {
        held("socket: %s", strerror(errno));
        return;
    }
    if (connect(file, (struct sockaddr *)&address, length) == 0) reached("a daemon of another game");
    held("connect: %s", strerror(errno));
    close(file);
    if (orphan() == 0) {
        file = socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(file, (struct sockaddr *)&address, length) == 0) listen(file, 10);
        sit();
    }
}

/* When it was read last, of a file that every game sees; the driver has made it look old. */
ATTACK(state_in_access_times) {
    struct stat found;
    const char *path = given("old");
    if (!path || stat(path, &found)) fail("the old file");
    if (time(NULL) - found.st_atime < 86400) reached("somebody has read %s", path);
    char text[16];
    int file = open(path, O_RDONLY);
    if (file < 0 || read(file, text, sizeof text) < 0) fail("read");
    close(file);
    held("it has been read");
}

ATTACK(state_in_file_times) {
    struct stat found;
    const char *path = given("old");
    if (!path || stat(path, &found)) fail("the old file");
    if (found.st_mtime == 12345) reached("the time that an earlier game set");
    struct timeval times[2] = {{12345, 0}, {12345, 0}};
    held("utimes: %s", utimes(path, times) ? strerror(errno) : "set");
    if (getxattr(path, "user.state", NULL, 0) >= 0) reached("an attribute");
    held("setxattr: %s", setxattr(path, "user.state", "x", 1, 0) ? strerror(errno) : "set");
    if ((found.st_mode & 0777) == 0711) reached("the mode that an earlier game set");
    held("chmod: %s", chmod(path, 0711) ? strerror(errno) : "set");
}

/* A lock that a daemon holds on a file which every game of this program sees. Files of the system are left alone: games that are
 * played at the same time would find them locked. */
ATTACK(state_in_locks) {
    const char *paths[] = {self, given("old")};
    for (int i = 0; i < 2; i++) {
        int file = paths[i] ? open(paths[i], O_RDONLY) : -1;
        if (file < 0) continue;
        struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        if (flock(file, LOCK_EX | LOCK_NB)) reached("a lock on %s", paths[i]);
        if (fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK) reached("a record lock on %s", paths[i]);
    }
    if (orphan() == 0) {
        for (int i = 0; i < 2; i++)
            if (paths[i]) flock(open(paths[i], O_RDONLY), LOCK_EX | LOCK_NB);
        sit();
    }
    held("locked");
}

ATTACK(state_in_keyrings) {
    static const int rings[] = {-1, -2, -3, -4, -5};
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        if (syscall(SYS_keyctl, 10 /* search */, rings[i], "user", MARK "key", 0) >= 0) reached("a key");
        long key = syscall(SYS_add_key, "user", MARK "key", "x", 1, rings[i]);
        held("add_key: %s", key < 0 ? strerror(errno) : "added");
    }
}

/* The number of its own process tells how many there were before. */
ATTACK(state_in_process_numbers) {
    if (getpid() > 100) reached("process number %d", getpid());
    for (int i = 0; i < 300; i++) {
        pid_t pid = fork();
        if (pid < 0) fail("fork");
        if (pid == 0) _exit(0);
        waitpid(pid, NULL, 0);
    }
    held("number %d, and 300 more", getpid());
}

/* What the system tells of itself and a program may set. */
ATTACK(state_in_the_system) {
    char name[65];
    if (gethostname(name, sizeof name) == 0 && !strcmp(name, MARK "host")) reached("a host name");
    held("sethostname: %s", sethostname(MARK "host", strlen(MARK "host")) ? strerror(errno) : "set");
    held("umask %o", umask(0));
}
