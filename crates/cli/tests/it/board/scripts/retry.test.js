import assert from 'node:assert/strict';
import { test } from 'node:test';
import { considered } from './engine.js';
import { effort } from './evaluations.js';
import { drawing } from './notes.js';
import { judged, verdictText } from './retry.js';

test('a move is good if it loses little', () => {
  const [even, lost] = [{ first: 0 }, { mate: 'second' }];
  assert.deepEqual(judged(even, even, 0, 5), { good: true, lost: 0 });
  assert.equal(judged(even, lost, 0, 5).good, false);
  // The same for the other side is no loss.
  assert.equal(judged(even, lost, 1, 5).good, true);
  assert.equal(verdictText('H9', 'H9', { good: true, lost: 0 }), 'H9: the best move.');
  assert.equal(verdictText('H9', 'G7', { good: true, lost: 0 }), 'H9 is good; best was G7.');
  assert.equal(verdictText('A1', 'G7', { good: false, lost: 0.5 }), 'A1 loses 50 % of the bar. Try again, or step on.');
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
