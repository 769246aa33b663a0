// The tree of a study as rows of text, all of the same height: of a long one only those that are seen are drawn.
//
// A row: { depth, words: [{ node, text }…] }, or { depth, note: node, text, first } for a line of a comment.

import { shown } from './tree.js';
import { t } from './words.js';

/// The deepest indentation, in steps.
const MAX_DEPTH = 8;

/// The most rows of a comment; pointing at it shows all.
const MAX_LINES = 8;

/// A text in lines that are no wider than this, as `measure` says. Words that are too wide are broken.
export function wrapped(text, width, measure) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let [line, used] = ['', 0];
    for (const word of paragraph.match(/\S+\s*/g) ?? ['']) {
      const parts = measure(word) > width ? [...word] : [word];
      for (const part of parts) {
        const size = measure(part);
        if (line && used + size > width) {
          lines.push(line.trimEnd());
          [line, used] = ['', 0];
        }
        [line, used] = [line + part, used + size];
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

/// What a move is called in a row, with its number: the one on its stone.
export const moveText = (node, ply) => `${ply} ${shown(node.letters)}${node.glyphs.join('')}`;

/// The rows of a tree. `width` of a row, `indent` of a step, and `measure` of a move, with a margin, are in the same
/// unit; `sign` gives what is written behind a move besides its text.
export function rowsOf(root, { width, indent, measure, margin = 0, sign = () => '' }) {
  const rows = [];
  let row = null;
  let used = 0;
  const begin = (depth) => {
    row = { depth: Math.min(depth, MAX_DEPTH), words: [] };
    used = row.depth * indent;
    rows.push(row);
  };
  const put = (depth, node, text) => {
    const size = measure(text + sign(node));
    if (!row || (row.words.length && used + size > width)) begin(depth);
    row.words.push({ node, text });
    used += size;
  };
  const close = (text) => {
    const word = rows.findLast((one) => one.words)?.words.at(-1);
    if (word) word.text += text;
  };
  const comment = (depth, node) => {
    if (!node.text && !node.name) return;
    const inset = Math.min(depth, MAX_DEPTH);
    const name = node.name ? `${node.name} ` : '';
    const lines = wrapped(name + node.text, width - inset * indent, (part) => measure(part) - margin);
    const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES - 1), `${lines[MAX_LINES - 1]} …`] : lines;
    shown.forEach((text, n) => rows.push({ depth: inset, note: node, text, first: n === 0 }));
    row = null;
  };

  begin(0);
  row.words.push({ node: root, text: t('start') });
  used = measure(t('start'));
  comment(0, root);
  // What is still to be written: lines that go on, and variations.
  const open = [{ from: root, ply: 1, depth: 0 }];
  while (open.length) {
    const { from, ply, depth, variation, closing } = open.pop();
    if (closing) {
      close(')');
      row = null;
      continue;
    }
    let [at, count] = [from, ply];
    if (variation) {
      row = null;
      put(depth, at, `(${moveText(at, count)}${at.folded && at.children.length ? ' …' : ''}`);
      comment(depth, at);
      count += 1;
      if (at.folded) continue;
    }
    while (at.children.length) {
      const [first, ...others] = at.children;
      put(depth, first, moveText(first, count));
      comment(depth, first);
      if (others.length) {
        open.push({ from: first, ply: count + 1, depth });
        for (const other of others.reverse())
          open.push({ closing: true }, { from: other, ply: count, depth: depth + 1, variation: true });
        row = null;
        at = null;
        break;
      }
      [at, count] = [first, count + 1];
    }
  }
  return rows;
}
