"""A player of the Game of Y: it plays as near to the middle of the triangle as it can, and beside its own stones."""
import sys

size, mine, taken = 9, [], set()


def places():
    return [(row, column) for row in range(1, size + 1) for column in range(size + 1 - row, size + 1)]


def near(one, other):
    down, right = one[0] - other[0], one[1] - other[1]
    return max(abs(down), abs(right), abs(down + right))


def choose():
    middle = ((2 * size + 1) // 3, size - (size + 1) // 3)
    free = [place for place in places() if place not in taken]
    return min(free, key=lambda at: (near(at, middle), -sum(near(at, own) == 1 for own in mine)))


turn = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO" and rest[0] == "size":
        size = int(rest[1])
    elif word == "READY":
        seat = rest[0]
        print("OK", flush=True)
    elif word in ("OPENING", "OPP"):
        own = word == "OPENING" and (turn % 2 == 0) == (seat == "FIRST")
        if rest[0] == "swap":
            # The stone on the board changes its owner.
            mine = [] if mine else list(taken)
        else:
            place = (int(rest[0]), int(rest[1]))
            taken.add(place)
            mine += [place] if own else []
        turn += 1
    elif word == "TURN":
        place = choose()
        taken.add(place)
        mine.append(place)
        turn += 1
        print("MOVE", *place, flush=True)
    elif word == "FINISH":
        break
