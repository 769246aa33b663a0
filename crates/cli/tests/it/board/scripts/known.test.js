import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headline, merged, played, winnerOf } from './known.js';

const chapter = (RE, ...moves) => ({
  facts: { RE },
  rows: [[-1, null, '', null, { key: 'start' }], ...moves.map((move) => [0, move, move.toUpperCase(), 0, {}])],
});

test('results of files are read', () => {
  const check = (text, expected) => assert.equal(winnerOf({ RE: text }), expected, text);
  check('B+R', 0);
  check('Black wins', 0);
  check('1-0', 0);
  check('W+T', 1);
  check('0-1', 1);
  check('Draw', 'draw');
  check('0', 'draw');
  check('?', null);
  assert.equal(winnerOf(null), null);
});

test('moves from a position are counted with how their games ended', () => {
  const all = [chapter('B+R', 'a'), chapter('W+R', 'a', 'b'), chapter('', 'b', 'b'), chapter('0', 'a')];
  const found = played(all, 'start');
  assert.deepEqual(found, [
    { move: 'a', letters: 'A', games: 3, wins: [1, 1], draws: 1 },
    { move: 'b', letters: 'B', games: 2, wins: [0, 1], draws: 0 },
  ]);
  assert.deepEqual(played([chapter('B+R', 'a')], 'elsewhere'), []);
});

test('what is proved stands beside what was played', () => {
  const seats = ['Black', 'White'];
  const moves = [
    { move: 'c', letters: 'C', by: 'practised', winner: null },
    { move: 'a', letters: 'A', by: 'proved', winner: 0 },
    { move: 'd', letters: 'D', by: 'open', winner: null, positions: 31 },
  ];
  const rows = merged({ moves }, played([chapter('B+R', 'b'), chapter('B+R', 'a', 'b')], 'start'), seats);
  assert.deepEqual(rows.map((one) => [one.move, one.words, one.games]), [
    ['b', '', 2],
    ['a', 'proved: Black wins', 1],
    ['c', 'held in practice', 0],
    ['d', 'not decided, 31 positions open', 0],
  ]);
  assert.equal(headline({ winner: 0, moves }, seats), 'proved: Black wins');
  assert.equal(headline({ winner: null, moves }, seats), '1 of 3 answers are proved to lose');
  assert.equal(headline({ winner: null, moves: [moves[0]] }, seats), '');
});
