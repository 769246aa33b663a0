"""A player of Breakthrough: it wins at once, captures, or pushes its foremost pawn."""
import random
import sys

size, mine, theirs, board = 8, "W", "B", {}

for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        size = int(rest[1])
        for column in range(1, size + 1):
            for row in (1, 2):
                board[row, column] = "B"
                board[size + 1 - row, column] = "W"
    elif word == "READY":
        if rest[0] == "SECOND":
            mine, theirs = "B", "W"
        print("OK", flush=True)
    elif word in ("OPP", "OPENING"):
        numbers = list(map(int, rest[:4]))
        board[numbers[2], numbers[3]] = board.pop((numbers[0], numbers[1]))
    elif word == "TURN":
        step = -1 if mine == "W" else 1
        options = []
        for (row, column), stone in board.items():
            for to in (column - 1, column, column + 1):
                target = board.get((row + step, to))
                if stone != mine or not (1 <= to <= size and 1 <= row + step <= size):
                    continue
                if target is None or (target == theirs and to != column):
                    ahead = size - row if step < 0 else row
                    value = (row + step in (1, size), target == theirs, ahead, random.random())
                    options.append((value, (row, column, row + step, to)))
        r1, c1, r2, c2 = max(options)[-1]
        board[r2, c2] = board.pop((r1, c1))
        print("MOVE", r1, c1, r2, c2, flush=True)
    elif word == "FINISH":
        break
