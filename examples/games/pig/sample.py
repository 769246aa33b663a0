"""A player of Pig: it holds at 20 points of a turn, or as soon as it can win."""
import sys

goal, pot, points, last = 100, 0, 0, ""
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO" and rest[0] == "goal":
        goal = int(rest[1])
    elif word == "INFO" and rest[0] == "rolled" and last == "roll":
        # Its own roll: what the opponent rolls comes after OPP, when `last` is empty.
        if rest[1] == "1":
            pot, last = 0, ""
        else:
            pot += int(rest[1])
    elif word == "READY":
        print("OK", flush=True)
    elif word == "OPP":
        last, pot = "", 0
    elif word == "TURN":
        last = "hold" if pot >= 20 or points + pot >= goal else "roll"
        if last == "hold":
            points, pot = points + pot, 0
        print("MOVE", last, flush=True)
    elif word == "FINISH":
        break
