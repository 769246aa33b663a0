import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOf } from './rows.js';
import { add, find, fromText, newRoot } from './tree.js';

const SIZES = { width: 300, indent: 15, measure: (text) => 8 * text.length + 8 };
const shown = (root, sizes = SIZES) =>
  rowsOf(root, sizes).map(({ depth, words, note }) =>
    `${'.'.repeat(depth)}${note ? `# ${note.text}` : words.map((word) => word.text).join(' ')}`);

test('a line fills rows, and variations have rows of their own', () => {
  const root = fromText('H8 H9 (G8 I7 (K1)) I9 I10');
  assert.deepEqual(shown(root), ['start 1 H8 2 H9', '.(2 G8 3 I7', '..(3 K1))', '3 I9 4 I10']);
  find(root, ['H8', 'H9']).text = 'answers';
  find(root, ['H8', 'G8']).folded = true;
  assert.deepEqual(shown(root), ['start 1 H8 2 H9', '# answers', '.(2 G8 …)', '3 I9 4 I10']);
});

test('no row is wider than the list', () => {
  const root = newRoot();
  let at = root;
  for (let n = 0; n < 40; n += 1) at = add(at, { move: `${n}`, letters: 'H10', side: n % 2 });
  const rows = rowsOf(root, SIZES);
  assert.ok(rows.length > 4);
  for (const { words } of rows)
    assert.ok(words.reduce((sum, { text }) => sum + SIZES.measure(text), 0) <= SIZES.width);
});

test('a sign behind a move takes room, too', () => {
  const root = fromText('H8 H9 I9 I10 J11');
  const signed = rowsOf(root, { ...SIZES, sign: () => '??' });
  for (const { words } of signed)
    assert.ok(words.reduce((sum, { text }) => sum + SIZES.measure(`${text}??`), 0) <= SIZES.width + 16);
  assert.ok(signed.length > rowsOf(root, SIZES).length);
});

test('a tree of ten thousand nodes is laid out at once', () => {
  const root = newRoot();
  const open = [root];
  for (let n = 0; n < 10000; n += 1) {
    const parent = open[n % 7 ? open.length - 1 : Math.floor(open.length / 2)];
    open.push(add(parent, { move: `${n}`, letters: `H${n % 15}`, side: n % 2 }));
  }
  const times = [];
  let rows = [];
  for (let round = 0; round < 25; round += 1) {
    const begun = performance.now();
    rows = rowsOf(root, SIZES);
    times.push(performance.now() - begun);
  }
  const nodes = new Set(rows.flatMap((row) => (row.words ?? []).map((word) => word.node)));
  assert.equal(nodes.size, 10001);
  const best = Math.min(...times);
  assert.ok(best < 500, `${best} ms`);
});

test('comments are wrapped in rows of the width of the list', () => {
  const root = fromText('H8 H9');
  const text = 'a comment of several words\nand a second paragraph averyveryveryveryveryverylongwordwithoutblanks';
  Object.assign(find(root, ['H8']), { name: 'Name', text });
  const rows = rowsOf(root, SIZES).filter((row) => row.note);
  assert.ok(rows.length > 4);
  for (const row of rows) assert.ok(8 * row.text.length <= SIZES.width, row.text);
  assert.equal(rows.map((row) => row.text).join('').replaceAll(' ', ''), `Name${text}`.replaceAll(/\s/g, ''));
  assert.deepEqual(rows.map((row) => row.first), rows.map((_, n) => n === 0));
});
