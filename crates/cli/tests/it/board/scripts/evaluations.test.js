import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bestMove, countOf, effort, linesOf, mistake, mistakeText, moveTo, plainReason, report, reportText, shapesOf, share,
  shortValue, worth,
} from './evaluations.js';
import { endWords, nothing, received } from './engine.js';

const line = (rank, value, moves, side = 0) => ({
  rank, depth: 9, first: side === 0 ? value : -value, text: `${value}`, side, wins_in: null, loses_in: null, moves,
  letters: moves,
});
const legal = [{ move: 'a', from: [], to: [3] }, { move: 'b', from: [], to: [4] }, { move: 'c', from: [7], to: [5] }];
const find = (move) => legal.find((one) => one.move === move);
const view = { turn: 0, origin: 1, columns: 15, rows: 15, letter: 'A', seats: ['Black', 'White'] };

test('the bar has half for equality and all for a win', () => {
  assert.equal(share(null, 3), 0.5);
  assert.equal(share({ first: 0 }, 3), 0.5);
  assert.equal(share({ first: null, mate: 'second' }, 3), 0);
  assert.ok(share({ first: 2 }, 3) > share({ first: 1 }, 3));
  assert.equal(worth({ side: 1, wins_in: 3, first: null, text: 'wins in 3' }).mate, 'second');
});

test('what is drawn is thinner the more a move loses', () => {
  const found = [line(1, 1, ['a']), line(2, 0.9, ['b']), line(3, 0.8, ['c'])];
  const shapes = shapesOf({ ...nothing(), found }, view, find, 3);
  assert.deepEqual(shapes.map(({ kind, pill, text }) => [kind, pill ?? text]),
    [['ring', '+1.0'], ['ring', '+0.9'], ['arrow', '+0.8']]);
  assert.ok(shapes[0].width > shapes[1].width && shapes[1].width > shapes[2].width / 2);
  assert.deepEqual(shapesOf({ ...nothing(), found: [line(1, 5, ['a']), line(2, -5, ['b'])] }, view, find, 3).length, 1);
});

test('a mistake has what it cost, and what was better, in words', () => {
  const parent = { value: { first: 0 }, best: 'L9', line: ['L9', 'K8', 'M10'] };
  const node = { value: { first: null, mate: 'second' }, side: 0, letters: 'E11', parent };
  const cost = 'E11: blunder. Black’s winning chances fall from 50 % to 0 %.';
  assert.equal(mistakeText(node, 3, view.seats), `${cost} Better was L9 K8 M10.`);
  const punished = { ...node, best: 'J9', line: ['J9', 'K8', 'L8', 'M8'] };
  assert.equal(mistakeText(punished, 3, view.seats), `${cost} The answer is J9 K8 L8. Better was L9 K8 M10.`);
  // Of an earlier release, which kept the move alone, or of none that is known.
  const short = { ...node, parent: { ...parent, line: undefined } };
  assert.equal(mistakeText(short, 3, view.seats), `${cost} Better was L9.`);
  assert.equal(mistakeText({ ...node, parent: { value: parent.value } }, 3, view.seats), cost);
});

test('the best move is known in every game', () => {
  assert.equal(bestMove(nothing()), null);
  assert.equal(bestMove({ ...nothing(), found: [line(1, 1, ['a'])] }), 'a');
  assert.equal(bestMove({ ...nothing(), opening: { best: 'o' } }), 'o');
  const values = { moves: [{ move: [1, 2], best: false }, { move: [3, 4], best: true }], line: [] };
  assert.equal(bestMove({ ...nothing(), values }), '3 4');
  assert.equal(bestMove({ ...nothing(), win: [[8, 9]] }), '8 9');
});

test('a pass within a forced win is called so and lies on no place', () => {
  const win = [[8, 9], [-1, -1], [1, 1]];
  assert.deepEqual(linesOf({ ...nothing(), win }, view)[0].letters, ['I8', 'PASS', 'A15']);
  const shapes = shapesOf({ ...nothing(), win }, view, find, 3);
  assert.deepEqual(shapes.map(({ at, text }) => [at, text]), [[113, 1], [0, 3]]);
});

test('the ends of the row that has won are named once', () => {
  const reason = 'White has made a five on the rising diagonal from G8 (8,7) to K12 (4,11)';
  assert.equal(plainReason(reason, view), 'White has made a five on the rising diagonal from G8 to K12');
  assert.equal(plainReason(reason, { ...view, letter: null }), reason);
});

test('a forced win is written in the letters of people', () => {
  const [first] = linesOf({ ...nothing(), win: [[8, 9], [1, 1]] }, view);
  assert.deepEqual(first, { title: 'proved: a forced win', letters: ['I8', 'A15'], moves: ['8 9', '1 1'] });
});

