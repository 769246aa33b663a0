import assert from 'node:assert/strict';
import { test } from 'node:test';
import { considered } from './engine.js';
import { effort } from './evaluations.js';
import { drawing } from './notes.js';
import { judged, verdictText } from './retry.js';

test('a move is good if it loses little', () => {
  const [even, lost] = [{ first: 0 }, { mate: 'second' }];
  assert.deepEqual(judged(even, even, 0, 5), { good: true, before: 50, after: 50 });
  assert.deepEqual(judged(even, lost, 0, 5), { good: false, before: 50, after: 0 });
  // The same for the other side is no loss.
  assert.equal(judged(even, lost, 1, 5).good, true);
  assert.equal(verdictText('H9', 'H9', { good: true }), 'H9: the best move.');
  assert.equal(verdictText('H9', 'G7', { good: true }), 'H9 is good; best was G7.');
  const lostHalf = verdictText('A1', 'G7', { good: false, before: 62, after: 12 });
  assert.equal(lostHalf, 'A1: winning chances fall from 62 % to 12 %. Try again, or step on.');
});

test('moves are named or left out', () => {
  const legal = [{ letters: 'H9', move: '7 8' }, { letters: 'G7', move: '9 7' }];
  assert.deepEqual(considered('', legal), { only: [], without: [], unknown: [] });
  assert.deepEqual(considered('h9, -G7 X1', legal), { only: ['7 8'], without: ['9 7'], unknown: ['X1'] });
});

test('how full the hash is stands behind the effort, where it is known', () => {
  assert.equal(effort({ nodes: 1000, ms: 100, hashfull: 123 }), '1,000 nodes, 10 k/s, 0.1 s, hash 12 %');
  assert.equal(effort({ nodes: 1000, ms: 10 }), '1,000 nodes, 0.0 s');
});

test('a typed label is drawn, and replaces the one that is there', () => {
  const first = drawing([], 'label', 'green', 3, 3, 'x1');
  assert.equal(first.text, 'x1');
  assert.equal(drawing([first], 'label', 'green', 3, 3, 'y').text, 'y');
  assert.equal(drawing([first], 'label', 'green', 3, 3).text, 'x1');
});
