// Bacteria War: a sample bot in JavaScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Run: node sample.js
"use strict";

// ---- Board ---------------------------------------------------------------------------------------------------------
// A board is an array of cells, row by row, seen by the player to move. A move goes from a cell to a cell, each 0..48.

const SIDE = 7, AREA = SIDE * SIDE;
const OWN = 1, EMPTY = 0, FOE = -1;
const PASS = null;

/** For every cell, the cells at a distance. */
function atDistance(wanted) {
  const cells = [...Array(AREA).keys()];
  const row = (cell) => Math.floor(cell / SIDE), column = (cell) => cell % SIDE;
  const distance = (a, b) => Math.max(Math.abs(row(a) - row(b)), Math.abs(column(a) - column(b)));
  return cells.map((a) => cells.filter((b) => distance(a, b) === wanted));
}

const NEAR = atDistance(1); // a division comes from there, an infection goes there
const FAR = atDistance(2); // a leap comes from there

/** The board that a FEN names, seen by x, who is the first player, or by o. */
function boardOf(rows, side) {
  const cells = rows.replace(/\//g, "").replace(/\d/g, (digit) => ".".repeat(Number(digit)));
  return Int8Array.from(cells, (c) => (c === "." ? EMPTY : c === side ? OWN : FOE));
}

const START = boardOf("x5o/7/7/7/7/7/o5x", "x");

// ---- Rules ---------------------------------------------------------------------------------------------------------

/** All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. */
function listMoves(board) {
  const moves = [];
  for (let to = 0; to < AREA; to++) {
    if (board[to] !== EMPTY) continue;
    let infected = 0;
    for (const cell of NEAR[to]) if (board[cell] === FOE) infected++;
    const division = NEAR[to].find((from) => board[from] === OWN);
    if (division !== undefined) moves.push({ from: division, to, gain: 2 * infected + 1 });
    for (const from of FAR[to]) if (board[from] === OWN) moves.push({ from, to, gain: 2 * infected });
  }
  if (moves.length === 0) return [PASS];
  return moves.sort((a, b) => b.gain - a.gain); // equals stay in their order
}

/** The board after a move, seen by the other player. */
function after(board, move) {
  const next = board.map((cell) => -cell);
  if (move === PASS) return next;
  for (const cell of NEAR[move.to]) if (board[cell] === FOE) next[cell] = FOE; // infected: it is now the mover's
  next[move.to] = FOE;
  if (FAR[move.to].includes(move.from)) next[move.from] = EMPTY; // a leap empties its source
  return next;
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games

class OutOfTime extends Error {}

/** What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
function search(board, depth, alpha, beta, deadline) {
  let own = 0, foe = 0;
  for (const cell of board) {
    if (cell === OWN) own++;
    else if (cell === FOE) foe++;
  }
  if (own === 0 || foe === 0 || own + foe === AREA) return 100 * (own - foe); // the game is over
  if (depth === 0) return own - foe;
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = listMoves(board);
  if (depth === 1) moves.length = 1; // the last move is the one that gains most
  for (const move of moves) {
    alpha = Math.max(alpha, -search(after(board, move), depth - 1, -beta, -alpha, deadline));
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds. */
function choose(board, myTime) {
  const deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(board);
  try {
    for (let depth = 1; depth < MAX_DEPTH && moves.length > 1; depth++) {
      let best, alpha = -Infinity;
      for (const move of moves) {
        const value = -search(after(board, move), depth, -Infinity, -alpha, deadline);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter((move) => move !== best)]; // the next iteration tries it first
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return moves[0];
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

let board = START;
const input = require("readline").createInterface({ input: process.stdin });
input.on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const move = choose(board, Number(words[0]));
    const numbers = (cell) => [Math.floor(cell / SIDE) + 1, (cell % SIDE) + 1];
    console.log("MOVE", ...(move === PASS ? [-1, -1, -1, -1] : [...numbers(move.from), ...numbers(move.to)]));
    board = after(board, move);
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    const [x1, y1, x2, y2] = words.map((word) => Number(word) - 1);
    board = after(board, x1 < 0 ? PASS : { from: SIDE * x1 + y1, to: SIDE * x2 + y2 });
  } else if (command === "POSITION") { // where the game begins, and who moves
    board = boardOf(words[0], words[1]);
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit();
    board = START; // the same program plays the next game, too
  }
});
