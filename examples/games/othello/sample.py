"""A player of Othello: it takes a corner where it can, else the move that flips most."""
import sys

STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
CORNERS = [(1, 1), (1, 8), (8, 1), (8, 8)]

board = {(4, 4): "W", (5, 5): "W", (4, 5): "B", (5, 4): "B"}
mine, theirs = "B", "W"


def flips(row, column, stone):
    if (row, column) in board:
        return []
    flipped = []
    for down, right in STEPS:
        run, at = [], (row + down, column + right)
        while board.get(at, stone) != stone:
            run.append(at)
            at = (at[0] + down, at[1] + right)
        if board.get(at) == stone:
            flipped += run
    return flipped


def put(row, column, stone):
    if row > 0:
        for at in flips(row, column, stone) + [(row, column)]:
            board[at] = stone


for line in sys.stdin:
    word, *rest = line.split()
    if word == "READY":
        if rest[0] == "SECOND":
            mine, theirs = "W", "B"
        print("OK", flush=True)
    elif word == "OPENING":
        # A move that was made for the side to move: Black, White, Black …
        stone = "B" if len(board) % 2 == 0 else "W"
        put(int(rest[0]), int(rest[1]), stone)
    elif word == "OPP":
        put(int(rest[0]), int(rest[1]), theirs)
    elif word == "TURN":
        places = [(row, column) for row in range(1, 9) for column in range(1, 9) if flips(row, column, mine)]
        best = max(places, key=lambda at: (at in CORNERS, len(flips(*at, mine))), default=(-1, -1))
        put(*best, mine)
        print("MOVE", *best, flush=True)
    elif word == "FINISH":
        break
