// The part of an address behind `#`, which has a game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHash, toHash } from './files.js';

test('a game of one\'s own keeps its parameters', () => {
  const game = 'dots@0123456789ab';
  const question = { game, position: null, parameters: { boxes: '2' }, seed: 7, moves: ['1 2', '3 4'] };
  const read = fromHash('renju', toHash(question, { game, ply: 1, first: 'human' }));
  assert.deepEqual(read.question, question);
  assert.equal(read.words.get('ply'), '1');
});

test('a built-in game has the parameters of boards alone', () => {
  const { question } = fromHash('domineering', '#rows=4&boxes=2&moves=1.1');
  assert.deepEqual(question.parameters, { rows: '4' });
});

test('moves may have blanks between them', () => {
  const moves = (hash) => fromHash('renju', hash).question.moves;
  for (const hash of ['#moves=H8%20H9%20I9', '#moves=H8+H9+I9', '#moves=H8/H9/I9']) {
    assert.deepEqual(moves(hash), ['H8', 'H9', 'I9'], hash);
  }
  assert.deepEqual(moves('#moves=8.8/7.8'), ['8 8', '7 8']);
  assert.deepEqual(moves('#moves=8+8'), ['8 8']);
});
