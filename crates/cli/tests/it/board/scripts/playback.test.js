import assert from 'node:assert/strict';
import { test } from 'node:test';

import { pause, turningPoints } from './playback.js';

test('a move is shown long enough to be seen', () => {
  assert.equal(pause({ ms: 3 }, 'played'), 700);
  assert.equal(pause({ ms: 4500 }, 'played'), 4500);
  assert.deepEqual(['0.5', '1', '16'].map((pace) => pause({ ms: 4500 }, pace)), [2000, 1000, 62.5]);
});

test('a game turns where its evaluation swings most', () => {
  const judged = (shares) => turningPoints(shares.map((share, at) => ({ side: at % 2, judged: share })));
  assert.deepEqual(judged([0, 0.1, -0.5, -0.4, 0.6, 0.7]), [2, 4]);
  assert.deepEqual(judged([0, 0.2, 0.4, 0.6]), []);
  // The move after a turn belongs to it, and there are three at most.
  assert.deepEqual(judged([0, 0.9, 0]), [1]);
  assert.deepEqual(judged([0, 0.8, 0.8, 0, 0, 0.7, 0.7, 0, 0]), [1, 3, 5]);
});

test('what a player thinks is compared with what it thought before', () => {
  const said = (shares) =>
    turningPoints(shares.map((share, at) => ({ side: at % 2, eval: share === null ? null : { share } })));
  // Both are sure of themselves all the time: nothing turns.
  assert.deepEqual(said([0.8, -0.8, 0.8, -0.8]), []);
  assert.deepEqual(said([0.8, -0.8, 0.8, null, -0.6]), [4]);
});
