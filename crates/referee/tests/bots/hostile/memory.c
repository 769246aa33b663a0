/* Memory of every kind. */
#include "hostile.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>

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
                return refused("write");
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
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair)) return refused("socketpair");
        for (int end = 0; end < 2; end++)
            for (ssize_t sent; (sent = write(pair[end], block, sizeof block)) > 0;) held += sent;
    }
}

static void fill_pipes(size_t megabytes) {
    many_files();
    for (size_t held = 0; held < megabytes * MIB;) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK)) return refused("pipe");
        /* Refused to others than root beyond a few; they then stay as large as they are. */
        fcntl(ends[1], F_SETPIPE_SZ, MIB);
        size_t size = fcntl(ends[1], F_GETPIPE_SZ);
        static char block[MIB];
        ssize_t written = write(ends[1], block, size);
        if (written <= 0) fail("fill a pipe");
        held += written;
    }
}

/* How many processes have eaten. */
static int *eaten;

void count_eaters(void) {
    eaten = pages(sizeof *eaten, MAP_SHARED | MAP_ANONYMOUS, -1);
}

/* Waits until so many processes have eaten, however busy the machine is, and gives the judge time to look. */
void await_eaters(int count) {
    while (__atomic_load_n(eaten, __ATOMIC_SEQ_CST) < count) usleep(1000);
    sleep(2);
}

/* Uses so much memory of this kind. */
void eat(const char *kind, size_t megabytes) {
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
    if (eaten) __atomic_add_fetch(eaten, 1, __ATOMIC_SEQ_CST);
}

/* Memory in files that only a message on its way through a socket refers to. */
void eat_in_flight(size_t megabytes) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) fail("socketpair");
    int file = memfd_create("memory", 0);
    if (file < 0) fail("memfd_create");
    char byte = 'x', space[CMSG_SPACE(sizeof file)] = {0};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof file);
    write_all(file, megabytes);
    memcpy(CMSG_DATA(header), &file, sizeof file);
    if (sendmsg(pair[0], &message, 0) != 1) fail("sendmsg");
    close(file);
}

/* Reads a large file: its pages are the kernel's, which can drop them. */
void read_much(size_t megabytes) {
    static char name[5000], block[MIB];
    sprintf(name, "%s.large", self);
    int file = open(name, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, megabytes * MIB)) fail(name);
    while (read(file, block, sizeof block) > 0) {}
    close(file);
    unlink(name);
}
