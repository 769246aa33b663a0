// What is written beside moves and drawn on their positions: signs, marks, arrows and labels.

import { t } from './words.js';

/// The signs of a move; of each kind a move has one.
export const SIGNS = [
  ['!', t('good move')],
  ['?', t('mistake')],
  ['!!', t('brilliant move')],
  ['??', t('blunder')],
  ['!?', t('interesting move')],
  ['?!', t('dubious move')],
];

/// What is thought of the position.
export const JUDGEMENTS = [
  ['=', t('equal')],
  ['∞', t('unclear')],
  ['+−', t('the first side wins')],
  ['−+', t('the second side wins')],
];

const KINDS = [SIGNS, JUDGEMENTS].map((kind) => kind.map(([sign]) => sign));

/// The signs of a node after one was chosen: again it is taken away, another one of its kind it replaces.
export function chosen(glyphs, sign) {
  const kind = KINDS.find((signs) => signs.includes(sign)) ?? [sign];
  const rest = glyphs.filter((one) => !kind.includes(one));
  const more = glyphs.includes(sign) ? rest : [...rest, sign];
  return more.sort((one, other) => KINDS.flat().indexOf(one) - KINDS.flat().indexOf(other));
}

/// The tools of drawing: what a press on a place draws. A drag draws an arrow with each of them.
export const TOOLS = ['circle', 'square', 'triangle', 'cross', 'label'];
export const TONES = ['green', 'red', 'blue', 'yellow'];

/// The tone that keys choose, as on other boards: none green, Shift red, Alt blue, both yellow.
export function toneOf({ shiftKey, altKey, ctrlKey }) {
  return TONES[(shiftKey || ctrlKey ? 1 : 0) + (altKey ? 2 : 0)];
}

/// The next label that is not in use: A to Z, then numbers.
export function nextLabel(shapes) {
  const used = new Set(shapes.map((one) => one.text));
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.find((letter) => !used.has(letter)) ?? String(used.size + 1);
}

const places = (one) => (one.kind === 'arrow' ? `${one.from}>${one.to}` : one.at);
const sort = (one) => (one.kind === 'label' ? 'label' : one.kind);

/// The shapes after one was drawn: the same again is taken away, another mark of the place is replaced.
export function drawn(shapes, shape) {
  const there = (one) => sort(one) === sort(shape) && places(one) === places(shape);
  const known = shapes.find(there);
  const rest = shapes.filter((one) => !there(one));
  const same = known && known.tone === shape.tone && known.mark === shape.mark && shape.kind !== 'label';
  return same || (known && shape.kind === 'label' && known.text === shape.text) ? rest : [...rest, shape];
}

/// The shape that a press draws.
export function drawing(shapes, tool, tone, from, to, typed = '') {
  if (from !== to) return { kind: 'arrow', from, to, tone, width: 7 };
  if (tool !== 'label') return { kind: 'mark', at: from, mark: tool, tone };
  // A label that is there is taken away, unless another one was typed.
  const known = shapes.find((one) => one.kind === 'label' && one.at === from);
  return { kind: 'label', at: from, text: typed || (known?.text ?? nextLabel(shapes)), tone };
}
