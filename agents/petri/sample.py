"""Battle for the Petri Dish: a sample species in Python. Replace `choose` by your own idea.

The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.

Try: printf '4 4\\n....\\n.o..\\n....\\n..x.\\n\\n1 1 5 7' | python3 sample.py
"""
import sys

HP, ENERGY, ACIDITY = 5, 7, 0  # must add up to 12
DIRECTIONS = {"N": (0, -1), "NE": (1, -1), "E": (1, 0), "SE": (1, 1),
              "S": (0, 1), "SW": (-1, 1), "W": (-1, 0), "NW": (-1, -1)}
WALL = "#"


def look(dish, x, y):
    """o own, x enemy, . empty, c corpse, # outside the dish; x goes right and y down, from 0."""
    return dish[y][x] if 0 <= y < len(dish) and 0 <= x < len(dish[0]) else WALL


def room(dish, x, y):
    """How many neighbours of a square hold no living cell."""
    return sum(look(dish, x + dx, y + dy) in ".c" for dx, dy in DIRECTIONS.values())


def choose(dish, x, y, hp, energy):
    """What the cell at (x, y) does: multiply first, then eat, then fight, and spread out while waiting for energy."""
    corpse = enemy = space = None  # the direction of one of each; of all free squares, the one with the most room
    most_room = -1
    for name, (dx, dy) in DIRECTIONS.items():
        seen = look(dish, x + dx, y + dy)
        if seen == "c" and not corpse:
            corpse = name
        if seen == "x" and not enemy:
            enemy = name
        if seen in ".c" and room(dish, x + dx, y + dy) > most_room:
            space, most_room = name, room(dish, x + dx, y + dy)

    if space and energy >= 5:
        return "DIVIDE " + space
    if corpse and energy <= ENERGY - 2:  # hungry
        return "EAT " + corpse
    if enemy and energy >= 1:
        return "ATTACK %s %d" % (enemy, min(energy, 3))
    if space and energy >= 1 and most_room >= room(dish, x, y) + 3:  # crowded here
        return "MOVE " + space
    return "REST"


def main():
    words = sys.stdin.read().split()
    if words[:1] == ["BEGIN"]:
        print(HP, ENERGY, ACIDITY)
    elif words:
        height = int(words[1])
        dish, (x, y, hp, energy) = words[2 : 2 + height], map(int, words[2 + height :])
        print(choose(dish, x, y, hp, energy))


main()
