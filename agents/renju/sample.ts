// Renju: a sample bot in TypeScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: tsc --target es2019 sample.ts && node sample.js
declare const process: any, require: (module: string) => any; // of Node, without its types

// ---- Board ---------------------------------------------------------------------------------------------------------
// A board is read row by row and has a margin of walls. A direction is the distance to the next cell.
const SIDE = 15, AREA = SIDE * SIDE, WIDTH = 20, EMPTY = 0, BLACK = 1, WHITE = 2, WALL = 3;
const DIRECTIONS = [1, WIDTH, WIDTH + 1, WIDTH - 1];
const CELLS = Array.from({ length: AREA }, (_, n) => WIDTH * (Math.floor(n / SIDE) + 6) + n % SIDE + 1);
const PASS = WIDTH * 4 - 1; // as if it were the cell (-1,-1)

/** A board seen by the player to move: how many stones are on it, and its score for him. */
type Position = Readonly<{ board: Uint8Array, player: number, stones: number, score: number }>;

const START: Position = { board: new Uint8Array(26 * WIDTH + 1).fill(WALL), player: BLACK, stones: 0, score: 0 };
for (const cell of CELLS) START.board[cell] = EMPTY;

/** How many of n cells from `start` on in a direction are `what`. */
function count(board: Uint8Array, what: number, start: number, direction: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) if (board[start + i * direction] === what) sum++;
  return sum;
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/** Whether one of n rows of n cells through a cell has so many black stones and, with a margin, empty cells. */
function has(board: Uint8Array, cell: number, d: number, n: number, stones: number, margin: number, empties: number) {
  for (let start = cell; start !== cell - n * d; start -= d)
    if (count(board, BLACK, start, d, n) === stones
      && count(board, EMPTY, start - margin * d, d, n + 2 * margin) === empties) return true;
  return false;
}

/** Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
 * all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed. */
function mayPlay(position: Position, cell: number): boolean {
  const distance = Math.max(Math.abs(Math.floor(cell / WIDTH) - 13), Math.abs(cell % WIDTH - 8));
  if (position.stones < 3) return distance <= position.stones; // the first on (8,8), then a step from it, then two
  if (position.player === WHITE) return true;
  const board = position.board.slice();
  board[cell] = BLACK;
  let five = false, overline = false, fours = 0, threes = 0;
  for (const d of DIRECTIONS) {
    if (has(board, cell, d, 6, 6, 0, 0)) overline = true;
    else if (has(board, cell, d, 5, 5, 0, 0)) five = true;
    // A FOUR is four of five cells, the fifth empty. Two of them on one line take five stones.
    if (has(board, cell, d, 5, 4, 0, 1)) fours += count(board, BLACK, cell - 4 * d, d, 9) >= 5 ? 2 : 1;
    if (has(board, cell, d, 4, 3, 1, 3)) threes++; // three of four cells, the fourth and both outer neighbours empty
  }
  return five || !overline && fours < 2 && threes < 2;
}

function after({ board, player, stones, score }: Position, cell: number): Position {
  if (cell === PASS) return { board, player: BLACK + WHITE - player, stones, score: -score };
  const next = board.slice();
  next[cell] = player;
  score += worth(VALUE, board, player, cell);
  return { board: next, player: BLACK + WHITE - player, stones: stones + 1, score: -score };
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
// is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
// order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.
const ORDER = [[0, 6, 50, 1500, 1_000_000], [0, 5, 40, 1000, 50_000]];
const VALUE = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]];
const WIN = ORDER[0][4], FOUR = ORDER[1][4], INFINITY = 10_000_000, BREADTH = 10; // moves tried in a position
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const SHARE = 30, RESERVE = 100; // a move may take a thirtieth of the time left, but for the last 100 milliseconds

type Move = Readonly<{ cell: number, value: number }>;

class OutOfTime extends Error {}
let deadline = 0;

/** What a stone on an empty cell is worth. */
function worth(table: number[][], board: Uint8Array, player: number, cell: number): number {
  let sum = 0;
  for (const d of DIRECTIONS)
    for (let start = cell - 4 * d; start !== cell + d; start += d) {
      if (board[start] === WALL || board[start + 4 * d] === WALL) continue;
      const own = count(board, player, start, d, 5), foe = count(board, BLACK + WHITE - player, start, d, 5);
      if (own === 0 || foe === 0) sum += foe > 0 ? table[1][foe] : table[0][own];
    }
  return sum;
}

/** The moves to try, the one worth most first; after a four, only those that complete or block it. */
function listMoves(position: Position): Move[] {
  const { board, player } = position, moves: Move[] = [], empty = CELLS.filter(cell => board[cell] === EMPTY);
  const all = empty.map(cell => ({ cell, value: worth(ORDER, board, player, cell) }));
  for (const move of all.sort((a, b) => b.value - a.value)) { // equals stay in their order
    if (moves.length === BREADTH || moves.length > 0 && moves[0].value >= FOUR && move.value < FOUR) break;
    if (mayPlay(position, move.cell)) moves.push(move);
  }
  return moves;
}

/** What the player to move can reach in `depth` moves (negamax with alpha-beta). */
function search(position: Position, depth: number, alpha: number, beta: number): number {
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = depth > 0 ? listMoves(position) : [];
  if (moves.length === 0) return position.score;
  if (moves[0].value >= WIN) return WIN + AREA - position.stones; // the sooner, the better
  if (moves[0].value >= FOUR) depth++; // a forced move does not count
  for (const { cell } of depth > 1 ? moves : moves.slice(0, 1)) { // the last move is the one that looks best
    alpha = Math.max(alpha, -search(after(position, cell), depth - 1, -beta, -alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The cell to play, or a PASS when none is sure to be legal. `myTime`, in milliseconds, is left for the game. */
function choose(position: Position, myTime: number): number {
  deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(position);
  try {
    for (let depth = 2; depth < MAX_DEPTH && moves.length > 1 && moves[0].value < WIN; depth++) {
      let best = moves[0], alpha = -INFINITY;
      for (const move of moves) {
        const value = -search(after(position, move.cell), depth, -INFINITY, -alpha);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter(move => move !== best)]; // the next iteration tries it first
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error; // the last finished iteration counts
  }
  return moves.length > 0 ? moves[0].cell : PASS;
}

// ---- Protocol: one command a line; a PASS is -1 -1 -----------------------------------------------------------------

let position = START;
require("readline").createInterface({ input: process.stdin }).on("line", (text: string) => {
  const [command, ...words] = text.trim().split(/ +/), numbers = words.map(Number);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const cell = choose(position, numbers[0]);
    position = after(position, cell);
    console.log(cell === PASS ? "MOVE -1 -1" : `MOVE ${Math.floor(cell / WIDTH) - 5} ${cell % WIDTH}`);
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    position = after(position, WIDTH * (numbers[0] + 5) + numbers[1]);
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit(0);
    position = START; // the same program plays the next game, too
  }
});
