import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, drawing, drawn, nextLabel, toneOf } from './notes.js';

test('a move has one sign of each kind', () => {
  assert.deepEqual(chosen([], '!'), ['!']);
  assert.deepEqual(chosen(['!'], '!'), []);
  assert.deepEqual(chosen(['!'], '??'), ['??']);
  assert.deepEqual(chosen(['='], '!'), ['!', '=']);
});

test('a mark that is drawn again is taken away, another one replaces it', () => {
  const circle = drawing([], 'circle', 'green', 3, 3);
  assert.deepEqual(circle, { kind: 'mark', at: 3, mark: 'circle', tone: 'green' });
  assert.deepEqual(drawn([circle], circle), []);
  const red = { ...circle, tone: 'red' };
  assert.deepEqual(drawn([circle], red), [red]);
  const arrow = drawing([], 'square', 'blue', 3, 9);
  assert.deepEqual([arrow.kind, arrow.from, arrow.to], ['arrow', 3, 9]);
  assert.deepEqual(drawn([circle], arrow), [circle, arrow]);
  assert.deepEqual(drawn([circle, arrow], arrow), [circle]);
});

test('labels go on from A, and a press on one takes it away', () => {
  const one = drawing([], 'label', 'green', 3, 3);
  const two = drawing([one], 'label', 'green', 4, 4);
  assert.deepEqual([one.text, two.text], ['A', 'B']);
  const shapes = drawn([one], two);
  assert.deepEqual(drawn(shapes, drawing(shapes, 'label', 'green', 3, 3)), [two]);
  assert.equal(nextLabel([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((text) => ({ text }))), '27');
});

test('keys choose the tone', () => {
  const keys = (shiftKey, altKey) => toneOf({ shiftKey, altKey, ctrlKey: false });
  assert.deepEqual([keys(false, false), keys(true, false), keys(false, true), keys(true, true)],
    ['green', 'red', 'blue', 'yellow']);
});
