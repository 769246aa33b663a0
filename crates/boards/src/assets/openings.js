// The openings of renju by their names, as the page brings them: [code, name, the three moves]…

import { keyAfter } from './symmetry.js';

const brought = globalThis.document?.getElementById('openings');

/// Finds openings in a table of such rows.
export function openingsOf(rows) {
  const byKey = new Map(rows.map(([code, name, moves]) => [keyAfter(null, moves).key, { code, name }]));
  return {
    /// The opening that a game begins with, however it is turned: { code, name }; nothing of another start.
    of(start, moves) {
      if (start.game !== 'renju' || start.position || moves.length < 3) return null;
      return byKey.get(keyAfter(null, moves.slice(0, 3)).key) ?? null;
    },
  };
}

const openings = openingsOf(brought ? JSON.parse(brought.textContent) : []);

/// The name of the opening of a game, `Kagetsu (D4)`; an empty text where it has none.
export function openingName(start, moves) {
  const found = openings.of(start, moves);
  return found ? `${found.name} (${found.code})` : '';
}
