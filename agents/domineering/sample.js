// Domineering: a sample bot in JavaScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
//
// Run: node sample.js
"use strict";

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place is a line and the index
// of the domino's first cell on it, from 0. A board is the player to move and the lines of both; each line is a number,
// in which bit i is set if its cell i is taken.

const FIRST = 0, SECOND = 1;
const PASS = null;
const weight = [[], []]; // for each player, the numbers on each of his lines
const newBoard = () => ({ mover: FIRST, lines: [weight[FIRST].map(() => 0), weight[SECOND].map(() => 0)] });

// ---- Rules ---------------------------------------------------------------------------------------------------------

function points(player, line, i) {
  return weight[player][line][i] + weight[player][line][i + 1];
}

/** The board after a move. */
function after({ mover, lines }, place) {
  const foe = 1 - mover;
  const next = { mover: foe, lines: lines.map((line) => line.slice()) };
  if (place !== PASS) {
    next.lines[mover][place.line] |= 3 << place.i;
    next.lines[foe][place.i] |= 1 << place.line;
    next.lines[foe][place.i + 1] |= 1 << place.line;
  }
  return next;
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE = 10, RESERVE = 100; // a move may take a tenth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games

class OutOfTime extends Error {}

/**
 * The points a player could still make on a line with these cells taken, if the other laid no more dominoes: its first
 * j+1 cells are worth what the first j are, or what the first j-1 are and a domino on the last two.
 */
function lineProspects(player, line, cells) {
  let best = 0, shorter = 0; // for the first j cells and the first j-1 cells
  for (let i = 0; i + 1 < weight[player][line].length; i++) {
    const withDomino = (cells >> i) & 3 ? 0 : shorter + points(player, line, i);
    [shorter, best] = [best, Math.max(best, withDomino)];
  }
  return best;
}

/** What a player could make on all his lines; his dominoes never cross from line to line. */
function prospects(board, player) {
  return board.lines[player].reduce((sum, cells, line) => sum + lineProspects(player, line, cells), 0);
}

/** All moves, the highest value first: the points of a move and the board after it, own prospects minus the other's. */
function listMoves(board) {
  const moves = [], me = board.mover, foe = 1 - me;
  board.lines[me].forEach((cells, line) => {
    for (let i = 0; i + 1 < board.lines[foe].length; i++) {
      if ((cells >> i) & 3) continue;
      const gain = points(me, line, i), next = after(board, { line, i });
      moves.push({ place: { line, i }, gain, value: gain + prospects(next, me) - prospects(next, foe) });
    }
  });
  return moves.sort((a, b) => b.value - a.value); // equals stay in their order
}

/** The points that the player to move can still gain on the other one (negamax with alpha-beta). */
function search(board, depth, alpha, beta, deadline) {
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = listMoves(board);
  if (moves.length === 0) return -prospects(board, 1 - board.mover); // the other one lays all the dominoes that fit
  if (depth === 1) return moves[0].value;
  for (const { place, gain } of moves) {
    const value = gain - search(after(board, place), depth - 1, gain - beta, gain - alpha, deadline);
    alpha = Math.max(alpha, value);
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game. */
function choose(board, myTime) {
  const deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(board);
  try {
    for (let depth = 1; depth < MAX_DEPTH && moves.length > 1; depth++) {
      let best, alpha = -Infinity;
      for (const move of moves) {
        const value = move.gain - search(after(board, move.place), depth, -Infinity, move.gain - alpha, deadline);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter((move) => move !== best)]; // the next iteration tries it first
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error;
  }
  return moves.length ? moves[0].place : PASS;
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

let board = newBoard();
const input = require("readline").createInterface({ input: process.stdin });
input.on("line", (text) => {
  const [command, ...words] = text.trim().split(/\s+/);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const place = choose(board, Number(words[0]));
    if (place === PASS) console.log("MOVE -1 -1");
    else if (board.mover === FIRST) console.log("MOVE", place.line + 1, place.i + 1);
    else console.log("MOVE", place.i + 1, place.line + 1);
    board = after(board, place);
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    const [x, y] = words.map((word) => Number(word) - 1);
    board = after(board, x < 0 ? PASS : board.mover === FIRST ? { line: x, i: y } : { line: y, i: x });
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit();
    weight[FIRST] = []; // the same program plays the next game, too
  } else if (command) { // a row of the board
    weight[FIRST].push([command, ...words].map(Number));
    weight[SECOND] = weight[FIRST][0].map((_, y) => weight[FIRST].map((row) => row[y]));
    board = newBoard();
  }
});
