// What a printed page says of a tree: its moves, comments and variations, and where it has diagrams. Plain values.

import * as tree from './tree.js';

/// Characters of a variation: a library has far longer ones.
const MAX_VARIATION = 6000;

// A move and its number stand on one line.
const word = (node, number) => `${number}\u00a0${tree.shown(node.letters)}${node.glyphs.join('')}`;

/// A variation from a node on in one text, with those within it in brackets; `number` is that of its first move.
function variation(node, number) {
  const words = [];
  let length = 0;
  const put = (text) => {
    words.push(text);
    length += text.length;
  };
  const say = (one, at) => {
    put(word(one, at));
    if (one.text) put(`– ${one.text}`);
  };
  say(node, number);
  // What is still to be written: a bracket, a node whose move comes next, or one whose children do.
  const open = [[node, number, 'below']];
  while (open.length && length < MAX_VARIATION) {
    const [at, n, what] = open.pop();
    if (what === ')') put(')');
    else if (what === 'self') {
      put('(');
      say(at, n);
      open.push([at, n, 'below']);
    } else if (at.children.length) {
      const [first, ...others] = at.children;
      say(first, n + 1);
      open.push([first, n + 1, 'below']);
      for (const other of others.reverse()) open.push([null, 0, ')'], [other, n + 1, 'self']);
    }
  }
  if (open.some(([at, , what]) => what !== 'below' || at.children.length)) put('…');
  return words.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

const speaks = (node) => Boolean(node.text || node.shapes.length);

/// What a page says of a tree, one part after another: { kind: 'moves' | 'comment' | 'variation', text } and
/// { kind: 'diagram', node, number }, the number of moves before it. `begins` is whether the start is worth a diagram.
export function partsOf(root, begins = false) {
  const parts = [];
  let words = [];
  const flush = () => {
    if (words.length) parts.push({ kind: 'moves', text: words.join('  ') });
    words = [];
  };
  if (root.text) parts.push({ kind: 'comment', text: root.text });
  if (begins || root.shapes.length) parts.push({ kind: 'diagram', node: root, number: 0 });
  const nodes = tree.line(root);
  nodes.forEach((node, n) => {
    words.push(word(node, n + 1));
    const others = node.parent.children.slice(1);
    const last = n === nodes.length - 1;
    if (!speaks(node) && !others.length && !last) return;
    flush();
    if (node.text) parts.push({ kind: 'comment', text: node.text });
    if (speaks(node) || last) parts.push({ kind: 'diagram', node, number: n + 1 });
    for (const other of others) {
      parts.push({ kind: 'variation', text: `(${variation(other, n + 1)})` });
      // What is drawn within a variation is seen nowhere else.
      for (const one of [other, ...tree.all(other)])
        if (one.shapes.length) parts.push({ kind: 'diagram', node: one, number: tree.ply(one) });
    }
  });
  return parts;
}
