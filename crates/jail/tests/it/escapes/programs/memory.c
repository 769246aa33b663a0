/* Memory of every kind: each attack uses more than it may, and must not live to tell. */
#include "attacks.h"

#include <mqueue.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/wait.h>

/* More than the driver allows, and than half of what it allows in the child that shares it. */
enum { MUCH = 300 };

static void outlived(void) {
    /* Far longer than the judge needs, however loaded the machine is. */
    sleep(5);
    reached("%d MiB, and lives", MUCH);
}

static void touch(volatile char *block, size_t size) {
    for (size_t at = 0; at < size; at += 4096) block[at] = 1;
}

static void *pages(size_t size, int flags, int file) {
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, file, 0);
    if (block == MAP_FAILED) fail("mmap");
    return block;
}

/* False when there is no room left. */
static bool write_all(int file, size_t megabytes) {
    static char block[MIB];
    memset(block, 'x', sizeof block);
    for (size_t left = megabytes * MIB; left;) {
        ssize_t written = write(file, block, left < MIB ? left : MIB);
        if (written <= 0) {
            held("write: %s", strerror(errno));
            return false;
        }
        left -= written;
    }
    return true;
}

static void many_files(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void eat(size_t megabytes) {
    touch(pages(megabytes * MIB, MAP_PRIVATE | MAP_ANONYMOUS, -1), megabytes * MIB);
}

ATTACK(memory_private) {
    eat(MUCH);
    outlived();
}

ATTACK(memory_shared) {
    touch(pages((size_t)MUCH * MIB, MAP_SHARED | MAP_ANONYMOUS, -1), (size_t)MUCH * MIB);
    outlived();
}

ATTACK(memory_of_memfd) {
    int file = memfd_create("memory", 0);
    if (file < 0) fail("memfd_create");
    if (write_all(file, MUCH)) outlived();
}

ATTACK(memory_of_mapped_memfd) {
    int file = memfd_create("memory", 0);
    if (file < 0 || ftruncate(file, (size_t)MUCH * MIB)) fail("memfd_create");
    char *block = pages((size_t)MUCH * MIB, MAP_SHARED, file);
    close(file);
    touch(block, (size_t)MUCH * MIB);
    outlived();
}

ATTACK(memory_of_many_memfds) {
    many_files();
    for (int i = 0; i < MUCH; i++) {
        int file = memfd_create("memory", 0);
        if (file < 0) fail("memfd_create");
        write_all(file, 1);
    }
    outlived();
}

ATTACK(memory_of_sysv) {
    int id = shmget(IPC_PRIVATE, (size_t)MUCH * MIB, IPC_CREAT | 0600);
    char *block = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
    if (block == (void *)-1) {
        held("System V shared memory: %s", strerror(errno));
        return;
    }
    shmctl(id, IPC_RMID, NULL);
    touch(block, (size_t)MUCH * MIB);
    outlived();
}

/* Files in memory; `kept` leaves them open. */
static void fill_file(const char *path, bool kept, bool named) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0) {
        held("%s: %s", path, strerror(errno));
        return;
    }
    if (!named) unlink(path);
    bool all = write_all(file, MUCH);
    if (!kept) close(file);
    if (all) outlived();
}

ATTACK(memory_of_dev_shm) { fill_file("/dev/shm/" MARK "memory", true, true); }
ATTACK(memory_of_dev_shm_unlinked) { fill_file("/dev/shm/" MARK "memory", true, false); }
ATTACK(memory_of_dev_shm_closed) { fill_file("/dev/shm/" MARK "memory", false, true); }
ATTACK(memory_of_tmp_and_pages) {
    int file = open("/tmp/" MARK "memory", O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0) held("/tmp: %s", strerror(errno));
    else write_all(file, 50);
    close(file);
    /* Neither of them is too much alone, if there is room in /tmp at all. */
    eat(file < 0 ? MUCH : 100);
    outlived();
}

ATTACK(memory_of_tmp) { fill_file("/tmp/" MARK "memory", false, true); }

/* How much the buffers of all processes of an attack hold: the kernel gives a user only so many. */
static volatile size_t *filled;

static void fill(int file) {
    static char block[64 << 10];
    for (ssize_t length; (length = write(file, block, sizeof block)) > 0;) __sync_fetch_and_add(filled, length);
}

/* Does this in many processes, since each has a limit of descriptors. */
static void fill_in_children(void (*run)(void)) {
    filled = pages(4096, MAP_SHARED | MAP_ANONYMOUS, -1);
    many_files();
    for (int i = 0; i < 10; i++)
        if (offspring() == 0) {
            run();
            sit();
        }
    sleep(2);
    if (*filled >= (size_t)MUCH * MIB) outlived();
    held("after %zu MiB", *filled / MIB);
}

static void fill_sockets(void) {
    for (int i = 0; i < 2000; i++) {
        int pair[2], size = MIB;
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) break;
        for (int end = 0; end < 2; end++) {
            setsockopt(pair[end], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
            fill(pair[end]);
        }
    }
}

ATTACK(memory_of_sockets) {
    filled = pages(4096, MAP_SHARED | MAP_ANONYMOUS, -1);
    many_files();
    fill_sockets();
    outlived();
}

ATTACK(memory_of_sockets_of_children) { fill_in_children(fill_sockets); }

static void fill_pipes(void) {
    for (int i = 0; i < 2000; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK)) break;
        /* Refused to an ordinary user beyond a few: they then stay as large as they are. */
        fcntl(ends[1], F_SETPIPE_SZ, MIB);
        fill(ends[1]);
    }
}

ATTACK(memory_of_pipes) { fill_in_children(fill_pipes); }

ATTACK(memory_of_children) {
    for (int i = 0; i < 10; i++)
        if (offspring() == 0) {
            eat(MUCH / 10);
            sit();
        }
    outlived();
}

ATTACK(memory_of_a_daemon) {
    if (orphan() == 0) {
        eat(MUCH);
        sit();
    }
    outlived();
}

ATTACK(leaderless_memory) {
    eat(MUCH);
    outlived();
}

/* Files that only a message refers to, on its way through a socket. */
ATTACK(memory_in_flight) {
    for (int i = 0; i < MUCH / 10; i++) {
        int pair[2], file = memfd_create("memory", 0);
        if (file < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) fail("socketpair");
        char byte = 'x', space[CMSG_SPACE(sizeof file)] = {0};
        struct iovec part = {&byte, 1};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(header), &file, sizeof file);
        write_all(file, 10);
        if (sendmsg(pair[0], &message, 0) != 1) fail("sendmsg");
        close(file);
    }
    outlived();
}

/* One page in each two megabytes: it is the kernel's tables that grow. */
ATTACK(memory_of_page_tables) {
    size_t step = 2 * MIB, size = (size_t)MUCH * MIB / 8192 * step;
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) fail("mmap");
    madvise(block, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += step) block[at] = 1;
    outlived();
}

/* Locked memory may not be a way to keep what the limit would take. */
ATTACK(memory_that_is_locked) {
    char *block = pages((size_t)MUCH * MIB, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (mlockall(MCL_FUTURE | MCL_CURRENT)) {
        held("mlockall: %s", strerror(errno));
        touch(block, (size_t)MUCH * MIB);
    }
    outlived();
}

/* A child borrows what it has for a moment, again and again. */
ATTACK(memory_for_a_moment) {
    for (int i = 0; i < 20; i++)
        if (offspring() == 0) {
            eat(MUCH);
            _exit(0);
        } else {
            wait(NULL);
        }
    outlived();
}
