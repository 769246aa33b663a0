import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { leadAfter } from './broadcast.js';
import { numbered } from './mini.js';
import { broadcast, clocksDuring } from './playback.js';

test('the clock of the side that thinks runs', () => {
  const step = { side: 1, ms: 400, clocks: [9000, 8600] };
  assert.deepEqual([0, 0.5, 1].map((share) => clocksDuring(step, 'move', share)), [
    [9000, 9000],
    [9000, 8800],
    [9000, 8600],
  ]);
  assert.deepEqual(clocksDuring(step, 'turn', 0.5), [9000, 8600]);
});

test('moves are numbered from the start of the game', () => {
  assert.equal(numbered({ opening: 5 }, { ply: 19, move: 'G11' }), '24. G11');
  assert.equal(numbered({}, { ply: 1, move: 'H8' }), '1. H8');
});

test('the lead is the last that is known', () => {
  const steps = [{ eval: { share: 0.2 } }, {}, { judged: -0.5 }];
  assert.deepEqual([0, 1, 2, 3].map((at) => leadAfter(steps, at)), [undefined, 0.2, 0.2, -0.5]);
});

test('fast games that were played can be followed', () => {
  const games = readFileSync('games.jsonl', 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(games.length, 50);
  for (const game of games) {
    const shown = broadcast(game);
    const name = `${game.names.join(' – ')}, ${game.steps.length} plies`;
    assert.ok(shown.every(({ pause }) => pause >= 700), name);
    const lasts = shown.reduce((sum, { pause }) => sum + pause, 0);
    assert.ok(lasts >= 60000 - 1 && lasts <= 180000 + 1, `${name}: ${lasts} ms`);
    assert.equal(shown.at(-1).to, game.steps.length, name);
  }
});
