"""Attacks in Python: attacks.py NAME [KEY@VALUE]... plays Bacteria War, and says what it reached as main.c tells."""
import ctypes
import errno
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

MARK = "agon-escape-"
TOLD = dict(word.split("@", 1) for word in sys.argv[2:])
libc = ctypes.CDLL(None, use_errno=True)


def say(kind, text):
    os.write(2, f"{kind} {text}\n".encode())


def attempt(what, run):
    """Calls what must fail."""
    try:
        run()
        say("reached", what)
    except (OSError, LookupError, ValueError, subprocess.SubprocessError) as error:
        say("held", f"{what}: {error}")


def wait_for_the_end():
    time.sleep(30)
    os._exit(0)


# ---- Attacks ----------------------------------------------------------------------------------------------------------


def daemon():
    command = [sys.executable, "-c", "import os, time; os.fork(); time.sleep(30)"]
    for session in (True, False):
        try:
            child = subprocess.Popen(command, start_new_session=session, env={}, stdin=subprocess.DEVNULL)
            say("held", f"process {child.pid}")
        except OSError as error:
            say("held", f"a process: {error}")


def secrets():
    """Looks through the folders that a person or a judge would keep things in."""
    wanted = {os.path.basename(TOLD["secret"]), os.path.basename(TOLD["db"])}
    roots = ["/home", "/root", "/tmp", "/var", "/srv", "/mnt", "/media", "/run", "/etc", os.path.dirname(TOLD["secret"])]
    for root in roots:
        for folder, _, files in os.walk(root):
            for name in wanted.intersection(files):
                say("reached", f"{folder}/{name}")
    for path in (TOLD["secret"], TOLD["source"], TOLD["cached"], "/etc/shadow"):
        attempt(path, lambda: open(path, "rb").read(1))


def environment():
    known = {"HOME", "LANG", "PATH", "AGON_SEED", "PYTHONDONTWRITEBYTECODE", "LC_CTYPE", "TMPDIR", "PYENV_ROOT", "RBENV_ROOT",
             "ASDF_DATA_DIR", "MISE_DATA_DIR", "RUSTUP_HOME", "CARGO_HOME", "PWD", "SHLVL", "_", "OLDPWD", "PYENV_VERSION",
             "PYENV_DIR", "PYENV_HOOK_PATH"}
    for name in os.environ:
        if name not in known:
            say("reached", f"the variable {name}")
    for pid in ["1", str(os.getppid()), TOLD["judge"]]:
        attempt(f"/proc/{pid}/environ", lambda: open(f"/proc/{pid}/environ", "rb").read(1) or open("/nonexistent"))


def proc():
    """Every process in /proc but itself: its files that tell of more than its name."""
    def look(path, name):
        if name == "fd":
            # That there are descriptors is to be seen; what they are is not.
            path = f"{path}/{os.listdir(path)[0]}"
        found = os.readlink(path) if name in ("fd", "cwd") else open(path, "rb").read(1)
        if not found:
            # As of a process of the kernel.
            raise OSError(errno.ENODATA, os.strerror(errno.ENODATA))
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) not in (os.getpid(), 1):
            for name in ("environ", "maps", "fd", "cwd"):
                attempt(f"/proc/{pid}/{name}", lambda: look(f"/proc/{pid}/{name}", name))


def delete():
    folder = os.path.dirname(TOLD["db"])
    attempt(f"removing {folder}", lambda: shutil.rmtree(folder))
    attempt("removing the database", lambda: os.remove(TOLD["db"]))
    try:
        # Its own folder may be laid over that one, and what it writes there be forgotten: the driver looks.
        open(TOLD["db"], "wb").write(b"poison")
    except OSError as error:
        say("held", f"a new database: {error}")


def packages():
    """A module that every other Python program would import."""
    found = 0
    for folder in [*sys.path, os.path.expanduser("~/.local/lib/python3.11/site-packages"), "."]:
        path = os.path.join(folder, "agon_escape_planted.pth")
        found += os.path.exists(path)
        try:
            os.makedirs(folder, exist_ok=True)
            open(path, "w").write("import os\n")
        except OSError as error:
            say("held", f"{path}: {error}")
    if found:
        say("reached", "a module of an earlier game")
    for folder in sys.path:
        cache = os.path.join(folder, "__pycache__")
        if os.path.isdir(cache):
            attempt(f"{cache}", lambda: open(os.path.join(cache, MARK + "planted.pyc"), "wb").write(b"x"))


