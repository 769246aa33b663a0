"""An engine of another arena for the tests of bridges: engine.py PROTOCOL WAY.

It plays the first legal move that it finds; WAY says how else it behaves.
"""

import os
import sys
import time

PROTOCOL, WAY = sys.argv[1], sys.argv[2]

# How long it takes to get ready.
SECONDS = {"slow": 3.2, "unhurried": 0.8}


def say(line):
    # In one piece, buffered or not.
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def misbehave():
    """What it does when it is asked for its first move."""
    if WAY == "crash":
        print("something went wrong", file=sys.stderr, flush=True)
        os._exit(3)
    if WAY == "die":
        os.kill(os.getpid(), 11)
    if WAY == "close":
        os.close(1)
        time.sleep(60)
    if WAY == "silent":
        time.sleep(60)
    if WAY == "eat":
        kept = b"x" * (300 << 20)
        time.sleep(60)
    if WAY == "burn":
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass


def cells(fen):
    """The cells of a board from the top left: x, o or a dot."""
    return [c for row in fen.split("/") for part in row for c in ("." * int(part) if part.isdigit() else part)]


def name(cell):
    return "abcdefg"[cell % 7] + str(7 - cell // 7)


def ataxx_move(fen, turn):
    board = cells(fen)
    for far in (1, 2):
        for source, owner in enumerate(board):
            for to, other in enumerate(board):
                distance = max(abs(source // 7 - to // 7), abs(source % 7 - to % 7))
                if owner == turn and other == "." and distance == far:
                    return name(to) if far == 1 else name(source) + name(to)
    return "0000"


def uai():
    position = None
    for line in sys.stdin:
        words = line.split()
        if WAY == "deaf":
            continue
        if words[0] == "uai":
            if WAY in SECONDS:
                time.sleep(SECONDS[WAY])
            say("id name test")
            say("uaiok")
        elif words[0] == "isready":
            say("readyok")
        elif words[0] == "setoption":
            print(line.strip(), file=sys.stderr, flush=True)
        elif words[0] == "position":
            position = words[2:4]
        elif words[0] == "go":
            print(line.strip(), file=sys.stderr, flush=True)
            misbehave()
            say("info depth 1 score cp 0")
            answers = {"nonsense": "h9", "illegal": "d1d2", "unreachable": "d4"}
            more = "\nbestmove g7" if WAY == "twice" else ""
            say("bestmove " + answers.get(WAY, ataxx_move(*position)) + more)
            if WAY == "late":
                time.sleep(0.2)
                say("bestmove g7")
        elif words[0] == "quit":
            if WAY == "stay":
                time.sleep(60)
            return


def gomocup():
    taken = set()
    answered = [0.0]

    def move():
        misbehave()
        if WAY == "torn" and taken:
            # The end of the line that it has begun before.
            say("4")
        say("MESSAGE thinking 1,1")
        answers = {"nonsense": "ERROR no idea", "illegal": "7,7", "outside": "15,0"}
        if WAY in answers:
            say(answers[WAY])
            return
        # In the middle first, as the contest wants it; from there row by row.
        places = [(7, 7), (6, 6), (6, 8), (5, 5), (5, 9)] + [(x, y) for y in range(15) for x in range(15)]
        place = next(place for place in places if place not in taken)
        if WAY == "suggest":
            say("SUGGEST %d,%d" % place)
            place = tuple(map(int, sys.stdin.readline().split()[1].split(",")))
        taken.add(place)
        answered[0] = time.monotonic()
        if WAY == "torn":
            sys.stdout.write("%d,%d\n14,1" % place)
            sys.stdout.flush()
            return
        say("%d,%d" % place + ("\n14,14" if WAY in ("twice", "mute") else ""))
        if WAY == "late":
            # The judge has asked the next question by now.
            time.sleep(0.2)
            say("14,14")

    while line := sys.stdin.readline():
        words = line.split()
        print(line.strip(), file=sys.stderr, flush=True)
        if WAY == "busy" and answered[0] and time.monotonic() < answered[0] + 0.05:
            # It still ends its search: it takes the first word for nothing, and the others for a command.
            if len(words) > 1:
                say("ERROR Unknown command: " + words[1].upper())
            continue
        if WAY == "deaf":
            continue
        if words[0] == "START":
            if WAY in SECONDS:
                time.sleep(SECONDS[WAY])
            taken.clear()
            say("ERROR too small" if WAY == "refuse" else "OK")
        elif words[0] == "RESTART":
            taken.clear()
            say("UNKNOWN" if WAY == "plain" else "OK")
        elif words[0] == "BOARD":
            taken.clear()
            while (entry := sys.stdin.readline().strip()) != "DONE":
                print(entry, file=sys.stderr, flush=True)
                taken.add(tuple(map(int, entry.split(",")[:2])))
            move()
        elif words[0] == "TURN":
            taken.add(tuple(map(int, words[1].split(","))))
            move()
        elif words[0] == "BEGIN":
            move()
        elif words[0:2] == ["INFO", "max_memory"] and WAY == "heavy":
            time.sleep(4)
        elif words[0] == "INFO" and WAY == "plain":
            say("UNKNOWN")
        elif words[0] == "ABOUT" and WAY not in ("plain", "mute"):
            say('name="test", version="1.0", author="none", country="none"')
        elif words[0] == "END":
            return


uai() if PROTOCOL == "uai" else gomocup()
