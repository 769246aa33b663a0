import assert from 'node:assert/strict';
import { test } from 'node:test';
import { written } from './loading.js';
import { fromText } from './tree.js';

test('a text of moves begins with nothing that other programs do not read', () => {
  const root = fromText('H8 H9 (G8 I7) I9');
  const start = { game: 'renju', position: null, parameters: {}, seed: 0 };
  assert.equal(written(root, start, '15/…'), 'H8 H9 (G8 I7) I9\n');
  const later = { ...start, game: 'bacteria', position: 'x5o/7/7/7/7/7/o5x x 0 1' };
  assert.equal(written(fromText('b7'), later, later.position), `[FEN "${later.position}"]\n\nb7\n`);
  const own = { ...start, game: 'hex@0123' };
  assert.ok(written(fromText('a1'), own, '').startsWith('agon %7B'));
});
