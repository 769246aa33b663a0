import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING, attempted, chosen, dayOf, daysInRow, fitting, recalled, seen } from './trainer.js';

test('a wrong move ends the row, the best row stays', () => {
  const right = (known, number) => attempted(known, { game: 'renju', number, right: true });
  let known = right(right(NOTHING, 3), 5);
  assert.deepEqual([known.row, known.best, known.solved], [2, 2, { renju: [3, 5] }]);
  known = attempted(known, { game: 'renju', number: 6, right: false });
  assert.deepEqual([known.row, known.best, known.solved.renju], [0, 2, [3, 5]]);
  known = right(known, 5);
  assert.deepEqual([known.row, known.best, known.solved.renju], [1, 2, [3, 5]]);
  // One of an own game has no number.
  assert.deepEqual(attempted(known, { game: 'renju', right: true }).solved, known.solved);
});

test('days in a row are those of the puzzle of the day', () => {
  const on = (known, day) => attempted(known, { game: 'renju', number: 1, day, right: true });
  const three = [10, 11, 11, 12].reduce(on, NOTHING);
  assert.deepEqual([10, 12, 13, 14].map((today) => daysInRow(three, today)), [3, 3, 3, 0]);
  assert.equal(daysInRow(on(three, 14), 14), 1);
  assert.equal(daysInRow(NOTHING, 5), 0);
});

test('a day is that of the calendar on the wall', () => {
  const east = { getTime: () => 23.5 * 3_600_000, getTimezoneOffset: () => -60 };
  const west = { getTime: () => 0.5 * 3_600_000, getTimezoneOffset: () => 60 };
  assert.deepEqual([dayOf(east), dayOf(west), dayOf({ ...west, getTimezoneOffset: () => 0 })], [1, -1, 0]);
});

test('the next puzzle is one that is not solved, and another one', () => {
  const rows = [
    { number: 1, kind: 'fours', grade: 1 },
    { number: 2, kind: 'quiet', grade: 5 },
    { number: 3, kind: 'fours', grade: 5 },
  ];
  assert.deepEqual(fitting(rows, 'fours', '').map((row) => row.number), [1, 3]);
  assert.deepEqual(fitting(rows, '', '5').map((row) => row.number), [2, 3]);
  const last = () => 0.99;
  assert.equal(chosen(rows, [3], [], last), 2);
  assert.equal(chosen(rows, [3], [2], last), 1);
  assert.equal(chosen(rows, [1, 2, 3], [3], last), 2);
  assert.equal(chosen([rows[0]], [], [1], last), 1);
  assert.equal(chosen([], [], [], last), null);
});

test('no puzzle comes again before all others have been shown', () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ number: n, kind: n % 3 ? 'defence' : 'fours', grade: n % 5 }));
  let known = NOTHING;
  const next = () => {
    const number = chosen(rows, [7], known.shown.renju ?? []);
    known = recalled(JSON.stringify(seen(known, 'renju', number)));
    return number;
  };
  const first = Array.from({ length: 29 }, next);
  assert.equal(new Set(first).size, 29);
  assert.ok(!first.includes(7));
  assert.deepEqual(Array.from({ length: 29 }, next), first);
});

test('rare kinds come as often as others', () => {
  const rows = Array.from({ length: 100 }, (_, n) => ({ number: n, kind: n < 90 ? 'defence' : 'fours', grade: 5 }));
  const draws = [0.6, 0, 0.5];
  assert.equal(chosen(rows, [], [], () => draws.shift()), 95);
});

test('what is kept is read, and what is not ours is nothing', () => {
  const known = { solved: { renju: [1] }, shown: { renju: [4, 1] }, row: 2, best: 4, days: [7, 8], lost: 6 };
  assert.deepEqual(recalled(JSON.stringify(known)), known);
  for (const text of [null, '', 'null', '[', '7'])
    assert.deepEqual(recalled(text), NOTHING, String(text));
  assert.deepEqual(recalled('{"days":[1],"solved":{"renju":"x"}}'), NOTHING);
});

test('the puzzle of a day whose solution was shown counts no more on that day', () => {
  const day = (known, number, right) => attempted(known, { game: 'renju', number: 1, day: number, right });
  let known = recalled(JSON.stringify(day(NOTHING, 100, false)));
  known = day(known, 100, true);
  assert.equal(daysInRow(known, 100), 0);
  assert.equal(daysInRow(day(known, 101, true), 101), 1);
});
