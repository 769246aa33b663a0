"""A player of Nine Men's Morris: it closes a mill where it can, else it stops one of the other side."""
import sys

POINTS = [column + row for column in "abcdefg" for row in "1234567"
          if (across := abs(ord(column) - 100)) + (up := abs(int(row) - 4)) and (not across or not up or across == up)]
LINES = []
for axis in (0, 1):
    for line in sorted({point[axis] for point in POINTS}):
        row = [point for point in POINTS if point[axis] == line]
        LINES += [row[:3], row[3:]] if len(row) == 6 else [row]
EDGES = {frozenset(pair) for line in LINES for pair in (line[:2], line[1:])}

board, hand, takes = dict.fromkeys(POINTS, 0), {1: 9, 2: 9}, False


def in_mill(point):
    return any(point in line and len({board[one] for one in line}) == 1 for line in LINES)


def play(side, words):
    """Plays a move of a side; returns whether it closes a mill."""
    if words[0] == "take":
        board[words[1]] = 0
        return False
    if len(words) == 2:
        board[words[0]] = 0
    else:
        hand[side] -= 1
    board[words[-1]] = side
    return in_mill(words[-1]) and 3 - side in board.values()


def moves(side):
    empty, own = ([point for point in POINTS if board[point] == owner] for owner in (0, side))
    if hand[side]:
        return [[to] for to in empty]
    return [[one, to] for one in own for to in empty if len(own) == 3 or frozenset((one, to)) in EDGES]


def closes(side, words):
    before, held = dict(board), hand[side]
    closed = play(side, words)
    board.update(before)
    hand[side] = held
    return closed


def choose(own, takes):
    if takes:
        theirs = [point for point in POINTS if board[point] == 3 - own]
        return ["take", min(theirs, key=in_mill)]
    threats = {words[-1] for words in moves(3 - own) if closes(3 - own, words)}
    return max(moves(own), key=lambda words: (closes(own, words), words[-1] in threats, words[-1] in "b4 d2 d6 f4"))


side, takes = 1, False
for line in sys.stdin:
    word, *rest = line.split()
    if word == "READY":
        own = 1 if rest[0] == "FIRST" else 2
        print("OK", flush=True)
        continue
    if word == "OPP":
        # The last word is the time of the move.
        takes = play(3 - own, rest[:-1])
    elif word == "OPENING":
        mover, taken = side, rest[0] == "take"
        takes = play(mover, rest)
        side = mover if takes else 3 - mover
        takes = takes and side == own
    elif word == "TURN":
        words = choose(own, takes)
        takes = play(own, words)
        print("MOVE", *words, flush=True)
    elif word == "FINISH":
        break
