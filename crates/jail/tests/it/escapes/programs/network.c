/* Sockets of every kind: reaching the judge's machine, being reached from it, and other programs. */
#include "attacks.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

/* A connection that is under way counts when it comes about. */
static int connect_in(int file, const void *address, socklen_t length) {
    struct timeval second = {1, 0};
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &second, sizeof second);
    return connect(file, address, length);
}

/* A socket that is refused is a wall, too. */
static int open_socket(int family, int kind, int protocol) {
    int file = socket(family, kind, protocol);
    if (file < 0) held("socket(%d, %d, %d): %s", family, kind, protocol, strerror(errno));
    return file;
}

ATTACK(connect_by_tcp) {
    int port = given_number("tcp");
    int file = open_socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (file >= 0) attempt("a listener of the judge's machine", connect_in(file, &address, sizeof address));
    file = open_socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 mapped = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr);
    if (file >= 0) attempt("the same by IPv6", connect_in(file, &mapped, sizeof mapped));
    file = open_socket(AF_INET, SOCK_STREAM, 262 /* multipath TCP */);
    if (file >= 0) attempt("the same by multipath TCP", connect_in(file, &address, sizeof address));
    file = open_socket(AF_INET, SOCK_STREAM, 0);
    if (file >= 0)
        attempt("the same by TCP fast open", sendto(file, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&address, sizeof address));
}

ATTACK(send_by_udp) {
    int file = open_socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(given_number("udp")),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (file >= 0) held("sendto: %s", sendto(file, "x", 1, 0, (struct sockaddr *)&address, sizeof address) < 0 ? strerror(errno) : "sent; the driver looks whether it came");
    /* Out of the machine: a name server. */
    inet_pton(AF_INET, "192.0.2.1", &address.sin_addr);
    address.sin_port = htons(53);
    if (file >= 0) attempt("a datagram to another machine", sendto(file, "x", 1, 0, (struct sockaddr *)&address, sizeof address));
}

ATTACK(listen_by_tcp) {
    int families[] = {AF_INET, AF_INET6};
    for (int i = 0; i < 2; i++) {
        int file = open_socket(families[i], SOCK_STREAM, 0);
        if (file < 0) continue;
        /* Without bind the kernel chooses the port. */
        int listening = listen(file, 5);
        held("listen: %s; the driver looks whether it can be reached", listening ? strerror(errno) : "done");
        struct sockaddr_storage name;
        socklen_t length = sizeof name;
        if (!listening && getsockname(file, (struct sockaddr *)&name, &length) == 0)
            dprintf(2, "listens %d\n", ntohs(((struct sockaddr_in *)&name)->sin_port));
    }
}

ATTACK(connect_to_a_unix_socket) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = given("socket");
    if (!path) fail("socket@");
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
    for (int i = 0; i < 3; i++) {
        int file = open_socket(AF_UNIX, kinds[i], 0);
        if (file >= 0) attempt("a socket in the file system", connect(file, (struct sockaddr *)&address, sizeof address));
    }
    static const char *known[] = {"/run/dbus/system_bus_socket", "/run/systemd/private", "/var/run/docker.sock", "/run/systemd/journal/socket",
                                  "/dev/log", "/run/systemd/notify", "/tmp/.X11-unix/X0"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        snprintf(address.sun_path, sizeof address.sun_path, "%s", known[i]);
        int file = socket(AF_UNIX, SOCK_STREAM, 0);
        if (file >= 0) attempt(known[i], connect(file, (struct sockaddr *)&address, sizeof address));
    }
}

static socklen_t abstract(struct sockaddr_un *address, const char *name) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    strcpy(address->sun_path + 1, name);
    return offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
}

ATTACK(connect_to_an_abstract_socket) {
    struct sockaddr_un address;
    const char *name = given("abstract");
    if (!name) fail("abstract@");
    socklen_t length = abstract(&address, name);
    int file = open_socket(AF_UNIX, SOCK_STREAM, 0);
    if (file >= 0) attempt("an abstract socket of the judge's machine", connect(file, (struct sockaddr *)&address, length));
    file = open_socket(AF_UNIX, SOCK_DGRAM, 0);
    if (file >= 0) attempt("a datagram to it", sendto(file, "x", 1, 0, (struct sockaddr *)&address, length));
}

/* The driver looks whether the name can be reached from outside. */
ATTACK(listen_on_an_abstract_socket) {
    struct sockaddr_un address;
    socklen_t length = abstract(&address, MARK "listener");
    int file = open_socket(AF_UNIX, SOCK_STREAM, 0);
    if (file < 0) return;
    held("bind: %s", bind(file, (struct sockaddr *)&address, length) || listen(file, 5) ? strerror(errno) : "done");
}

ATTACK(netlink) {
    for (int protocol = 0; protocol < 24; protocol++) {
        int file = socket(AF_NETLINK, SOCK_RAW, protocol);
        char what[32];
        sprintf(what, "netlink %d", protocol);
        attempt(what, file);
    }
}

ATTACK(raw_sockets) {
    attempt("raw ICMP", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    attempt("raw IP", socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
    attempt("raw IPv6", socket(AF_INET6, SOCK_RAW, IPPROTO_RAW));
    attempt("packets", socket(AF_PACKET, SOCK_RAW, htons(3)));
    attempt("packets without headers", socket(AF_PACKET, SOCK_DGRAM, htons(3)));
    attempt("ICMP by an ordinary socket", socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
}

ATTACK(vsock) {
    int file = open_socket(AF_VSOCK, SOCK_STREAM, 0);
    if (file < 0) return;
    reached("a socket to the hypervisor");
    for (unsigned cid = 0; cid < 4; cid++) {
        struct sockaddr_vm address = {.svm_family = AF_VSOCK, .svm_cid = cid, .svm_port = 1024};
        if (connect_in(file, &address, sizeof address) == 0) reached("port 1024 of machine %u", cid);
    }
}

/* Every family there is but AF_UNIX, by every kind. */
ATTACK(every_family) {
    for (int family = 2; family < 50; family++)
        for (int kind = 1; kind <= 6; kind++) {
            int file = socket(family, kind, 0);
            if (file >= 0) reached("family %d, kind %d", family, kind);
            int pair[2];
            if (socketpair(family, kind, 0, pair) == 0) reached("a pair of family %d, kind %d", family, kind);
        }
    held("%s", strerror(errno));
}

ATTACK(change_the_network) {
    struct ifreq request = {.ifr_name = "lo"};
    int file = socket(AF_UNIX, SOCK_DGRAM, 0);
    if (file < 0) {
        held("socket: %s", strerror(errno));
        return;
    }
    request.ifr_flags = IFF_UP;
    attempt("SIOCSIFFLAGS", ioctl(file, SIOCSIFFLAGS, &request));
    strcpy(request.ifr_name, "lo2");
    attempt("SIOCBRADDBR", ioctl(file, 0x89a0, "escape0"));
    /* Names of the machine's interfaces other than the loop. */
    for (int index = 1; index < 64; index++) {
        memset(&request, 0, sizeof request);
        request.ifr_ifindex = index;
        if (ioctl(file, SIOCGIFNAME, &request) == 0 && strcmp(request.ifr_name, "lo")) reached("the interface %s", request.ifr_name);
    }
}
