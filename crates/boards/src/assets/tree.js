// A tree of variations: plain nodes, and functions over them. It knows no game: moves are texts. No function calls
// itself for each move, since a line may have thousands.
//
// A node: { move, letters, side, key, parent, children: [node…], value, name, text, glyphs: [sign…], shapes: [shape…],
// folded }; the root has no move. The first child goes on with the line. `key` identifies the position, `name` is that
// of the place in its file, `text` is the comment.

import { t } from './words.js';

export const newRoot = () => newNode(null, { move: null, letters: '', side: null });

function newNode(parent, { move, letters, side, key = null }) {
  return {
    move, letters, side, key, parent, children: [], value: null, name: '', text: '', glyphs: [], shapes: [],
    folded: false,
  };
}

/// A move in a line of text: `3,1` of domineering is one word.
export const shown = (letters) => (/^[\d ]+$/.test(letters) ? letters.replaceAll(' ', ',') : letters);

/// The child with this move, which is made if there is none. A made move: { move, letters, side, key }.
export function add(parent, made) {
  const known = parent.children.find((child) => child.move === made.move);
  if (known) {
    known.key ??= made.key ?? null;
    return known;
  }
  const child = newNode(parent, made);
  parent.children.push(child);
  return child;
}

/// The nodes from the first move to this one.
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.push(at);
  return nodes.reverse();
}

export const moves = (node) => path(node).map((at) => at.move);

/// The variation before this node, or after it, in its place; the node itself where there is none.
export function beside(node, step) {
  const children = node.parent?.children ?? [node];
  return children[children.indexOf(node) + step] ?? node;
}

/// The nodes from the root on through this one to the end of its line.
export function line(node) {
  const nodes = path(node);
  for (let at = node.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}

/// The end of the line through this node.
export const lastOf = (node) => line(node).at(-1) ?? node;

/// Every node below this one, as they stand in a text: a line before its variations.
export function* all(node) {
  const open = [...node.children].reverse();
  while (open.length) {
    const at = open.pop();
    yield at;
    for (let n = at.children.length - 1; n >= 0; n -= 1) open.push(at.children[n]);
  }
}

/// The moves of every line from the root to its end, as they stand in the tree.
export const lines = (root) => [...all(root)].filter((at) => !at.children.length).map(moves);

/// The number of moves from the root to this node.
export function ply(node) {
  let count = 0;
  for (let at = node; at.parent; at = at.parent) count += 1;
  return count;
}

/// The node that a line of moves leads to from here; nothing if the tree has not all of them.
export function find(from, line) {
  let at = from;
  for (const move of line) {
    at = at.children.find((child) => child.move === move);
    if (!at) return null;
  }
  return at;
}

/// The tree of a main line and of variations, { shared, moves }: each begins with that many moves of the line before.
/// The moves are not known to be legal.
export function fromBranches(main, variations) {
  const root = newRoot();
  let nodes = [];
  for (const { shared, moves: more } of [{ shared: 0, moves: main }, ...variations]) {
    nodes = nodes.slice(0, shared);
    for (const move of more) nodes.push(add(nodes.at(-1) ?? root, { move, letters: move, side: null }));
  }
  return root;
}

const word = (letters) => letters.replaceAll(' ', '.');

/// The moves with variations in brackets, each behind the move that it replaces: `H8 H9 (G8 I7) I9`.
export function toText(root) {
  const words = [];
  // What is still to be written: nodes whose children come next, and words.
  const open = [root];
  while (open.length) {
    const at = open.pop();
    if (typeof at === 'string') {
      words.push(at);
      continue;
    }
    const [first, ...others] = at.children;
    if (!first) continue;
    words.push(word(first.letters));
    open.push(first);
    for (const other of others.reverse()) open.push(')', other, word(other.letters), '(');
  }
  return words.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

/// The tree of such a text. Its moves are as they stand there, and not known to be legal.
export function fromText(text) {
  const root = newRoot();
  const open = [];
  let at = root;
  for (const token of text.match(/[()]|[^\s()]+/g) ?? []) {
    if (token === '(') {
      if (!at.parent) throw new Error(t('a variation stands before the first move'));
      open.push(at);
      at = at.parent;
    } else if (token === ')') {
      if (!open.length) throw new Error(t('a bracket is closed that is not open'));
      at = open.pop();
    } else at = add(at, { move: token.replaceAll('.', ' '), letters: token.replaceAll('.', ' '), side: null });
  }
  if (open.length) throw new Error(t('a bracket is not closed'));
  return root;
}

/// The tree as rows that can be kept: [number of the parent's row, move, letters, side, what else there is]. Row 0 is
/// the root.
export function toRows(root) {
  const numbers = new Map([[root, 0]]);
  const extra = (at) => {
    const more = {};
    if (at.key) more.key = at.key;
    if (at.name) more.name = at.name;
    if (at.text) more.text = at.text;
    if (at.glyphs.length) more.glyphs = at.glyphs;
    if (at.shapes.length) more.shapes = at.shapes;
    if (at.folded) more.folded = true;
    if (at.properties) more.properties = at.properties;
    if (at.value) more.value = at.value;
    if (at.best) more.best = at.best;
    if (at.line) more.line = at.line;
    return more;
  };
  const rows = [[-1, null, '', null, extra(root)]];
  for (const at of all(root)) {
    numbers.set(at, rows.length);
    rows.push([numbers.get(at.parent), at.move, at.letters, at.side, extra(at)]);
  }
  return rows;
}

/// The tree of such rows.
export function fromRows(rows) {
  const nodes = rows.map(([, move, letters, side, more]) => ({ ...newNode(null, { move, letters, side }), ...more }));
  rows.forEach(([parent], n) => {
    if (n === 0) return;
    nodes[n].parent = nodes[parent];
    nodes[parent].children.push(nodes[n]);
  });
  return nodes[0] ?? newRoot();
}

/// The other nodes with the position of this one.
export function transpositions(root, node) {
  if (!node.key) return [];
  return [...all(root)].filter((at) => at !== node && at.key === node.key);
}
