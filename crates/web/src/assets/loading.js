// Texts as trees: what a file says, and what of it the rules take.

import { position, readGame } from './server.js';
import * as tree from './tree.js';

/// Where a chapter begins that is given nothing else.
export const EMPTY = { game: 'renju', position: null, parameters: {}, seed: 0 };
/// The line before the moves of a text that says where they begin.
const HEAD = /^agon (\S+)\s*\n/;

/// The tree of moves that are not known to be legal, line by line as the rules take them: what they refuse is left out,
/// and named.
export async function proved(from, unproved) {
  const made = tree.newRoot();
  const refused = [];
  for (const line of tree.lines(unproved)) {
    try {
      growProved(made, (await position({ ...from, moves: line })).moves);
    } catch (error) {
      // What the rules refuse is one move; anything else is no matter of this tree.
      if (error.at === undefined) throw error;
      refused.push(error.message);
      if (error.at > 0)
        growProved(made, (await position({ ...from, moves: line.slice(0, error.at) })).moves);
    }
  }
  return { made, refused };
}

function growProved(into, line) {
  let at = into;
  for (const move of line) at = tree.add(at, move);
}

/// What a text is: where it begins, its tree, the names of the players, and whether it is a whole tree.
export async function understood(text, game, start) {
  const head = text.match(HEAD);
  if (head) {
    const from = JSON.parse(decodeURIComponent(head[1]));
    return { from, unproved: tree.fromText(text.slice(head[0].length)), whole: true };
  }
  // Moves with variations in brackets: `H8 H9 (G8 I7) I9`.
  if (/^\w[^;{]*\([^;]*\)/.test(text.trim())) {
    const same = start.game === game && start.position === null ? start : { ...EMPTY, game };
    return { from: same, unproved: tree.fromText(text), whole: true };
  }
  const { moves: main, variations, names, position: from, parameters, seed, game: of } = await readGame(text, game);
  const unproved = tree.fromBranches(main, variations);
  return { from: { game: of, position: from, parameters, seed }, unproved, names, whole: false };
}
