/** A position: a game, where it begins, and the moves made from there, as the judge or as people write them. */
export interface Question {
  /** `bacteria`, `renju` or `domineering`. */
  game: string;
  /** The first position in the game's own notation; without one, the game's start. */
  position?: string | null;
  parameters?: Record<string, string>;
  /** Draws the start of a game whose start is random. */
  seed?: number;
  moves?: string[];
}

export interface LegalMove {
  /** As the judge writes it. */
  move: string;
  /** As people write it. */
  letters: string;
  /** Places, numbered row by row: where the piece comes from, and what gets a piece. */
  from: number[];
  to: number[];
  /** Every changed place, and what it then is. */
  effect: [number, Cell][];
}

/** Owner (0 none, 1 first, 2 second), glyph, weight, joins, mark. */
export type Cell = [number, string, number | null, [number, number] | null, string | null];

export interface Position {
  game: string;
  seats: [string, string];
  rows: number;
  columns: number;
  cells: Cell[];
  position: string;
  /** Side to move: 0 or 1; null when the game is over. */
  turn: number | null;
  moves: { move: string; letters: string; side: number; key: string }[];
  legal: LegalMove[];
  forbidden: { side: number; at: number; move: string; letters: string; reason: string }[];
  result: { winner: number | null; reason: string } | null;
  [more: string]: unknown;
}

export interface Move {
  move: string;
  letters: string;
  /** The player's evaluation: `+1.25`, `wins in 7`. */
  score: string | null;
  ms: number;
}

export interface Game {
  name: string;
  title: string;
  seats: [string, string];
  /** From the weakest to the strongest; `levels` is the highest level, null of a player without levels. */
  players: { name: string; levels: number | null }[];
}

export interface Limits {
  /** 0 (the default): until it is stopped. */
  seconds?: number;
  nodes?: number;
  /** Number of best lines, 1 to 20; the default is 3. */
  lines?: number;
  /** Memory of the tables in MiB, 1 to 256; the default is 16. */
  hash?: number;
  /** Threads of a search in renju and Bacteria War, at most `maxThreads()`; the default is 1. */
  threads?: number;
}

/** Addresses of the files of this package, if they are not beside `engines.js`. */
export interface Addresses {
  wasm: string;
  /** For searches on several threads. */
  threads?: string;
  worker: string;
  files: Record<string, string>;
}

/** A question without an answer. `at` is the number of the wrong move, from 0. */
export class Refused extends Error {
  at?: number;
}

/**
 * The most threads of a search on this page: 1 unless it is isolated, so that its workers may share memory. It is if it is
 * sent with `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`.
 */
export function maxThreads(): number;

export class Engines {
  constructor(addresses?: Addresses);
  games(): Promise<Game[]>;
  position(question: Question): Promise<Position>;
  /** `player` is `random`, `greedy`, `classic`, `champion`, or `champion:5` for a level. `ms` is at most 10000. */
  move(question: Question, player?: string, options?: { ms?: number; signal?: AbortSignal }): Promise<Move>;
  /**
   * Searches until it is stopped by `signal` or reaches a limit. Events are `line`, `best` and `win`, in domineering
   * `values`, as `agon analyze --format json` prints them.
   */
  analyse(
    question: Question,
    options?: Limits & { signal?: AbortSignal; event?: (name: string, data: unknown) => void },
  ): Promise<{ reason: string }>;
  /** Any request: see the source of `agon-wasm`. */
  ask(
    request: { do: string; [field: string]: unknown },
    options?: { signal?: AbortSignal; event?: (name: string, data: unknown) => void },
  ): Promise<unknown>;
  /** Ends the workers. */
  close(): void;
}
