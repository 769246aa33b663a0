"""A player of Hex: it puts a stone where its shortest way and that of the other side cross, or else on its own."""
import heapq
import sys

size, own, board = 11, 1, {}


def neighbours(at):
    row, column = at
    around = [(row - 1, column), (row - 1, column + 1), (row, column - 1), (row, column + 1), (row + 1, column - 1),
              (row + 1, column)]
    return [(r, c) for r, c in around if 1 <= r <= size and 1 <= c <= size]


def distances(side, edge):
    """Empty hexagons on a shortest way from an edge of a side (1 or size) to each hexagon."""
    along = 0 if side == 1 else 1
    waiting, found = [], {}
    for at in ((row, column) for row in range(1, size + 1) for column in range(1, size + 1)):
        if at[along] == edge and board.get(at) in (None, side):
            heapq.heappush(waiting, (int(at not in board), at))
    while waiting:
        distance, at = heapq.heappop(waiting)
        if at in found:
            continue
        found[at] = distance
        for to in neighbours(at):
            if to not in found and board.get(to) in (None, side):
                heapq.heappush(waiting, (distance + int(to not in board), to))
    return found


def ways(side):
    """The number of stones that a way of this side over each empty hexagon still needs."""
    one, other = distances(side, 1), distances(side, size)
    return {at: one[at] + other[at] for at in one if at in other and at not in board}


def choose():
    mine, theirs = ways(own), ways(3 - own)
    middle = (size + 1) / 2
    return min(mine, key=lambda at: (mine[at] + theirs.get(at, 99), abs(at[0] - middle) + abs(at[1] - middle)))


def play(side, words):
    if words[0] == "swap":
        (row, column), = board
        board.clear()
        board[column, row] = side
    else:
        board[int(words[0]), int(words[1])] = side


turn = 0
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO" and rest[0] == "size":
        size = int(rest[1])
    elif word == "READY":
        own = 1 if rest[0] == "FIRST" else 2
        print("OK", flush=True)
    elif word == "OPENING":
        turn += 1
        play(1 if turn % 2 else 2, rest)
    elif word == "OPP":
        play(3 - own, rest[:-1])
    elif word == "TURN":
        words = [str(number) for number in choose()]
        play(own, words)
        print("MOVE", *words, flush=True)
    elif word == "FINISH":
        break
