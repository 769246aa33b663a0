"""A bot that breaks the rules of conduct in one chosen way: misbehave.py WAY.

Apart from that it plays: it knows the board, and moves like the weakest of bots. What it leaves behind it names
on its standard error as `left PID`, so that the test can see whether it is gone.
"""
import os
import select
import signal
import subprocess
import sys
import threading
import time

way = sys.argv[1]
out = sys.stdout
board = [["."] * 7 for _ in range(7)]
board[0][0] = board[6][6] = "O"
board[0][6] = board[6][0] = "X"
mine, theirs = "O", "X"
kept = []


def say(text):
    out.write(text)
    out.flush()


def play(who, move):
    if move[0] < 0:
        return
    x1, y1, x2, y2 = (n - 1 for n in move)
    if max(abs(x1 - x2), abs(y1 - y2)) == 2:
        board[x1][y1] = "."
    board[x2][y2] = who
    for x in range(max(0, x2 - 1), min(7, x2 + 2)):
        for y in range(max(0, y2 - 1), min(7, y2 + 2)):
            if board[x][y] not in (".", who):
                board[x][y] = who


def choose():
    for d in (1, 2):
        for x1 in range(7):
            for y1 in range(7):
                for x2 in range(7):
                    for y2 in range(7):
                        if board[x1][y1] == mine and board[x2][y2] == "." and max(abs(x1 - x2), abs(y1 - y2)) == d:
                            return (x1 + 1, y1 + 1, x2 + 1, y2 + 1)
    return (-1, -1, -1, -1)


def say_left(pid):
    """Names a process by its number and the time of its start."""
    with open("/proc/%d/stat" % pid) as stat:
        start = stat.read().rpartition(")")[2].split()[19]
    sys.stderr.write("left %d %s\n" % (pid, start))
    sys.stderr.flush()


def leave_child(new_session=False, orphan=False, clean=False):
    """Starts a process that outlives us unless somebody ends it, and that keeps our pipes open."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        say_left(int(os.read(reader, 100)))
        if orphan:
            os.waitpid(child, 0)
        return
    if new_session:
        os.setsid()
    if orphan and os.fork():
        os._exit(0)
    os.write(writer, b"%d" % os.getpid())
    if clean:
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"], {})
    time.sleep(600)
    os._exit(0)


def eat(megabytes):
    block = bytearray(megabytes << 20)
    for at in range(0, len(block), 4096):
        block[at] = 1
    return block


def ready():
    if way.startswith("sleep ") and way.endswith(" at READY"):
        time.sleep(int(way.split()[1]) / 1000)
    if way == "silent at READY":
        time.sleep(600)
    if way == "wrong at READY":
        return say("READY\n")
    if way == "exit at READY":
        sys.exit(0)
    if way == "move with OK":
        return say("OK\nMOVE 1 1 2 2\n")
    if way == "daemon":
        leave_child(new_session=True, orphan=True)
    if way == "clean daemon":
        leave_child(new_session=True, orphan=True, clean=True)
    if way == "child keeps the pipes":
        leave_child()
    if way == "many children":
        for _ in range(50):
            leave_child(new_session=True)
    if way == "noise on stderr":
        sys.stderr.write("x" * (10 << 20) + "the end\n")
        sys.stderr.flush()
    if way == "carriage returns":
        return say("OK\r\n")
    if way == "close input":
        os.close(0)
    say("OK\n")
    if way == "deaf":
        time.sleep(600)
    if way == "exit after OK":
        sys.exit(0)
    if way == "close input":
        time.sleep(600)


def turn():
    """Misbehaves instead of moving, where that is the way."""
    if way == "silent":
        time.sleep(600)
    elif way == "silent against SIGTERM":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
    elif way == "spin":
        while True:
            pass
    elif way == "spin in a child":
        child = os.fork()
        if child == 0:
            while True:
                pass
        say_left(child)
        os.waitpid(child, 0)
    elif way == "no flush":
        out.write("MOVE 1 1 1 2\n")
    elif way == "deadlock":
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
    elif way == "wait for a child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
        say_left(child.pid)
        child.wait()
    elif way == "late":
        time.sleep(2.0)
    elif way.startswith("sleep ") and way.endswith(" at TURN"):
        time.sleep(int(way.split()[1]) / 1000)
        return False
    elif way.startswith("poll ") and way.endswith(" at TURN"):
        # As an event loop does; nothing comes meanwhile.
        select.select([sys.stdin], [], [], int(way.split()[1]) / 1000)
        return False
    elif way.startswith("await ") and way.endswith(" at TURN"):
        threading.Event().wait(int(way.split()[1]) / 1000)
        return False
    elif way == "half a line":
        say("MOVE 1 1")
        time.sleep(600)
    elif way == "100 MB in a line":
        block = "A" * (1 << 20)
        for _ in range(100):
            say(block)
        say("\n")
    elif way == "5000 bytes in a line":
        say("MOVE 1 1 2 2" + " " * 5000 + "\n")
    elif way == "flood of lines":
        while True:
            say("MOVE 9 9 9 9\n" * 1000)
    elif way == "binary":
        os.write(1, b"\x00\xff\xfe\x80MOVE 1 1 2 2\n")
    elif way == "stop itself":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif way == "close output":
        os.close(1)
        time.sleep(600)
    elif way == "die by signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif way == "exit 3":
        sys.exit(3)
    elif way == "exit 0":
        sys.exit(0)
    elif way == "exit while a child keeps the pipes":
        leave_child()
        time.sleep(0.05)
        os._exit(0)
    elif way == "raise":
        raise ValueError("no idea what to play")
    elif way == "eat memory":
        kept.append(eat(300))
        time.sleep(600)
    elif way == "eat memory in steps":
        while True:
            kept.append(eat(2))
            time.sleep(0.005)
    elif way == "eat memory in a child":
        child = os.fork()
        if child == 0:
            os.setsid()
            # Kept, for where memory is looked at now and then, a peak may pass between two looks.
            kept.append(eat(300))
            time.sleep(600)
        say_left(child)
        time.sleep(600)
    elif way == "shared memory is counted once":
        if not kept:
            kept.append(eat(60))
            for _ in range(4):
                if os.fork() == 0:
                    time.sleep(600)
            time.sleep(0.3)
        return False
    elif way.startswith("say "):
        say(way[4:] + "\n")
    else:
        return False
    return True


if way == "speak before READY":
    say("MOVE 1 1 2 2\n")
for line in sys.stdin:
    words = line.split()
    if words[0] == "READY":
        if words[1] == "SECOND":
            mine, theirs = "X", "O"
        ready()
    elif words[0] == "OPP":
        play(theirs, [int(n) for n in words[1:5]])
    elif words[0] == "TURN":
        if turn():
            continue
        move = choose()
        play(mine, move)
        answer = "MOVE %d %d %d %d%s\n" % (*move, "\r" if way == "carriage returns" else "")
        say(answer + "MOVE 1 1 2 2\n" if way == "speak twice" else answer)
    elif words[0] == "FINISH":
        if way == "speak after FINISH":
            say("bye\n")
        if way.startswith("sleep ") and way.endswith(" after FINISH"):
            time.sleep(int(way.split()[1]) / 1000)
        if way == "exit 3 after FINISH":
            sys.exit(3)
        if way == "die after FINISH":
            os.kill(os.getpid(), signal.SIGABRT)
        if way == "stay after FINISH":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)
        break
