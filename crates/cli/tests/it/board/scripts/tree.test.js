import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  add, all, beside, find, fromBranches, fromRows, fromText, lastOf, lines, newRoot, ply, toRows, toText, transpositions,
} from './tree.js';

const made = (move, key = null) => ({ move, letters: move, side: 0, key });

test('a text with variations is read and written', () => {
  for (const text of ['', 'H8', 'H8 H9 (G8 I7) I9', 'H8 (H7 J2 (J1 K1)) (H5) H9 I9', 'H8 H9 (G8 I7) (F8) I9 (I10 I11)'])
    assert.equal(toText(fromText(text)), text);
  for (const wrong of ['(H8)', 'H8 )', 'H8 (H9']) assert.throws(() => fromText(wrong));
});

test('branches become a tree, and its lines come out again', () => {
  const root = fromBranches(['H8', 'H9', 'I9'], [{ shared: 1, moves: ['G8', 'I7'] }, { shared: 2, moves: ['K1'] }]);
  assert.equal(toText(root), 'H8 H9 (G8 I7 (K1)) I9');
  assert.deepEqual(lines(root), [['H8', 'H9', 'I9'], ['H8', 'G8', 'I7'], ['H8', 'G8', 'K1']]);
  assert.equal(find(root, ['H8', 'G8', 'K1']).move, 'K1');
  assert.equal(find(root, ['H8', 'K1']), null);
  assert.equal(ply(lastOf(root)), 3);
});

test('rows keep all that a node has', () => {
  const root = fromText('H8 H9 (G8 I7) I9');
  const [first] = root.children;
  Object.assign(first, { text: 'centre', glyphs: ['!'], shapes: [{ kind: 'mark', at: 3 }], folded: true, key: 'k' });
  const again = fromRows(JSON.parse(JSON.stringify(toRows(root))));
  assert.equal(toText(again), toText(root));
  const { text, glyphs, shapes, folded, key } = again.children[0];
  assert.deepEqual({ text, glyphs, shapes, folded, key },
    { text: 'centre', glyphs: ['!'], shapes: [{ kind: 'mark', at: 3 }], folded: true, key: 'k' });
  assert.deepEqual(toRows(again), toRows(root));
});

test('no function goes as deep as a line is long', () => {
  const root = newRoot();
  let at = root;
  for (let n = 0; n < 50000; n += 1) at = add(at, made(`m${n}`));
  assert.equal([...all(root)].length, 50000);
  assert.equal(toText(fromText(toText(root))).length, toText(root).length);
  assert.equal(lastOf(fromRows(toRows(root))).move, 'm49999');
});

test('the variations of a move are beside each other', () => {
  const root = fromText('H8 H9 (G8) (F8) I9');
  const [main, second, third] = root.children[0].children;
  assert.deepEqual([beside(main, 1), beside(second, 1), beside(third, 1)], [second, third, third]);
  assert.deepEqual([beside(main, -1), beside(third, -1), beside(root, 1)], [main, second, root]);
});

test('positions that are reached in two ways are recognised', () => {
  const root = newRoot();
  const one = add(add(root, made('a', 'ka')), made('b', 'kab'));
  const other = add(add(root, made('b', 'kb')), made('a', 'kab'));
  assert.deepEqual(transpositions(root, one), [other]);
  assert.deepEqual(transpositions(root, root.children[0]), []);
  assert.deepEqual(transpositions(root, add(root, made('c'))), []);
});
