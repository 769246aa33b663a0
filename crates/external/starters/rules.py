"""last-stone: from a heap of stones each side takes 1 to 3; whoever takes the last one wins."""
import random
import sys

GAME = """\
name last-stone
title Last Stone
summary each side takes 1 to 3 stones from a heap; whoever takes the last one wins
rule MOVE n takes n stones, from 1 to 3.
rule Both are sent the line INFO stones N before READY.
seats First Second
parameter stones 5..60 21 stones in the heap
plies 60
has moves view save playout"""


class Game:
    def start(self, seed, parameters):
        """Sets up a game; all chance comes from the seed. Returns lines for the agents."""
        self.stones, self.turn = int(parameters["stones"]), "first"
        return ["info both stones %d" % self.stones]

    def moves(self):
        """The legal moves of the side to move; none when the game is over."""
        return [str(taken) for taken in (1, 2, 3) if taken <= self.stones]

    def play(self, side, chance, move):
        """Plays a move, or returns why it is refused. What is random comes from the number `chance`."""
        if move not in self.moves():
            return "1 to 3 stones expected, and not more than are left: %d" % self.stones
        self.stones -= int(move)
        self.turn = "second" if side == "first" else "first"
        return None

    def situation(self):
        """Whose turn it is, or who has won and why."""
        if self.stones == 0:
            winner = "second" if self.turn == "first" else "first"
            return ["end %s the last stone is taken" % winner]
        return ["turn " + self.turn]

    def save(self):
        return "%d %s" % (self.stones, self.turn)

    def load(self, text):
        """Goes on from a saved state; returns whether it is one."""
        words = text.split()
        if len(words) != 2 or not words[0].isdecimal() or int(words[0]) > 60 or words[1] not in ("first", "second"):
            return False
        self.stones, self.turn = int(words[0]), words[1]
        return True

    def view(self, watcher):
        return ["row " + "o" * self.stones if self.stones else "row ."]


# From here on it is the same for every game.


def answer(game, line):
    word, _, rest = line.partition(" ")
    if word == "GAME":
        return GAME.split("\n")
    if word == "START":
        seed, *pairs = rest.split()
        news = game.start(int(seed), dict(pair.split("=") for pair in pairs))
        return news + game.situation()
    if word == "PLAY":
        side, chance, move = rest.split(" ", 2)
        refused = game.play(side, int(chance), move)
        return ["no " + refused] if refused else game.situation()
    if word == "MOVES":
        return ["move " + move for move in game.moves()]
    if word == "VIEW":
        return game.view(rest)
    if word == "SAVE":
        return ["state " + game.save()]
    if word == "LOAD":
        return game.situation() if game.load(rest) else ["no this is no state that SAVE wrote"]
    if word == "PLAYOUT":
        before, draw = game.save(), random.Random(int(rest))
        while moves := game.moves():
            game.play(game.turn, draw.getrandbits(53), draw.choice(moves))
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
