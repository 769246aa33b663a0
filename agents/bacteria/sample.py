"""Bacteria War: a sample bot in Python. It looks ahead while its time lasts. Replace `choose` by your own idea.

Run: python3 sample.py        (PyPy3 runs it too, faster)
"""
import contextlib
import os
import sys
import time

# ---- Board --------------------------------------------------------------------------------------------------------
# A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, `own` and `foe`,
# seen by the player to move. A move is a pair of cells (from, to), each 0..48.

SIDE = 7
AREA = SIDE * SIDE
FULL = (1 << AREA) - 1
PASS = -1, -1
START = 1 << 0 | 1 << 48, 1 << 6 | 1 << 42  # the first player, who moves, has (1,1) and (7,7)


def distance(a, b):
    return max(abs(a // SIDE - b // SIDE), abs(a % SIDE - b % SIDE))


# For every cell, the cells at distance 1 (a division comes from there, an infection goes there) and at distance 2
# (a leap comes from there).
NEAR = [sum(1 << b for b in range(AREA) if distance(a, b) == 1) for a in range(AREA)]
FAR = [sum(1 << b for b in range(AREA) if distance(a, b) == 2) for a in range(AREA)]


def count(cells):
    return bin(cells).count("1")


def first(cells):
    return (cells & -cells).bit_length() - 1


# ---- Rules --------------------------------------------------------------------------------------------------------


def list_moves(own, foe):
    """All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all."""
    moves = []
    empty = FULL & ~(own | foe)
    while empty:
        to = first(empty)
        infected = count(foe & NEAR[to])
        division = NEAR[to] & own
        if division:
            moves.append((2 * infected + 1, first(division), to))
        leap = FAR[to] & own
        while leap:
            moves.append((2 * infected, first(leap), to))
            leap &= leap - 1
        empty &= empty - 1
    moves.sort(key=lambda move: -move[0])  # equals stay in their order
    return [(source, to) for _, source, to in moves] or [PASS]


def after(own, foe, move):
    """The board after a move, seen by the other player."""
    source, to = move
    if move == PASS:
        return foe, own
    infected = foe & NEAR[to]
    own |= infected | 1 << to
    if FAR[to] >> source & 1:  # a leap empties its source
        own &= ~(1 << source)
    return foe & ~infected, own


# ---- Choice -------------------------------------------------------------------------------------------------------

SHARE, RESERVE = 30, 100  # a move may take a thirtieth of the time left, but for the last 100 milliseconds
MAX_DEPTH = 64  # moves to look ahead; a bot with a small number repeats its games
INFINITY = 1_000_000


def search(own, foe, depth, alpha, beta, deadline):
    """What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta)."""
    lead = count(own) - count(foe)
    if not own or not foe or own | foe == FULL:  # the game is over
        return 100 * lead
    if depth == 0:
        return lead
    if time.monotonic() > deadline:
        raise TimeoutError
    moves = list_moves(own, foe)
    for move in moves if depth > 1 else moves[:1]:  # the last move is the one that gains most
        alpha = max(alpha, -search(*after(own, foe, move), depth - 1, -beta, -alpha, deadline))
        if alpha >= beta:
            break
    return alpha


def choose(own, foe, my_time):
    """The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds."""
    deadline = time.monotonic() + (my_time - RESERVE) / SHARE / 1000
    moves = list_moves(own, foe)
    with contextlib.suppress(TimeoutError):
        for depth in range(1, MAX_DEPTH if len(moves) > 1 else 1):
            best, alpha = PASS, -INFINITY
            for move in moves:
                value = -search(*after(own, foe, move), depth, -INFINITY, -alpha, deadline)
                if value > alpha:
                    best, alpha = move, value
            moves = [best] + [move for move in moves if move != best]  # the next iteration tries it first
    return moves[0]


# ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------


def main():
    own, foe = START
    for line in sys.stdin:
        command, *words = line.split() or [""]
        if command == "READY":  # FIRST or SECOND, which follows from the moves as well
            print("OK", flush=True)
        elif command == "TURN":
            move = choose(own, foe, int(words[0]))
            own, foe = after(own, foe, move)
            numbers = [-1] * 4 if move == PASS else [n + 1 for cell in move for n in divmod(cell, SIDE)]
            # flush, or the judge waits for an answer that never leaves this process
            print("MOVE", *numbers, flush=True)
        elif command in ("OPP", "OPENING"):  # OPENING: a move made for us before READY
            x1, y1, x2, y2 = (int(word) - 1 for word in words[:4])
            own, foe = after(own, foe, PASS if x1 < 0 else (SIDE * x1 + y1, SIDE * x2 + y2))
        elif command == "POSITION":  # where the game begins: rows of x (first), o and numbers of empty cells; who moves
            cells = "".join("." * int(c) if c.isdigit() else c for c in words[0] if c != "/")
            sides = "xo" if words[1] == "x" else "ox"
            own, foe = (sum(1 << n for n, c in enumerate(cells) if c == side) for side in sides)
        elif command == "FINISH":
            if "AGON_STAY" not in os.environ:
                break
            own, foe = START  # the same program plays the next game, too


main()
