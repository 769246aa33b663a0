import assert from 'node:assert/strict';
import { test } from 'node:test';
import { distinct, folded, headline, joined, merged, played, playedTurned, winnerOf } from './known.js';
import { keyAfter } from './symmetry.js';

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
    ['d', 'undecided (31)', 0],
    ['c', 'held in practice', 0],
  ]);
  assert.equal(headline({ winner: 0, moves }, seats), 'proved: Black wins');
  assert.equal(headline({ winner: null, moves }, seats), '1 of 3 answers are proved to lose');
  assert.equal(headline({ winner: null, moves: [moves[0]] }, seats), '');
});

test('many proved moves are folded away where others are left', () => {
  const proved = Array.from({ length: 207 }, (_, n) => ({ move: `${n}`, by: 'proved', winner: 0, games: 0 }));
  const open = [{ move: 'a', by: 'open', games: 0 }, { move: 'b', by: 'proved', winner: 0, games: 2 }];
  const { seen, away } = folded([...open, ...proved]);
  assert.deepEqual([seen.map((one) => one.move), away.length], [['a', 'b'], 207]);
  assert.deepEqual(folded(proved).away, []);
  assert.deepEqual(folded([open[0], proved[0]]).away, []);
});

test('games are counted however their board is turned', () => {
  const renju = (id, RE, ...moves) => ({
    id, revision: 0, facts: { RE }, start: { game: 'renju' },
    rows: [[-1, null, '', null, {}], ...moves.map((move, n) => [n, move, move, n % 2, {}])],
  });
  const all = [renju(1, 'B+R', '8 8', '7 8', '7 9'), renju(2, 'W+R', '8 8', '8 7', '9 7'), renju(3, '', '8 8', '9 9')];
  const found = playedTurned(all, keyAfter(null, ['8 8', '9 8']));
  // Both sides of a position that is its own mirror image.
  assert.deepEqual(found.map(({ letters, games, wins }) => [letters, games, wins]), [
    ['I7', 2, [1, 1]],
    ['G7', 2, [1, 1]],
  ]);
});

test('a move and its mirror image are one row', () => {
  const rows = ['7 9', '7 7', '6 8'].map((move) => ({ move }));
  const key = (move) => keyAfter(null, ['8 8', '7 8', move]).key;
  assert.deepEqual(distinct(rows, key), [{ move: '7 9' }, { move: '6 8' }]);
});

test('games of the engines are added to those of studies', () => {
  const row = (move, games, wins) => ({ move, letters: move.toUpperCase(), games, wins, draws: 1 });
  const found = joined([[row('a', 5, [3, 1]), row('b', 2, [0, 1])], [row('b', 6, [2, 3])]]);
  assert.deepEqual(found, [
    { move: 'b', letters: 'B', games: 8, wins: [2, 4], draws: 2 },
    { move: 'a', letters: 'A', games: 5, wins: [3, 1], draws: 1 },
  ]);
});
