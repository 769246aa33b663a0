// Games of files as chapters, and chapters as games of files: what the server reads and writes, and the trees of the
// page. Marks, signs and comments go both ways; properties that no one here knows are kept.

import { openedBy, unfolded } from './openings.js';
import { add, all, fromBranches, fromRows, lines, newRoot, path } from './tree.js';
import { t } from './words.js';

const MARKS = { CR: 'circle', SQ: 'square', TR: 'triangle', MA: 'cross' };
const KINDS = Object.fromEntries(Object.entries(MARKS).map(([kind, mark]) => [mark, kind]));
/// What is thought of a position, as SGF says it.
const JUDGEMENTS = { DM: '=', UC: '∞', GB: '+−', GW: '−+' };
const JUDGED = new Set(Object.values(JUDGEMENTS));
const TONE = 'green';
/// Columns of the boards that have such files.
const COLUMNS = 15;

const placeOf = ([row, column]) => (row - 1) * COLUMNS + column - 1;
const pointOf = (place) => [Math.floor(place / COLUMNS) + 1, (place % COLUMNS) + 1];
const letter = (n) => String.fromCharCode(96 + n);
const sgfPoint = (place) => pointOf(place).reverse().map(letter).join('');
const fromSgf = (text) => placeOf([text.charCodeAt(1) - 96, text.charCodeAt(0) - 96]);

/// Puts what a file says of a place to its node.
function apply(node, { comment = '', name = '', glyph = '', marks = [], properties = {} }) {
  [node.name, node.text] = [name, comment];
  if (glyph) node.glyphs.push(glyph);
  const rest = {};
  for (const { kind, point, text = '' } of marks) {
    const at = placeOf(point);
    if (kind === 'LB') node.shapes.push({ kind: 'label', at, text, tone: TONE });
    else if (MARKS[kind]) node.shapes.push({ kind: 'mark', at, mark: MARKS[kind], tone: TONE });
    else (rest[kind] ??= []).push(sgfPoint(at));
  }
  for (const [key, values] of Object.entries(properties)) {
    const arrows = key === 'AR' && values.every((value) => /^[a-o]{2}:[a-o]{2}$/.test(value));
    if (JUDGEMENTS[key]) node.glyphs.push(JUDGEMENTS[key]);
    // The value says how strongly it is meant, which no sign here does.
    if (JUDGEMENTS[key] && values.join() === '1') continue;
    if (arrows)
      for (const value of values) {
        const [from, to] = value.split(':').map(fromSgf);
        node.shapes.push({ kind: 'arrow', from, to, tone: TONE, width: 7 });
      }
    else rest[key] = [...(rest[key] ?? []), ...values];
  }
  if (Object.keys(rest).length) node.properties = rest;
}

/// A game by an opening rule from the empty board, where its stones are the first moves: offered fifth moves have
/// letters, and a fact names the rule with all decisions, as in SGF.
export function unfoldedTree({ start, root, facts = {} }) {
  const { stones, offers } = openedBy(start);
  if (!stones.length) return { start, root, facts };
  const { parameters } = unfolded({ ...start, moves: [] });
  const { name, text, glyphs, shapes, properties } = root;
  const made = Object.assign(newRoot(), { name, text, glyphs, shapes }, properties && { properties });
  let last = made;
  stones.forEach((move, n) => {
    const [row, column] = move.split(' ').map(Number);
    const letters = String.fromCharCode(64 + column) + (COLUMNS + 1 - row);
    last = add(last, { move, letters, side: n % 2 });
    const label = (point, at) =>
      ({ kind: 'label', at: placeOf(point.split(' ').map(Number)), text: String.fromCharCode(65 + at), tone: TONE });
    if (n === 3) last.shapes = offers.map(label);
  });
  for (const child of root.children) child.parent = last;
  last.children = root.children;
  const ON = start.parameters['opening-rule'].replace(' ', ': ');
  return { start: { ...start, parameters }, root: made, facts: { ON, ...facts } };
}

