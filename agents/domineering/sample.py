"""Domineering: a sample bot in Python. It looks ahead while its time lasts. Replace `choose` by your own idea.

Run: python3 sample.py        (PyPy3 runs it too, faster)"""
import contextlib, os, sys, time
from functools import lru_cache

# ---- Board --------------------------------------------------------------------------------------------------------
# Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place (line, i) is a line and
# the index of the domino's first cell on it, from 0. `own` and `foe` are the lines of the player to move and those of
# the other; each line is a number, in which bit i is set if its cell i is taken.

FIRST, SECOND = 0, 1
PASS = None
weight = [[], []]  # for each player, the numbers on each of his lines

# ---- Rules --------------------------------------------------------------------------------------------------------

def points(player, line, i):
    return weight[player][line][i] + weight[player][line][i + 1]


def after(own, foe, place):
    """The board after a move, seen by the other player."""
    own, foe = own[:], foe[:]
    if place is not PASS:
        line, i = place
        own[line] |= 3 << i
        foe[i] |= 1 << line
        foe[i + 1] |= 1 << line
    return foe, own

# ---- Choice -------------------------------------------------------------------------------------------------------

SHARE, RESERVE = 10, 100  # a move may take a tenth of the time left, but for the last 100 milliseconds
MAX_DEPTH = 64  # moves to look ahead; a bot with a small number repeats its games
INFINITY = 1_000_000


@lru_cache(maxsize=None)
def line_prospects(player, line, cells):
    """The points a player could still make on a line with these cells taken, if the other laid no more dominoes.

    The first j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
    """
    best = shorter = 0  # for the first j cells and the first j-1 cells
    for i in range(len(weight[player][line]) - 1):
        with_domino = 0 if cells >> i & 3 else shorter + points(player, line, i)
        shorter, best = best, max(best, with_domino)
    return best


def prospects(player, lines):
    """What a player could make on each of his lines; his dominoes never cross from line to line."""
    return [line_prospects(player, line, cells) for line, cells in enumerate(lines)]


def list_moves(player, own, foe):
    """All moves as (value, points, place), the highest value first. The value is the points and the board after them:
    own prospects minus the other's. A move changes one line of the player and two of the other."""
    own_now, foe_now = prospects(player, own), prospects(1 - player, foe)
    now, moves = sum(own_now) - sum(foe_now), []
    for line, cells in enumerate(own):
        for i in range(len(foe) - 1):
            if not cells >> i & 3:
                gain = points(player, line, i)
                value = now + gain + line_prospects(player, line, cells | 3 << i) - own_now[line]
                for j in (i, i + 1):
                    value += foe_now[j] - line_prospects(1 - player, j, foe[j] | 1 << line)
                moves.append((value, gain, (line, i)))
    return sorted(moves, key=lambda move: -move[0])  # equals stay in their order


def search(player, own, foe, depth, alpha, beta, deadline):
    """The points that the player to move can still gain on the other one (negamax with alpha-beta)."""
    if time.monotonic() > deadline:
        raise TimeoutError
    moves = list_moves(player, own, foe)
    if not moves:
        return -sum(prospects(1 - player, foe))  # the other one now lays all the dominoes that fit
    if depth == 1:
        return moves[0][0]
    for _, gain, place in moves:
        after_it = after(own, foe, place)
        alpha = max(alpha, gain - search(1 - player, *after_it, depth - 1, gain - beta, gain - alpha, deadline))
        if alpha >= beta:
            break
    return alpha


def choose(player, own, foe, my_time):
    """The place to play; a PASS only when there is none. `my_time`, in milliseconds, is left for the whole game."""
    deadline = time.monotonic() + (my_time - RESERVE) / SHARE / 1000
    moves = list_moves(player, own, foe)
    with contextlib.suppress(TimeoutError):
        for depth in range(1, MAX_DEPTH if len(moves) > 1 else 1):
            best, alpha = None, -INFINITY
            for move in moves:
                _, gain, place = move
                value = gain - search(1 - player, *after(own, foe, place), depth, -INFINITY, gain - alpha, deadline)
                if value > alpha:
                    best, alpha = move, value
            moves = [best] + [move for move in moves if move != best]  # the next iteration tries it first
    return moves[0][2] if moves else PASS

# ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

def main():
    player, own, foe = FIRST, [], []
    for text in sys.stdin:
        command, *words = text.split() or [""]
        if command == "READY":  # FIRST or SECOND, which follows from the moves as well
            print("OK", flush=True)
        elif command == "TURN":
            place = choose(player, own, foe, int(words[0]))
            x, y = (-1, -1) if place is PASS else (place[player] + 1, place[1 - player] + 1)
            print("MOVE", x, y, flush=True)  # flush, or the judge waits for an answer that never leaves this process
            player, (own, foe) = 1 - player, after(own, foe, place)
        elif command in ("OPP", "OPENING"):  # OPENING: a move made for us before READY
            x, y = int(words[0]) - 1, int(words[1]) - 1
            place = PASS if x < 0 else (x, y) if player == FIRST else (y, x)
            player, (own, foe) = 1 - player, after(own, foe, place)
        elif command == "FINISH":
            if "AGON_STAY" not in os.environ:
                break
            player, weight[FIRST] = FIRST, []  # the same program plays the next game, too
            line_prospects.cache_clear()
        elif command:  # a row of the board
            weight[FIRST].append([int(word) for word in text.split()])
            weight[SECOND] = list(zip(*weight[FIRST]))
            own, foe = [0] * len(weight[FIRST]), [0] * len(weight[SECOND])


main()
