"""Bacteria War: a bot for tests in Python. It answers at once and repeats its games.

Run: python3 bacteria.py        (PyPy3 runs it too, faster)
"""
import os
import sys

# ---- Board --------------------------------------------------------------------------------------------------------
# A set of cells is a number: bit 7*row + column (both from 0) is one cell. A board is two such sets, `own` and `foe`,
# seen by the player to move. A move is a pair of cells (from, to), each 0..48.

SIDE = 7
AREA = SIDE * SIDE
FULL = (1 << AREA) - 1
BEST = 1_000_000
PASS = (-1, -1)


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
    """All moves. Divisions to one cell all have the same effect: the first one stands for all."""
    moves = []
    taken = own | foe
    for to in range(AREA):
        if taken >> to & 1:
            continue
        division = NEAR[to] & own
        if division:
            moves.append((first(division), to))
        leap = FAR[to] & own
        while leap:
            moves.append((first(leap), to))
            leap &= leap - 1
    return moves


def after(own, foe, move):
    """The board after a move, still seen by the player who made it."""
    source, to = move
    if source < 0:
        return own, foe
    infected = foe & NEAR[to]
    own |= infected | 1 << to
    if FAR[to] >> source & 1:  # a leap empties its source
        own &= ~(1 << source)
    return own, foe & ~infected


# ---- Choice -------------------------------------------------------------------------------------------------------


def value(own, foe, depth, alpha, beta):
    """What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta)."""
    lead = count(own) - count(foe)
    if not own or not foe or own | foe == FULL:  # the game is over
        return 100 * lead
    if depth == 0:
        return lead
    for move in list_moves(own, foe) or [PASS]:
        new_own, new_foe = after(own, foe, move)
        alpha = max(alpha, -value(new_foe, new_own, depth - 1, -beta, -alpha))
        if alpha >= beta:
            break
    return alpha


def choose(own, foe, my_time):
    """The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds."""
    depth = 2 if my_time > 1000 else 1  # my move and one reply; hurry when time runs out
    best, best_value = PASS, -BEST
    for move in list_moves(own, foe):
        new_own, new_foe = after(own, foe, move)
        v = -value(new_foe, new_own, depth - 1, -BEST, -best_value)
        if v > best_value:
            best, best_value = move, v
    return best


# ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 -----------------------------


START = 1 << 0 | 1 << 48, 1 << 6 | 1 << 42  # the first player, who moves, has (1,1) and (7,7)


def main():
    own, foe, first_moves = *START, True
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "READY":
            if (words[1] == "FIRST") != first_moves:
                own, foe = foe, own  # from here on as I see it
            print("OK", flush=True)
        elif command == "TURN":
            move = choose(own, foe, int(words[1]))
            own, foe = after(own, foe, move)
            numbers = [-1] * 4 if move == PASS else [n + 1 for cell in move for n in divmod(cell, SIDE)]
            # flush, or the judge waits for an answer that never leaves this process
            print("MOVE", *numbers, flush=True)
        elif command in ("OPP", "OPENING"):
            x1, y1, x2, y2 = (int(word) - 1 for word in words[1:5])
            move = PASS if x1 < 0 else (SIDE * x1 + y1, SIDE * x2 + y2)
            if command == "OPP":
                foe, own = after(foe, own, move)
            else:  # a move made for us before READY
                foe, own = after(own, foe, move)
                first_moves = not first_moves
        elif command == "POSITION":  # where the game begins: rows of x (first), o and numbers of empty cells; who moves
            cells = "".join("." * int(c) if c.isdigit() else c for c in words[1] if c != "/")
            own, foe = (sum(1 << n for n, c in enumerate(cells) if c == side) for side in "xo")
            first_moves = words[2] == "x"
            if not first_moves:
                own, foe = foe, own
        elif command == "FINISH":
            if "AGON_STAY" not in os.environ:
                break
            own, foe, first_moves = *START, True  # the same program plays the next game, too


main()
