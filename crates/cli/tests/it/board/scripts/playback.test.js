import assert from 'node:assert/strict';
import { test } from 'node:test';

import { broadcast, changes, pause, turningPoints } from './playback.js';

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

test('a broadcast game lasts one to three minutes, and every move is seen', () => {
  // Numbers without a pattern, the same in every run.
  let seed = 7;
  const below = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  for (let game = 0; game < 50; game++) {
    const plies = 1 + below(game % 5 === 0 ? 900 : 120);
    const thought = [1, 50, 4000][game % 3];
    const steps = Array.from({ length: plies }, () => ({ ms: below(thought), cells: Array(below(6)).fill(0) }));
    const shown = broadcast({ steps });
    assert.ok(shown.every((step) => step.pause >= 700), `game ${game}`);
    const lasts = shown.reduce((sum, step) => sum + step.pause, 0);
    assert.ok(lasts >= 60000 - 1 && lasts <= 180000 + 1, `game ${game} of ${plies} plies lasts ${lasts} ms`);
    const places = shown.map(({ to }) => to);
    assert.deepEqual(places, places.slice().sort((a, b) => a - b));
    if (plies <= 257) assert.equal(places.length, plies);
    assert.equal(places.at(-1), plies, `game ${game} is not shown to its end`);
  }
});

test('a broadcast thinks where the game did', () => {
  const steps = [10, 20000, 10, 30000].map((ms) => ({ ms, cells: [] }));
  const [first, second, third, fourth] = broadcast({ steps }).map(({ pause }) => Math.round(pause / 1000));
  assert.deepEqual([first, second, third, fourth], [1, 24, 1, 35]);
});

test('a long game is shown where its sides fight', () => {
  // Empty, the first side's, the second's.
  const places = [[0], [1], [2]];
  const steps = Array.from({ length: 900 }, (_, at) => ({ ms: 1, cells: [at, 1, 900 + at, 1] }));
  for (const at of [300, 301, 640]) steps[at].cells = [at - 1, 2];
  const game = { places, cells: Array(1800).fill(0), steps };
  assert.deepEqual([299, 300, 301, 640].map((at) => changes(game)[at]), [2, 16, 1, 16]);
  const shown = broadcast(game).map(({ to }) => to);
  assert.ok(shown.includes(301) && shown.includes(641), 'the fights are shown');
});