/// The tree of the rows that the server has proved.
const treeOf = (rows) => fromRows([[-1, null, '', null, {}], ...rows.map((row) => [...row, {}])]);

/// A game that the server has read as a chapter: { name, start, root, facts, proved }; `proved` is whether its moves
/// are known to be legal.
export function toChapter(read, name) {
  const { game, position, parameters, seed, moves, variations, names } = read;
  const { header = {}, notes = [], rows = [] } = read;
  const root = rows.length ? treeOf(rows) : fromBranches(moves, variations);
  const nodes = [root, ...all(root)];
  for (const note of notes) if (nodes[note.at]) apply(nodes[note.at], note);
  const players = names.filter(Boolean).join(' – ');
  const { PB, PW, ...facts } = header;
  if (names.some(Boolean)) facts.names = names;
  const unfolded = unfoldedTree({ start: { game, position, parameters, seed }, root, facts });
  return { name: facts.GN || players || name, ...unfolded, proved: rows.length > 0 };
}

/// A remark with its place, which in a file that is no text is a byte.
const remark = (one) => (one.byte ? t('byte {byte}: {text}', one) : t('line {line}: {text}', one));

/// What of a file is not in its chapters, a line each.
export const leftOut = ({ games, left_out: whole }) =>
  [...whole, ...games.flatMap((game) => game.left_out ?? [])].map(remark);

/// What one should know of its games, a line each: that a stone loses because it is forbidden.
export const remarksOf = ({ games }) =>
  games.flatMap((game) => game.remarks ?? []).map(remark);

/// What a node says, for a file; nothing where it says nothing.
function noteOf(node, at) {
  const note = { at };
  if (node.text) note.comment = node.text;
  if (node.name) note.name = node.name;
  const properties = { ...(node.properties ?? {}) };
  for (const [key, sign] of Object.entries(JUDGEMENTS))
    if (node.glyphs.includes(sign)) properties[key] ??= ['1'];
    else delete properties[key];
  for (const sign of node.glyphs) if (!JUDGED.has(sign)) note.glyph = sign;
  const marks = [];
  for (const one of node.shapes)
    if (one.kind === 'label') marks.push({ kind: 'LB', point: pointOf(one.at), text: one.text });
    else if (one.kind === 'mark') marks.push({ kind: KINDS[one.mark], point: pointOf(one.at) });
    else properties.AR = [...(properties.AR ?? []), `${sgfPoint(one.from)}:${sgfPoint(one.to)}`];
  if (marks.length) note.marks = marks;
  if (Object.keys(properties).length) note.properties = properties;
  return Object.keys(note).length > 1 ? note : null;
}

/// What the server needs to write a chapter: { moves, names, more: { variations, header, notes } }. The line through
/// `node` is the main one.
export function fromTree(root, node, facts = {}) {
  const leaves = [...all(root)].filter((at) => !at.children.length);
  let end = node ?? root;
  while (end.children.length) [end] = end.children;
  const ordered = end === root ? leaves : [end, ...leaves.filter((leaf) => leaf !== end)];
  // The server numbers the moves in the order in which the lines bring them.
  const numbers = new Map([[root, 0]]);
  for (const leaf of ordered) for (const at of path(leaf)) if (!numbers.has(at)) numbers.set(at, numbers.size);
  const notes = [...numbers].map(([at, number]) => noteOf(at, number)).filter(Boolean);
  const [main = [], ...variations] = ordered.map((leaf) => path(leaf).map((at) => at.move));
  const { names = ['', ''], ...header } = facts;
  return { moves: main, names, more: { variations, header, notes } };
}

/// The nodes of a tree by its lines, as `lines` has their moves.
export const nodesOfLines = (root) => lines(root).map((line) => {
  const nodes = [];
  let at = root;
  for (const move of line) nodes.push((at = at.children.find((child) => child.move === move)));
  return nodes;
});

/// Carries what nodes say over to other ones.
export function carry(from, to) {
  const fields = ['name', 'text', 'glyphs', 'shapes', 'properties', 'folded'];
  for (const field of fields) if (from[field]) to[field] = from[field];
}
