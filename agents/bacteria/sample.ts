// Bacteria War: a sample bot in TypeScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: tsc --target es2019 sample.ts && node sample.js
declare const process: any, require: (module: string) => any; // of Node, without its types

// ---- Board ---------------------------------------------------------------------------------------------------------
// A cell is a number, 7*row + column (both from 0). The first player's cells are "x", the second player's "o".

const SIDE = 7, AREA = SIDE * SIDE;

type Cell = "x" | "o" | ".";

/** All cells, and which are those of the player to move. */
interface Board { readonly cells: readonly Cell[], readonly own: Cell, readonly foe: Cell }

/** Where a move comes from, where it goes, and what it gains: two for each infection, one for a division. */
interface Move { readonly from: number, readonly to: number, readonly gain: number }

const PASS: Move = { from: -1, to: -1, gain: 0 };

/** For every cell, the cells at this distance. */
function atDistance(distance: number): number[][] {
  const all = Array.from({ length: AREA }, (_, cell) => cell), row = (cell: number) => Math.floor(cell / SIDE);
  return all.map(a => all.filter(b => Math.max(Math.abs(row(a) - row(b)), Math.abs(a % SIDE - b % SIDE)) === distance));
}

const NEAR = atDistance(1); // a division comes from there, an infection goes there
const FAR = atDistance(2); // a leap comes from there

/** Reads a position: rows of x, o and numbers of empty cells; who moves. */
function readBoard(rows: string, mover: string): Board {
  const cells = rows.replace(/\//g, "").replace(/\d/g, digit => ".".repeat(Number(digit)));
  return { cells: [...cells] as Cell[], own: mover === "x" ? "x" : "o", foe: mover === "x" ? "o" : "x" };
}

const START = readBoard("x5o/7/7/7/7/7/o5x", "x");

// ---- Rules ---------------------------------------------------------------------------------------------------------

/** All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all. */
function listMoves({ cells, own, foe }: Board): Move[] {
  const moves: Move[] = [];
  for (let to = 0; to < AREA; to++) {
    if (cells[to] !== ".") continue;
    const gain = 2 * NEAR[to].filter(cell => cells[cell] === foe).length;
    const division = NEAR[to].find(cell => cells[cell] === own);
    if (division !== undefined) moves.push({ from: division, to, gain: gain + 1 });
    for (const from of FAR[to]) if (cells[from] === own) moves.push({ from, to, gain });
  }
  return moves.length === 0 ? [PASS] : moves.sort((a, b) => b.gain - a.gain); // equals stay in their order
}

/** The board after a move, seen by the other player. */
function after({ cells, own, foe }: Board, move: Move): Board {
  const next = [...cells];
  if (move !== PASS) {
    next[move.to] = own;
    for (const cell of NEAR[move.to]) if (cells[cell] === foe) next[cell] = own;
    if (FAR[move.to].includes(move.from)) next[move.from] = "."; // a leap empties its source
  }
  return { cells: next, own: foe, foe: own };
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const INFINITY = 1_000_000;

class OutOfTime extends Error {}

let deadline = 0;

/** What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta). */
function search(board: Board, depth: number, alpha: number, beta: number): number {
  let own = 0, foe = 0;
  for (const cell of board.cells) {
    if (cell === board.own) own++;
    else if (cell === board.foe) foe++;
  }
  if (own === 0 || foe === 0 || own + foe === AREA) return 100 * (own - foe); // the game is over
  if (depth === 0) return own - foe;
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = listMoves(board);
  for (const move of depth > 1 ? moves : moves.slice(0, 1)) { // the last move is the one that gains most
    alpha = Math.max(alpha, -search(after(board, move), depth - 1, -beta, -alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The move to play; `myTime` is what is left of the clock for the whole game, in milliseconds. */
function choose(board: Board, myTime: number): Move {
  deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(board);
  try {
    for (let depth = 1; depth < MAX_DEPTH && moves.length > 1; depth++) {
      let best = PASS, alpha = -INFINITY;
      for (const move of moves) {
        const value = -search(after(board, move), depth, -INFINITY, -alpha);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter(move => move !== best)]; // the next iteration tries it first
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error; // the last finished iteration counts
  }
  return moves[0];
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ----------------------------

let board = START;

require("readline").createInterface({ input: process.stdin }).on("line", (text: string) => {
  const [command, ...words] = text.trim().split(/ +/);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const move = choose(board, Number(words[0]));
    board = after(board, move);
    const numbers = [move.from, move.to].map(cell => `${Math.floor(cell / SIDE) + 1} ${cell % SIDE + 1}`);
    console.log("MOVE", move === PASS ? "-1 -1 -1 -1" : numbers.join(" "));
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    const [x1, y1, x2, y2] = words.map(word => Number(word) - 1);
    board = after(board, x1 < 0 ? PASS : { from: SIDE * x1 + y1, to: SIDE * x2 + y2, gain: 0 });
  } else if (command === "POSITION") { // where the game begins
    board = readBoard(words[0], words[1]);
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit(0);
    board = START; // the same program plays the next game, too
  }
});
