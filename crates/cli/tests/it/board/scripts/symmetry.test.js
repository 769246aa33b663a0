import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openingsOf } from './openings.js';
import { shapesOf } from './reasons.js';
import { eachKey, keyAfter, movesHere, stonesOf, treeIndex } from './symmetry.js';
import * as tree from './tree.js';

/// The eight images of a move.
const turned = (move, way) => {
  let [row, column] = move.split(' ').map(Number);
  if (way & 4) [row, column] = [column, row];
  return `${way & 1 ? 16 - row : row} ${way & 2 ? 16 - column : column}`;
};
const MOVES = ['8 8', '7 8', '7 9', '5 6'];

test('a position is the same however it is turned and in whatever order it was reached', () => {
  const { key } = keyAfter(null, MOVES);
  for (let way = 0; way < 8; way += 1) assert.equal(keyAfter(null, MOVES.map((move) => turned(move, way))).key, key);
  assert.equal(keyAfter(null, ['7 9', '5 6', '8 8', '7 8']).key, key);
  assert.notEqual(keyAfter(null, ['7 8', '8 8', '7 9', '5 6']).key, key);
  // Whose turn it is counts.
  assert.notEqual(keyAfter(null, [...MOVES, '-1 -1']).key, key);
  const position = '15/15/15/15/5W9/15/7WB6/7B7/15/15/15/15/15/15/15 B 0 4';
  assert.deepEqual(stonesOf(position), { stones: [[1, 65], [1, 97], [0, 98], [0, 112]], turn: 0 });
  assert.equal(keyAfter({ position }, []).key, key);
});

test('a search finds all eight images in a tree', () => {
  const rows = [[-1, null, '', null, {}]];
  for (let way = 0; way < 8; way += 1) {
    let parent = 0;
    for (const move of MOVES) {
      const image = turned(move, way);
      const known = rows.findIndex((row) => row[0] === parent && row[1] === image);
      if (known < 0) rows.push([parent, image, '', null, {}]);
      parent = known < 0 ? rows.length - 1 : known;
    }
  }
  const { key } = keyAfter(null, MOVES);
  let found = 0;
  eachKey(rows, null, (n, other) => (found += other === key ? 1 : 0));
  assert.equal(found, 8);
});

test('the next moves of a tree are merged over symmetries and other orders of moves', () => {
  const root = tree.newRoot();
  const line = (...moves) => moves.reduce((from, move) => tree.add(from, { move, letters: move, side: null }), root);
  const here = line('8 8', '7 8', '7 9');
  line('8 8', '7 8', '7 9', '9 9');
  // The same turned, and by another order.
  const other = line('8 8', '7 8', '7 9', '6 6').parent;
  const image = line(...['8 8', '7 8', '7 9', '5 5'].map((move) => turned(move, 5)));
  image.parent.shapes = [{ kind: 'label', at: 0, text: 'x' }];
  const swapped = line('7 9', '7 8', '8 8', '3 3');
  assert.equal(other, here);
  const index = treeIndex(root, null);
  const next = index.next(here).map((one) => one.letters).sort();
  assert.deepEqual(next, ['C13', 'E11', 'F10', 'I7']);
  assert.equal(index.at(here).nodes.length, 3);
  assert.deepEqual(index.texts(here).map((one) => one.text), ['x']);
  // What is added later is found, too.
  const added = tree.add(swapped.parent, { move: '1 1', letters: '1 1', side: null });
  index.changed(added);
  assert.ok(index.next(here).some((one) => one.letters === 'A15'));
  swapped.parent.children = [];
  index.changed();
  assert.ok(!index.next(here).some((one) => one.letters === 'A15'));
});

test('a move in a symmetric position stands for all its images', () => {
  const { ways } = keyAfter(null, ['8 8']);
  assert.equal(ways.length, 8);
  assert.deepEqual(movesHere('7 9', 0, ways).map((one) => one.letters).sort(), ['G7', 'G9', 'I7', 'I9']);
  assert.deepEqual(movesHere('-1 -1', 0, ways).map((one) => one.letters), ['PASS']);
});

test('a library of 100 000 moves is indexed at once', () => {
  const rows = [[-1, null, '', null, {}]];
  let state = 1;
  const draw = (n) => (state = (state * 48271) % 2147483647) % n;
  while (rows.length <= 100000) {
    let parent = rows.length > 40 ? draw(rows.length) : rows.length - 1;
    for (let n = 0; n < 20 && rows.length <= 100000; n += 1) {
      rows.push([parent, `${1 + draw(15)} ${1 + draw(15)}`, '', null, {}]);
      parent = rows.length - 1;
    }
  }
  const root = tree.fromRows(rows);
  const begun = performance.now();
  const index = treeIndex(root, null);
  index.at(root);
  const built = performance.now() - begun;
  // A machine that is busy is slow; the work is far below a second.
  assert.ok(built < 5000, `${built} ms`);
  const steps = performance.now();
  let at = root;
  let count = 0;
  for (; at.children.length; count += 1) {
    index.next(at);
    [at] = at.children;
  }
  assert.ok((performance.now() - steps) / count < 50, `${count} steps`);
});

test('openings are named by their shape', () => {
  const table = openingsOf([['D4', 'Kagetsu', ['8 8', '7 8', '7 9']], ['I7', 'Hogetsu', ['8 8', '7 9', '9 9']]]);
  const renju = { game: 'renju', position: null };
  for (let way = 0; way < 8; way += 1)
    assert.equal(table.of(renju, MOVES.map((move) => turned(move, way))).name, 'Kagetsu');
  assert.equal(table.of(renju, ['8 8', '7 8']), null);
  assert.equal(table.of(renju, ['8 8', '7 8', '9 9']), null);
  assert.equal(table.of({ game: 'bacteria' }, MOVES), null);
});

test('what is explained is drawn in colours', () => {
  const steps = [
    { placed: [112], stones: [110, 111, 112], goals: [109, 113], text: 'three' },
    { placed: [112], stones: [110, 111, 112], goals: [109], text: 'counts' },
    { placed: [112, 109], stones: [109, 124, 139], goals: [], text: 'four' },
    { placed: [112], stones: [112], goals: [], text: 'forbidden' },
  ];
  const whole = shapesOf({ steps });
  assert.deepEqual(whole.map((one) => one.kind), ['line', 'mark', 'mark', 'number']);
  const step = shapesOf({ steps }, 2);
  const seen = step.map((one) => `${one.kind} ${one.text ?? one.tone}`);
  assert.deepEqual(seen, ['line blue', 'number 1', 'number 2']);
});
