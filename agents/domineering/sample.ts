// Domineering: a sample bot in TypeScript. It looks ahead while its time lasts. Replace `choose` by your own idea.
// Build and run: tsc --target es2019 sample.ts && node sample.js
declare const process: any, require: (module: string) => any; // of Node, without its types

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns. A place is a line and the index
// of the domino's first cell on it, from 0. Each line is a number, in which bit i is set if its cell i is taken.

const FIRST = 0, SECOND = 1;

interface Place { readonly line: number, readonly i: number }

/** The player to move, his lines and those of the other. */
interface Board { readonly player: number, readonly own: number[], readonly foe: number[] }

const PASS: Place = { line: -2, i: -2 }; // the judge, who counts from 1, writes -1 -1
const weight: number[][][] = [[], []]; // for each player, the numbers on each of his lines

// ---- Rules ---------------------------------------------------------------------------------------------------------

function points(player: number, { line, i }: Place): number {
  return weight[player][line][i] + weight[player][line][i + 1];
}

/** The board after a move, seen by the other player. */
function after(board: Board, { line, i }: Place): Board {
  const own = [...board.own], foe = [...board.foe];
  if (line >= 0) {
    own[line] |= 3 << i;
    foe[i] |= 1 << line;
    foe[i + 1] |= 1 << line;
  }
  return { player: 1 - board.player, own: foe, foe: own };
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE = 10, RESERVE = 100; // a move may take a tenth of the time left, but for the last 100 milliseconds
const MAX_DEPTH = 64; // moves to look ahead; a bot with a small number repeats its games
const INFINITY = 1_000_000;

/** The value is the points and the board after them: own prospects minus the other's. */
interface Move { readonly place: Place, readonly gain: number, readonly value: number }

class OutOfTime extends Error {}

let deadline = 0;

/**
 * The points a player could still make on his lines if the other one laid no more dominoes. The first j+1 cells of a
 * line are worth what the first j are, or what the first j-1 are and a domino on the last two.
 */
function prospects(player: number, lines: number[]): number {
  let sum = 0;
  lines.forEach((cells, line) => {
    let best = 0, shorter = 0; // for the first j cells and the first j-1 cells
    for (let i = 0; i + 1 < weight[player][line].length; i++) {
      const withDomino = cells >> i & 3 ? 0 : shorter + points(player, { line, i });
      [shorter, best] = [best, Math.max(best, withDomino)];
    }
    sum += best;
  });
  return sum;
}

/** All moves, the highest value first. */
function listMoves(board: Board): Move[] {
  const moves: Move[] = [], player = board.player;
  board.own.forEach((cells, line) => {
    for (let i = 0; i + 1 < board.foe.length; i++) {
      if (cells >> i & 3) continue;
      const place = { line, i }, gain = points(player, place), { own, foe } = after(board, place);
      moves.push({ place, gain, value: gain + prospects(player, foe) - prospects(1 - player, own) });
    }
  });
  return moves.sort((a, b) => b.value - a.value); // equals stay in their order
}

/** The points that the player to move can still gain on the other one (negamax with alpha-beta). */
function search(board: Board, depth: number, alpha: number, beta: number): number {
  if (performance.now() > deadline) throw new OutOfTime();
  const moves = listMoves(board);
  if (moves.length === 0) return -prospects(1 - board.player, board.foe); // the other one now lays all that fit
  if (depth === 1) return moves[0].value;
  for (const { place, gain } of moves) {
    alpha = Math.max(alpha, gain - search(after(board, place), depth - 1, gain - beta, gain - alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

/** The place to play; a PASS only when there is none. `myTime`, in milliseconds, is left for the whole game. */
function choose(board: Board, myTime: number): Place {
  deadline = performance.now() + (myTime - RESERVE) / SHARE;
  let moves = listMoves(board);
  try {
    for (let depth = 1; depth < MAX_DEPTH && moves.length > 1; depth++) {
      let best = moves[0], alpha = -INFINITY;
      for (const move of moves) {
        const value = move.gain - search(after(board, move.place), depth, -INFINITY, move.gain - alpha);
        if (value > alpha) [best, alpha] = [move, value];
      }
      moves = [best, ...moves.filter(move => move !== best)]; // the next iteration tries it first
    }
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error; // the last finished iteration counts
  }
  return moves.length > 0 ? moves[0].place : PASS;
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 ------------

let board: Board = { player: FIRST, own: [], foe: [] };

require("readline").createInterface({ input: process.stdin }).on("line", (text: string) => {
  const [command, ...words] = text.trim().split(/ +/), numbers = words.map(Number);
  if (command === "READY") { // FIRST or SECOND, which follows from the moves as well
    console.log("OK");
  } else if (command === "TURN") {
    const place = choose(board, numbers[0]), xy = [place.line + 1, place.i + 1];
    console.log(`MOVE ${xy[board.player]} ${xy[1 - board.player]}`);
    board = after(board, place);
  } else if (command === "OPP" || command === "OPENING") { // OPENING: a move made for us before READY
    board = after(board, { line: numbers[board.player] - 1, i: numbers[1 - board.player] - 1 });
  } else if (command === "FINISH") {
    if (process.env.AGON_STAY === undefined) process.exit(0);
    weight[FIRST] = []; // the same program plays the next game, too
  } else { // a row of the board
    weight[FIRST].push([Number(command), ...numbers]);
    weight[SECOND] = weight[FIRST][0].map((_, column) => weight[FIRST].map(row => row[column]));
    board = { player: FIRST, own: weight[FIRST].map(() => 0), foe: weight[SECOND].map(() => 0) };
  }
});
