import assert from 'node:assert/strict';
import { test } from 'node:test';
import { centreOf, placeAt, seenAt, seenSize, seenStep, turnedOn } from './shapes.js';

const WAYS = [0, 1, 2, 3, 4, 5, 6, 7];

test('places are found where they are seen', () => {
  for (const [rows, columns] of [[15, 15], [3, 5], [1, 8]])
    for (const turned of WAYS) {
      const shape = { rows, columns, turned };
      const [down, across] = seenSize(shape);
      const seen = new Set();
      for (let at = 0; at < rows * columns; at += 1) {
        const [row, column] = seenAt(shape, at);
        assert.ok(row >= 0 && row < down && column >= 0 && column < across, `${turned} ${at}`);
        assert.equal(placeAt(shape, [row, column]), at);
        seen.add(row * across + column);
      }
      assert.equal(seen.size, rows * columns);
    }
});

test('a way after another is what both do', () => {
  const turn = (turned, at) => {
    const [row, column] = seenAt({ rows: 3, columns: 3, turned }, at);
    return 3 * row + column;
  };
  for (const first of WAYS)
    for (const second of WAYS)
      for (let at = 0; at < 9; at += 1)
        assert.equal(turn(turnedOn(first, second), at), turn(second, turn(first, at)), `${first} ${second}`);
  // Four quarters are a whole turn: A1, below on the left, goes up on the left first.
  const quarters = [6, 6, 6, 6].reduce((ways, way) => [...ways, turnedOn(ways.at(-1), way)], [0]);
  assert.deepEqual(quarters, [0, 6, 3, 5, 0]);
  assert.deepEqual(seenAt({ rows: 15, columns: 15, turned: 6 }, 14 * 15), [0, 0]);
});

test('steps and middles turn with the board', () => {
  for (const turned of WAYS) {
    const shape = { rows: 8, columns: 8, turned };
    const [down, right] = seenStep(shape, [0, 1]);
    const [from, to] = [seenAt(shape, 27), seenAt(shape, 28)];
    assert.deepEqual([to[0] - from[0], to[1] - from[1]], [down + 0, right + 0]);
    assert.notDeepEqual(centreOf(shape, 27), centreOf(shape, 28));
  }
});