test('events of a search add up, and its end says whether it can go on', () => {
  let known = nothing();
  known = received(known, 'line', line(2, 1, ['b']));
  known = received(known, 'line', line(1, 2, ['a']));
  known = received(known, 'best', { best: 'a' });
  assert.deepEqual([known.found.map((one) => one.moves[0]), known.opening, known.depth], [['a', 'b'], null, 9]);
  assert.equal(received(nothing(), 'best', { best: 'a' }).opening.best, 'a');
  assert.deepEqual([endWords('time')[1], endWords('done')[1]], [true, false]);
});

test('a move that lost much is a mistake of its maker', () => {
  const parent = { value: { first: 3 } };
  assert.equal(mistake({ parent, value: { first: -3 }, side: 0 }, 3)[1], '??');
  assert.equal(mistake({ parent, value: { first: -3 }, side: 1 }, 3), null);
  assert.equal(mistake({ parent, value: null, side: 0 }, 3), null);
});

test('a move has its number on its piece', () => {
  const board = { origin: 1, columns: 2, cells: [[1, 'H', 0, [0, 1], null], [1, 'H', 0, [0, -1], null], [0], [2]] };
  assert.deepEqual(countOf(board, { move: '1 1', side: 0 }, 1), [{ kind: 'count', cells: [0, 1], text: 1, side: 0 }]);
  assert.deepEqual(countOf(board, { move: '2 2', side: 1 }, 2), [{ kind: 'count', cells: [3], text: 2, side: 1 }]);
  for (const move of ['2 1', '1 1 2 2', 'PASS', '-1 -1']) assert.deepEqual(countOf(board, { move, side: 0 }, 3), []);
});

test('a report says what each side kept', () => {
  const values = [0, 0, -3, 3, null];
  const nodes = values.map((first, n) => ({ value: first === null ? null : { first }, side: n ? (n - 1) % 2 : null }));
  nodes.forEach((one, n) => (one.parent = nodes[n - 1]));
  const both = report(nodes, 3);
  assert.deepEqual(both.map(({ moves, wrong }) => [moves, wrong.blunder]), [[2, 0], [1, 0]]);
  assert.equal(both[1].accuracy, 100);
  assert.equal(reportText(both, ['Black', 'White']), 'Black: accuracy 100 %. White: accuracy 100 %.');
  const worse = report([nodes[0], { parent: nodes[0], side: 0, value: { first: -6 } }], 3);
  assert.equal(reportText(worse, ['Black', 'White']), 'Black: accuracy 54 %, 1 blunder.');
  assert.equal(reportText(report([nodes[0]], 3), ['Black', 'White']), '');
});

test('costs and values are short', () => {
  assert.equal(effort({ nodes: 1234567, ms: 3000 }), '1,234,567 nodes, 412 k/s, 3.0 s');
  assert.deepEqual([line(1, 1.26, []), line(1, -12.4, [], 1)].map(shortValue), ['+1.3', '−12']);
});

test('a place is named as the moves of its game are', () => {
  const renju = { columns: 15, rows: 15, letter: 'A', origin: 1, legal: [{ letters: 'H8', from: [], to: [112] }] };
  assert.equal(moveTo(renju, 0), 'A15');
  const war = { columns: 7, rows: 7, letter: 'a', origin: 1, legal: [{ letters: 'a7b6', from: [0], to: [8] }] };
  assert.deepEqual([moveTo(war, 24), moveTo(war, 24, 0)], ['d4', 'a7d4']);
  const rows = { columns: 8, rows: 8, letter: null, origin: 1, legal: [{ letters: '1 1', from: [], to: [0, 1] }] };
  assert.equal(moveTo(rows, 9), '2 2');
  // Of moves that are written otherwise nothing is known.
  assert.equal(moveTo({ ...rows, legal: [{ letters: 'swap', from: [], to: [3] }] }, 9), null);
});

test('before a move is proved the one that the champion would play is shown', () => {
  const legal = [{ move: '1 1', to: [0, 1], from: [] }, { move: '2 1', to: [2, 3], from: [] }];
  const view = { turn: 0, seats: ['H', 'V'], legal };
  const open = { value: null, winner: null, best: false };
  const moves = legal.map(({ move }) => ({ ...open, move: move.split(' ').map(Number) }));
  const values = { moves, line: [], lead: 0, estimate: 7.5, turn: 'H', value: null, winner: null };
  const known = { found: [], values: { ...values, guess: { move: '2 1', letters: '2 1' } } };
  assert.equal(bestMove(known), '2 1');
  assert.deepEqual(linesOf(known, view), [{ title: '+7.5 estimated', letters: ['2 1'], moves: ['2 1'] }]);
  const drawn = shapesOf(known, view, (words) => legal.find((one) => one.move === words), 1);
  assert.deepEqual(drawn.map(({ text, best }) => [text, best]), [['≈', true]]);
});
