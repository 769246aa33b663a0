// Battle for the Petri Dish: a sample species in JavaScript. Replace `choose` by your own idea.
//
// The program is run anew for every action of every cell: it reads one dish and prints one action. It may keep nothing.
//
// Try: printf '4 4\n....\n.o..\n....\n..x.\n\n1 1 5 7' | node sample.js
"use strict";

const HP = 5, ENERGY = 7, ACIDITY = 0; // must add up to 12
const DIRECTIONS = { N: [0, -1], NE: [1, -1], E: [1, 0], SE: [1, 1], S: [0, 1], SW: [-1, 1], W: [-1, 0], NW: [-1, -1] };
const WALL = "#";

/** o own, x enemy, . empty, c corpse, # outside the dish; x goes right and y down, from 0. */
function look(dish, x, y) {
  return dish[y]?.[x] ?? WALL;
}

const isFree = (seen) => seen === "." || seen === "c";

/** How many neighbours of a square hold no living cell. */
function room(dish, x, y) {
  return Object.values(DIRECTIONS).filter(([dx, dy]) => isFree(look(dish, x + dx, y + dy))).length;
}

/** What the cell at (x, y) does: multiply first, then eat, then fight, and spread out while waiting for energy. */
function choose(dish, x, y, hp, energy) {
  let corpse, enemy, space; // the direction of one of each; of all free squares, the one with the most room
  let mostRoom = -1;
  for (const [name, [dx, dy]] of Object.entries(DIRECTIONS)) {
    const seen = look(dish, x + dx, y + dy);
    if (seen === "c") corpse ??= name;
    if (seen === "x") enemy ??= name;
    if (isFree(seen) && room(dish, x + dx, y + dy) > mostRoom) {
      space = name;
      mostRoom = room(dish, x + dx, y + dy);
    }
  }

  if (space && energy >= 5) return `DIVIDE ${space}`;
  if (corpse && energy <= ENERGY - 2) return `EAT ${corpse}`; // hungry
  if (enemy && energy >= 1) return `ATTACK ${enemy} ${Math.min(energy, 3)}`;
  if (space && energy >= 1 && mostRoom >= room(dish, x, y) + 3) return `MOVE ${space}`; // crowded here
  return "REST";
}

const words = require("fs").readFileSync(0, "utf8").trim().split(/\s+/);
if (words[0] === "BEGIN") {
  console.log(HP, ENERGY, ACIDITY);
} else if (words[0]) {
  const height = Number(words[1]);
  const dish = words.slice(2, 2 + height);
  const [x, y, hp, energy] = words.slice(2 + height).map(Number);
  console.log(choose(dish, x, y, hp, energy));
}
