"""Othello for Agon: docs/own-game.md explains every line that is read and written here."""
import random
import re
import sys

GAME = """\
name othello
title Othello
summary stones flip between two of the other colour on 8 x 8; more stones win
rule MOVE row column, both from 1 to 8 from the upper left corner, puts a stone that flips at least one.
rule Black moves first. The middle has White on 4 4 and 5 5, Black on 4 5 and 5 4.
rule MOVE -1 -1 passes; it is legal only without any other move. Two passes end the game; more stones win.
seats Black White
plies 128
has draws moves view save playout"""

STEPS = (-11, -10, -9, -1, 1, 9, 10, 11)
PLACES = [row * 10 + column for row in range(1, 9) for column in range(1, 9)]
EDGE = "#"


class Game:
    """A board of 10 x 10 with an edge, who moves (B or W), and whether the last move was a pass."""

    def start(self, seed, parameters):
        self.load("..........." "................" "WB" "......" "BW" "..........................." " B")

    def load(self, text):
        """Goes on from a saved state; returns whether it is one."""
        if not re.fullmatch("[.BW]{64} [BW][pe]?", text):
            return False
        stones, self.turn = text[:64], text[65]
        self.passed, self.over, self.last = text[66:] == "p", text[66:] == "e", None
        self.board = [EDGE] * 100
        for place, stone in zip(PLACES, stones):
            self.board[place] = stone
        return True

    def save(self):
        end = "e" if self.over else "p" if self.passed else ""
        return "".join(self.board[place] for place in PLACES) + " " + self.turn + end

    def flips(self, place):
        if self.board[place] != ".":
            return []
        board, mine, flipped = self.board, self.turn, []
        other = "W" if mine == "B" else "B"
        for step in STEPS:
            at = place + step
            if board[at] != other:
                continue
            run = []
            while board[at] == other:
                run.append(at)
                at += step
            if board[at] == mine:
                flipped += run
        return flipped

    def moves(self):
        if self.over:
            return []
        places = [place for place in PLACES if self.flips(place)]
        return ["%d %d" % divmod(place, 10) for place in places] or ["-1 -1"]

    def play(self, side, chance, text):
        """Plays a move, or returns why it is refused."""
        if self.over:
            return "the game is over"
        words = text.split()
        if words == ["-1", "-1"]:
            if self.moves() != ["-1 -1"]:
                return "a pass, although there is a legal move"
            self.over, self.passed, self.last = self.passed, True, None
        else:
            if len(words) != 2 or not all(word.isascii() and word.isdigit() and len(word) == 1 for word in words):
                return "row and column expected, both from 1 to 8"
            place = int(words[0]) * 10 + int(words[1])
            if self.board[place] == EDGE:
                return "row and column expected, both from 1 to 8"
            flipped = self.flips(place)
            if not flipped:
                return "the place is taken" if self.board[place] != "." else "it flips no stone"
            for at in [place] + flipped:
                self.board[at] = self.turn
            self.passed, self.last = False, place
        self.turn = "W" if self.turn == "B" else "B"
        return None

    def situation(self):
        black, white = self.board.count("B"), self.board.count("W")
        lines = ["score %d %d" % (black, white)]
        if self.over:
            winner = "first" if black > white else "second" if white > black else "draw"
            return lines + ["end %s neither side has a move; %d to %d stones" % (winner, black, white)]
        return lines + ["turn " + ("first" if self.turn == "B" else "second")]

    def view(self, watcher):
        rows = ["".join(self.board[row * 10 + 1:row * 10 + 9]) for row in range(1, 9)]
        mark = ["mark placed %d %d" % divmod(self.last, 10)] if self.last else []
        return ["stones BW"] + ["row " + row for row in rows] + mark


# From here on it is the same for every game.


def answer(game, line):
    word, _, rest = line.partition(" ")
    if word == "GAME":
        return GAME.split("\n")
    if word == "START":
        seed, *pairs = rest.split()
        game.start(int(seed), dict(pair.split("=") for pair in pairs))
        return game.situation()
    if word == "PLAY":
        side, chance, text = rest.split(" ", 2)
        refused = game.play(side, int(chance), text)
        return ["no " + refused] if refused else game.situation()
    if word == "MOVES":
        return ["move " + text for text in game.moves()]
    if word == "VIEW":
        return game.view(rest)
    if word == "SAVE":
        return ["state " + game.save()]
    if word == "LOAD":
        return game.situation() if game.load(rest) else ["no this is no state that SAVE wrote"]
    if word == "PLAYOUT":
        before, draw = game.save(), random.Random(int(rest))
        while moves := game.moves():
            game.play("", draw.getrandbits(53), draw.choice(moves))
        lines = game.situation()
        game.load(before)
        return lines
    return ["no such question"]


def main():
    game = Game()
    for line in sys.stdin:
        lines = answer(game, line.rstrip("\n"))
        if not lines or not lines[0].startswith("no "):
            lines = lines + ["ok"]
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()


main()