def sockets():
    port = int(TOLD["tcp"])
    attempt("a listener of the judge's machine", lambda: socket.create_connection(("127.0.0.1", port), 1))
    attempt("a name on the network", lambda: socket.getaddrinfo("example.org", 80))
    attempt("a listener", lambda: socket.create_server(("0.0.0.0", 0)))
    attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
    attempt("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
    attempt("AF_ALG", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))


def calls():
    """System calls by ctypes: no library stands between."""
    def call(number, *arguments):
        if libc.syscall(number, *arguments) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    attempt("ptrace", lambda: call(101, 16, int(TOLD["judge"]), 0, 0))
    attempt("unshare", lambda: call(272, 0x10000000))
    attempt("mount", lambda: call(165, b"none", b"/tmp", b"tmpfs", 0, None))
    attempt("bpf", lambda: call(321, 0, bytes(120), 120))
    attempt("io_uring_setup", lambda: call(425, 4, bytes(120)))
    attempt("keyctl", lambda: call(250, 0, -4, 1))


def memory():
    block = mmap.mmap(-1, 300 << 20)
    for at in range(0, 300 << 20, 4096):
        block[at] = 1
    time.sleep(5)
    say("reached", "300 MiB, and lives")


def threads():
    for count in range(300):
        try:
            threading.Thread(target=wait_for_the_end, daemon=True).start()
        except (RuntimeError, MemoryError) as error:
            return say("held", f"after {count} threads: {error}")
    say("reached", "300 threads")


def forks():
    for count in range(300):
        try:
            if os.fork() == 0:
                wait_for_the_end()
        except OSError as error:
            return say("held", f"after {count} processes: {error}")
    say("reached", "300 processes")


def state():
    folders = ("/tmp", "/dev/shm", "/var/tmp", ".", os.path.expanduser("~"), os.path.dirname(os.path.abspath(__file__)))
    paths = [os.path.join(folder, MARK + "python") for folder in folders]
    for path in filter(os.path.exists, paths):
        say("reached", path)
    for path in paths:
        try:
            open(path, "w").close()
        except OSError as error:
            say("held", f"{path}: {error}")


def signals():
    for pid in (int(TOLD["judge"]), os.getppid()):
        if pid != 1:
            attempt(f"a signal to {pid}", lambda: os.kill(pid, 0))
    attempt("a lower nice value", lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))
    attempt("the nice value of the judge", lambda: os.setpriority(os.PRIO_PROCESS, int(TOLD["judge"]), 19))


# ---- Bacteria War -----------------------------------------------------------------------------------------------------


def play(attack, name):
    board, mine, theirs = {}, "O", "X"

    def move_as(who, x1, y1, x2, y2):
        if x1 < 1:
            return
        if max(abs(x1 - x2), abs(y1 - y2)) == 2:
            board.pop((x1, y1), None)
        board[x2, y2] = who
        for x in range(x2 - 1, x2 + 2):
            for y in range(y2 - 1, y2 + 2):
                if (x, y) in board:
                    board[x, y] = who

    def choose():
        side = range(1, 8)
        for distance in (1, 2):
            for x1, y1 in sorted(at for at, who in board.items() if who == mine):
                for x2 in side:
                    for y2 in side:
                        if (x2, y2) not in board and max(abs(x1 - x2), abs(y1 - y2)) == distance:
                            return x1, y1, x2, y2
        return -1, -1, -1, -1

    for line in sys.stdin:
        words = line.split()
        if words[0] == "READY":
            board.update({(1, 1): "O", (7, 7): "O", (1, 7): "X", (7, 1): "X"})
            if words[1] == "SECOND":
                mine, theirs = theirs, mine
            print("OK", flush=True)
        elif words[0] == "OPP":
            move_as(theirs, *map(int, words[1:5]))
        elif words[0] == "TURN":
            if attack:
                say("started", name)
                attack()
                say("ended", name)
                attack = None
            move = choose()
            move_as(mine, *move)
            print("MOVE", *move, flush=True)
        elif words[0] == "FINISH":
            # Threads that sit must not keep it.
            os._exit(0)


ATTACKS = {run.__name__: run for run in (daemon, secrets, environment, proc, delete, packages, sockets, calls, memory, threads,
                                         forks, state, signals)}

if __name__ == "__main__":
    if "NoNewPrivs:\t1" not in open("/proc/self/status").read():
        sys.exit("failed: there is no jail around this process")
    signal.alarm(30)
    name = sys.argv[1]
    play(ATTACKS[name.removeprefix("python-")], name)
