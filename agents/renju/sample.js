// Renju: a sample bot in JavaScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Run: node sample.js
"use strict";

// ---- Board ---------------------------------------------------------------------------------------------------------
// The cells are stored row by row, with a margin of walls. A direction is the distance to the next cell.
const SIDE = 15, WIDTH = 20, PASS = -1;
const EMPTY = 0, BLACK = 1, WHITE = 2, WALL = 3;
const DIRECTIONS = [1, WIDTH, WIDTH + 1, WIDTH - 1], STEPS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5];
const cellAt = (x, y) => WIDTH * (x + 5) + y; // row and column, from 1
const FIRST_CELL = cellAt(1, 1), LAST_CELL = cellAt(SIDE, SIDE);
const other = (player) => BLACK + WHITE - player;

function start() {
  const cells = new Int8Array(26 * WIDTH + 1).fill(WALL);
  for (let x = 1; x <= SIDE; x++) cells.fill(EMPTY, cellAt(x, 1), cellAt(x, SIDE) + 1);
  return { cells, player: BLACK, score: 0, stones: 0 }; // the score is for the player to move
}

/** The 11 cells through a cell in one direction: all that can matter to a stone there, the one in the middle. */
const lineThrough = ({ cells }, cell, direction) => STEPS.map((step) => cells[cell + step * direction]);

/** How many of the `n` cells from `first` on are `wanted`. */
function count(line, first, n, wanted) {
  let sum = 0;
  for (let i = first; i < first + n; i++) if (line[i] === wanted) sum++;
  return sum;
}

// ---- Rules ---------------------------------------------------------------------------------------------------------
// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts all
// that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
function mayPlay(position, cell) {
  if (position.stones < 3) // the first is on (8,8), the second a step from it, the third two
    return Math.max(Math.abs(Math.floor(cell / WIDTH) - 13), Math.abs(cell % WIDTH - 8)) <= position.stones;
  let longest = 0, fours = 0, threes = 0;
  for (const direction of position.player === BLACK ? DIRECTIONS : []) {
    const line = lineThrough(position, cell, direction);
    line[5] = BLACK;
    let first = 5, last = 5;
    while (line[first - 1] === BLACK) first--;
    while (line[last + 1] === BLACK) last++;
    if (last - first === 4) return true; // a FIVE wins, whatever else it makes
    longest = Math.max(longest, last - first + 1);
    // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
    const four = [1, 2, 3, 4, 5].some((i) => count(line, i, 5, BLACK) === 4 && count(line, i, 5, EMPTY) === 1);
    if (four) fours += count(line, 1, 9, BLACK) >= 5 ? 2 : 1;
    // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
    if ([2, 3, 4, 5].some((i) => count(line, i, 4, BLACK) === 3 && count(line, i - 1, 6, EMPTY) === 3)) threes++;
  }
  return longest < 6 && fours < 2 && threes < 2;
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
// is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
// order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.
const ORDER = [[0, 6, 50, 1500, 1_000_000], [0, 5, 40, 1000, 50_000]];
const VALUE = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]];
const WIN = ORDER[0][4], FOUR = ORDER[1][4];
const BREADTH = 10; // moves tried in a position
const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games

class OutOfTime extends Error {}

function worth([toOwn, toFoe], { cells, player }, cell) {
  let sum = 0;
  for (const direction of DIRECTIONS)
    for (let first = cell - 4 * direction, k = 0; k < 5; k++, first += direction) {
      let own = 0, foe = 0, i = 0;
      for (let at = first; i < 5 && cells[at] !== WALL; i++, at += direction)
        if (cells[at] === player) own++;
        else if (cells[at] !== EMPTY) foe++;
      if (i === 5 && (own === 0 || foe === 0)) sum += foe ? toFoe[foe] : toOwn[own];
    }
  return sum;
}

/** The position after a move. */
function after(position, cell) {
  const { player, stones } = position, cells = position.cells.slice();
  if (cell === PASS) return { cells, player: other(player), score: -position.score, stones };
  cells[cell] = player;
  return { cells, player: other(player), score: -position.score - worth(VALUE, position, cell), stones: stones + 1 };
}

/** The moves to try, the one worth most first; after a four, only those that complete or block it. */
function listMoves(position) {
  const all = [], moves = [];
  for (let cell = FIRST_CELL; cell <= LAST_CELL; cell++)
    if (position.cells[cell] === EMPTY) all.push({ cell, worth: worth(ORDER, position, cell) });
  for (const move of all.sort((a, b) => b.worth - a.worth)) { // equals stay in their order
    if (moves.length === BREADTH || (moves.length && moves[0].worth >= FOUR && move.worth < FOUR)) break;
    if (mayPlay(position, move.cell)) moves.push(move);
  }
  return moves;
}

/** What the player to move can reach in `depth` moves (negamax with alpha-beta). */
function search(position, depth, alpha, beta, deadline) {
  if (depth === 0) return position.score;
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = listMoves(position);
  if (moves.length === 0) return position.score;
  if (moves[0].worth >= WIN) return WIN + SIDE * SIDE - position.stones; // the sooner, the better
  if (moves[0].worth >= FOUR) depth++; // a forced move does not count
  if (depth === 1) moves.length = 1; // the last move is the one that looks best
  for (const { cell } of moves) {
    alpha = Math.max(alpha, -search(after(position, cell), depth - 1, -beta, -alpha, deadline));
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the whole game. */
function choose(position, myTime) {
  const deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(position);
  try {
    for (let depth = 2; depth < MAX_DEPTH && moves.length > 1 && moves[0].worth < WIN; depth++) {
      let best, alpha = -Infinity;
      for (const move of moves) {
        const value = -search(after(position, move.cell), depth, -Infinity, -alpha, deadline);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter((move) => move !== best)]; // the next iteration tries it first
    }
  } catch (error) { if (!(error instanceof OutOfTime)) throw error; } // the last finished iteration stands
  return moves.length ? moves[0].cell : PASS;
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------
let position = start();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const cell = choose(position, Number(words[0]));
    console.log("MOVE", ...(cell === PASS ? [-1, -1] : [Math.floor(cell / WIDTH) - 5, cell % WIDTH]));
    position = after(position, cell);
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    const [x, y] = words.map(Number);
    position = after(position, x < 0 ? PASS : cellAt(x, y));
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit();
    position = start(); // the same program plays the next game, too
  }
});
