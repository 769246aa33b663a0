// What is written in the places of a board, whatever its game.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lettering } from './board.js';

test('a character that is no piece is written as it is', () => {
  assert.equal(lettering([0, '-', null, null, null]), '-');
  assert.equal(lettering([0, '♞', null, null, 'placed']), '♞');
});

test('empty places, pieces, numbers and corpses have no character', () => {
  assert.equal(lettering([0, '.', null, null, null]), null);
  assert.equal(lettering([1, 'B', null, null, null]), null);
  assert.equal(lettering([0, '7', 7, null, null]), null);
  assert.equal(lettering([0, 'c', null, null, 'corpse']), null);
});
