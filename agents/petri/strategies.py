"""Battle for the Petri Dish: three strategies that a person can understand (docs/petri.md).

Try: agon play petri --first "python3 strategies.py phalanx" --second coordinated
"""
import sys

DIRECTIONS = {"N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
              "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)}


class Dish:
    """o own, x enemy, . empty, c corpse, # outside; x goes right and y down, from 0."""

    def __init__(self, rows):
        self.rows = rows
        self.enemies = [(x, y) for y, row in enumerate(rows) for x, seen in enumerate(row) if seen == "x"]

    def look(self, x, y):
        return self.rows[y][x] if 0 <= y < len(self.rows) and 0 <= x < len(self.rows[0]) else "#"

    def around(self, x, y, what):
        """The neighbours of a square that hold one of these, each with its direction."""
        near = ((name, x + dx, y + dy) for name, (dx, dy) in DIRECTIONS.items())
        return [(name, x, y) for name, x, y in near if self.look(x, y) in what]

    def distance(self, x, y):
        """Steps from a square to the nearest enemy."""
        return min(max(abs(x - ex), abs(y - ey)) for ex, ey in self.enemies)


def swarm(dish, x, y, hp, energy):
    """Numbers: divide as soon as possible, towards the most room; fight only where there is none."""
    free, enemies = dish.around(x, y, ".c"), dish.around(x, y, "x")
    if free and energy >= 5:
        return "DIVIDE " + max(free, key=lambda at: len(dish.around(at[1], at[2], ".c")))[0]
    if enemies and energy >= 1 and not free:
        return "ATTACK %s %d" % (enemies[0][0], min(energy, 3))
    if energy <= 4 and dish.around(x, y, "c"):
        return "EAT " + dish.around(x, y, "c")[0][0]
    return "REST"


def bombers(dish, x, y, hp, energy):
    """Explosions: divide, walk to the enemy, and blow up beside two of them or more than beside friends."""
    free, enemies = dish.around(x, y, ".c"), dish.around(x, y, "x")
    if enemies and hp <= 3 and energy > hp and len(enemies) > len(dish.around(x, y, "o")):
        return "EXPLODE"
    if free and energy >= 5:
        return "DIVIDE " + min(free, key=lambda at: dish.distance(at[1], at[2]))[0]
    if enemies and energy >= 1:
        return "ATTACK %s %d" % (enemies[0][0], min(energy, 3))
    if free and energy >= 4:
        return "MOVE " + min(free, key=lambda at: dish.distance(at[1], at[2]))[0]
    return "REST"


def phalanx(dish, x, y, hp, energy):
    """Ranks: rest until a full blow, strike together, and fill up from behind."""
    free, enemies = dish.around(x, y, ".c"), dish.around(x, y, "x")
    if enemies:
        # All see the same dish: the enemy beside most of us is everybody's.
        target = max(enemies, key=lambda at: len(dish.around(at[1], at[2], "o")))
        return "ATTACK %s 3" % target[0] if energy >= 3 else "REST"
    if free and energy >= 5:
        # Close ranks: next to most friends, and of those squares the one nearest to the enemy.
        rank = lambda at: (len(dish.around(at[1], at[2], "o")), -dish.distance(at[1], at[2]))
        return "DIVIDE " + max(free, key=rank)[0]
    nearer = [at for at in free if dish.distance(at[1], at[2]) < dish.distance(x, y)]
    if nearer and energy >= 4:
        return "MOVE " + max(nearer, key=lambda at: len(dish.around(at[1], at[2], "o")))[0]
    return "REST"


SPECIES = {swarm: "4 8 0", bombers: "2 5 5", phalanx: "7 5 0"}


def main():
    strategy = {choose.__name__: choose for choose in SPECIES}[sys.argv[1]]
    lines = (line.rstrip("\n") for line in sys.stdin)
    for line in lines:
        if line == "BEGIN":
            print(SPECIES[strategy], "LOOP", flush=True)
        elif line == "END":
            break
        elif line:
            height = int(line.split()[1])
            rows = [next(lines) for _ in range(height)]
            next(lines)
            print(strategy(Dish(rows), *map(int, next(lines).split())), flush=True)


main()
