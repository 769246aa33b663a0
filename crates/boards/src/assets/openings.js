// The openings of renju by their names, as the page brings them: [code, name, the three moves]…

import { keyAfter } from './symmetry.js';

const brought = globalThis.document?.getElementById('openings');

/// The games whose openings have no names.
const GOMOKU = ['standard', 'freestyle'];

/// The points of an opening rule in the judge's notation: { stones, offers }, of the offered fifth moves the chosen one
/// among the stones, too. Both are empty of a game without such a rule.
export function openedBy({ parameters }) {
  const all = [...(parameters?.['opening-rule'] ?? '').matchAll(/ ([A-O])(\d+)/g)];
  const points = all.map(([, column, row]) => `${16 - Number(row)} ${column.charCodeAt(0) - 64}`);
  return points.length > 5
    ? { stones: [...points.slice(0, 4), points.at(-1)], offers: points.slice(4, -1) }
    : { stones: points, offers: [] };
}

/// The same game from the empty board, where it begins by an opening rule: the stones are its first moves.
export function unfolded(question) {
  const { stones } = openedBy(question);
  if (!stones.length) return question;
  const { 'opening-rule': rule, ...others } = question.parameters;
  const rules = others.rules ?? (rule.startsWith('swap2') ? 'standard' : 'renju');
  return { ...question, parameters: { ...others, rules }, moves: [...stones, ...question.moves] };
}

/// Finds openings in a table of such rows.
export function openingsOf(rows) {
  const byKey = new Map(rows.map(([code, name, moves]) => [keyAfter(null, moves).key, { code, name }]));
  return {
    /// The opening that a game begins with, however it is turned: { code, name }; nothing of another start.
    of(start, moves) {
      if (start.game !== 'renju' || start.position) return null;
      const { parameters, moves: all } = unfolded({ ...start, moves });
      const first = GOMOKU.includes(parameters?.rules) ? [] : all.slice(0, 3);
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
