// The openings of renju by their names, as the page brings them: [code, name, the three moves]…

import { keyAfter } from './symmetry.js';

const brought = globalThis.document?.getElementById('openings');

/// Finds openings in a table of such rows.
export function openingsOf(rows) {
  const byKey = new Map(rows.map(([code, name, moves]) => [keyAfter(null, moves).key, { code, name }]));
  return {
    /// The opening that a game begins with, however it is turned: { code, name }; nothing of another start.
    of(start, moves) {
      if (start.game !== 'renju' || start.position) return null;
      // The first points of an opening rule are the first stones.
      const opened = [...(start.parameters?.['opening-rule'] ?? '').matchAll(/ ([A-O])(\d+)/g)];
      const stones = opened.map(([, column, row]) => `${16 - Number(row)} ${column.charCodeAt(0) - 64}`);
      const first = [...stones.slice(0, 3), ...(stones.length ? [] : moves)].slice(0, 3);
      return first.length < 3 ? null : (byKey.get(keyAfter(null, first).key) ?? null);
    },
  };
}

const openings = openingsOf(brought ? JSON.parse(brought.textContent) : []);

/// The name of the opening of a game, `Kagetsu (D4)`; an empty text where it has none.
export function openingName(start, moves) {
  const found = openings.of(start, moves);
  return found ? `${found.name} (${found.code})` : '';
}
