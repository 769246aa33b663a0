"""Renju: a sample bot in Python. It looks ahead while its time lasts. Replace `choose` by your own idea.

Run: python3 sample.py        (PyPy3 runs it too, faster)"""
import contextlib, os, sys, time
from functools import lru_cache

# ---- Board --------------------------------------------------------------------------------------------------------
# A board is a string, row by row, with a margin of walls. A direction is the distance to the next cell.

SIDE, WIDTH = 15, 20
EMPTY, BLACK, WHITE, WALL = ".BW#"
OTHER = {BLACK: WHITE, WHITE: BLACK}
DIRECTIONS = 1, WIDTH, WIDTH + 1, WIDTH - 1
CELLS = [WIDTH * (x + 5) + y for x in range(1, SIDE + 1) for y in range(1, SIDE + 1)]
PASS = WIDTH * 4 - 1  # as if it were the cell (-1,-1)
START = WALL * (6 * WIDTH + 1) + (EMPTY * SIDE + WALL * (WIDTH - SIDE)) * SIDE + WALL * 5 * WIDTH


def line(board, cell, direction, reach):
    """The cells through a cell in one direction, up to `reach` steps away on both sides."""
    return board[cell - reach * direction : cell + reach * direction + 1 : direction]

# ---- Rules --------------------------------------------------------------------------------------------------------

@lru_cache(maxsize=None)
def shapes(cells):
    """What a black stone amid 11 cells makes: the length of its row, FOURs, THREEs."""
    before, behind = cells[:5], cells[6:]
    row = len(before) - len(before.rstrip(BLACK)) + 1 + len(behind) - len(behind.lstrip(BLACK))
    cells = before + BLACK + behind
    # A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
    four = any(cells[i : i + 5].count(BLACK) == 4 and EMPTY in cells[i : i + 5] for i in range(1, 6))
    # A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
    three = any(cells[i : i + 4].count(BLACK) == 3 and cells[i - 1 : i + 5].count(EMPTY) == 3 for i in range(2, 6))
    return row, four * (2 if cells[1:10].count(BLACK) >= 5 else 1), three


def may_play(board, player, cell):
    """Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
    all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed."""
    stones = SIDE * SIDE - board.count(EMPTY)  # the first is on (8,8), the second a step from it, the third two
    if player == WHITE or stones < 3:
        return stones > 2 or max(abs(cell // WIDTH - 13), abs(cell % WIDTH - 8)) <= stones
    rows, fours, threes = zip(*[shapes(line(board, cell, direction, 5)) for direction in DIRECTIONS])
    return 5 in rows or (max(rows) < 5 and sum(fours) < 2 and sum(threes) < 2)

# ---- Choice -------------------------------------------------------------------------------------------------------
# A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
# is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
# order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.

ORDER = (0, 6, 50, 1500, 1_000_000), (0, 5, 40, 1000, 50_000)
VALUE = (1, 6, 50, 500, 0), (0, 1, 7, 57, 557)
WIN, FOUR, INFINITY = ORDER[0][4], ORDER[1][4], 10_000_000
BREADTH = 10  # moves tried in a position
MAX_DEPTH = 64  # moves to look ahead; a bot with a small number repeats its games
SHARE, RESERVE = 30, 100  # a move may take a thirtieth of the time left, but for the last 100 milliseconds


@lru_cache(maxsize=None)
def worth(table, player, cells):
    """What a stone in the middle of nine cells is worth."""
    fives = [cells[i : i + 5] for i in range(5)]
    counts = [(five.count(player), five.count(OTHER[player])) for five in fives if WALL not in five]
    return sum(table[1][foe] if foe else table[0][own] for own, foe in counts if not own or not foe)


class Position:
    """A board seen by the player to move: its score for him, and what a stone on each cell is worth to both."""

    def __init__(self, board=START, player=BLACK, score=0, own=(0,) * len(START), foe=(0,) * len(START)):
        self.board, self.player, self.score, self.own, self.foe = board, player, score, own, foe

    def after(self, cell):
        old, player, score, own, foe = self.board, self.player, self.score, list(self.own), list(self.foe)
        if cell == PASS:
            return Position(old, OTHER[player], -score, foe, own)
        new = old[:cell] + player + old[cell + 1 :]
        for direction in DIRECTIONS:
            score += worth(VALUE, player, line(old, cell, direction, 4))
            for near in range(cell - 4 * direction, cell + 5 * direction, direction):
                if new[near] == EMPTY:
                    before, now = line(old, near, direction, 4), line(new, near, direction, 4)
                    own[near] += worth(ORDER, player, now) - worth(ORDER, player, before)
                    foe[near] += worth(ORDER, OTHER[player], now) - worth(ORDER, OTHER[player], before)
        return Position(new, OTHER[player], -score, foe, own)

    def list_moves(self):
        """The moves to try, the one worth most first; after a four, only those that complete or block it."""
        moves = []
        for cell in sorted(CELLS, key=self.own.__getitem__, reverse=True):  # equals stay in their order
            if len(moves) == BREADTH or moves and self.own[moves[0]] >= FOUR > self.own[cell]:
                break
            if self.board[cell] == EMPTY and may_play(self.board, self.player, cell):
                moves.append(cell)
        return moves

    def search(self, depth, alpha, beta, deadline):
        """What the player to move can reach in `depth` moves (negamax with alpha-beta)."""
        if time.monotonic() > deadline:
            raise TimeoutError
        moves = self.list_moves() if depth > 0 else []
        if not moves:
            return self.score
        if self.own[moves[0]] >= WIN:
            return WIN + self.board.count(EMPTY)  # the sooner, the better
        depth += self.own[moves[0]] >= FOUR  # a forced move does not count
        for cell in moves if depth > 1 else moves[:1]:  # the last move is the one that looks best
            alpha = max(alpha, -self.after(cell).search(depth - 1, -beta, -alpha, deadline))
            if alpha >= beta:
                break
        return alpha


def choose(position, my_time):
    """The cell to play, or a PASS when none is sure to be legal. `my_time`, in milliseconds, is left for the game."""
    deadline = time.monotonic() + (my_time - RESERVE) / SHARE / 1000
    moves = position.list_moves()
    with contextlib.suppress(TimeoutError):
        for depth in range(2, MAX_DEPTH if len(moves) > 1 and position.own[moves[0]] < WIN else 2):
            best, alpha = PASS, -INFINITY
            for cell in moves:
                value = -position.after(cell).search(depth, -INFINITY, -alpha, deadline)
                if value > alpha:
                    best, alpha = cell, value
            moves = [best] + [cell for cell in moves if cell != best]  # the next iteration tries it first
    return moves[0] if moves else PASS

# ---- Protocol: one command a line; a PASS is -1 -1 ------------------------------------------------------------------

def main():
    position = Position()
    for text in sys.stdin:
        command, *words = text.split() or [""]
        if command == "READY":  # FIRST or SECOND, which follows from the moves as well
            print("OK", flush=True)
        elif command == "TURN":
            cell = choose(position, int(words[0]))
            position = position.after(cell)
            x, y = (-1, -1) if cell == PASS else (cell // WIDTH - 5, cell % WIDTH)
            print("MOVE", x, y, flush=True)  # flush, or the judge waits for an answer that never leaves this process
        elif command in ("OPP", "OPENING"):  # OPENING: a move made for us before READY
            position = position.after(WIDTH * (int(words[0]) + 5) + int(words[1]))
        elif command == "FINISH":
            if "AGON_STAY" not in os.environ:
                break
            position = Position()  # the same program plays the next game, too


main()
