import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  brush, changed, cleared, editable, fromView, painted, presses, resized, stroke, toText,
} from './editor.js';

const view = (game, rows, columns, weights = null) => ({
  game, rows, columns, turn: 0,
  position: 'weights cover H 0 1.5 0',
  cells: Array.from({ length: rows * columns }, (_, at) => [0, '.', weights ? weights[at] : null, null, null]),
});
const press = (position, tool, at) => changed(position, painted(position, tool, at));

test('stones are put and taken away', () => {
  let position = fromView(view('renju', 15, 15));
  position = press(position, 'piece 0', 112);
  position = press(position, 'piece 1', 97);
  assert.equal(toText(position), '15/15/15/15/15/15/7W7/7B7/15/15/15/15/15/15/15 B');
  position = press(position, 'piece 1', 97);
  assert.equal(toText({ ...position, turn: 1 }), '15/15/15/15/15/15/15/7B7/15/15/15/15/15/15/15 W');
  assert.equal(toText(cleared(position)), `${Array(15).fill('15').join('/')} B`);
});

test('cells of bacteria are written as their programs do', () => {
  const position = press(fromView(view('bacteria', 7, 7)), 'piece 0', 0);
  assert.equal(toText(press(position, 'piece 1', 48)), 'x6/7/7/7/7/7/6o x 0 1');
});

test('dominoes lie whole, on weights', () => {
  let position = fromView(view('domineering', 2, 3, [1, 2, 3, 4, 5, 12]));
  assert.equal(toText(position), '123/45(12) .../... H 0 1.5 0');
  position = press(position, 'piece 0', 0);
  assert.equal(toText(position), '123/45(12) <>./... H 0 1.5 1');
  // One across it takes its place.
  position = press(position, 'piece 1', 1);
  assert.equal(toText(position), '123/45(12) .^./.v. H 0 1.5 1');
  assert.deepEqual(painted(position, 'piece 0', 2), []);
  assert.deepEqual(painted(position, 'piece 1', 4), []);
  position = press(position, 'weight 7', 1);
  assert.equal(toText(press(position, 'erase', 4)), '173/45(12) .../... H 0 1.5 0');
  assert.equal(toText(resized(position, 1, 4)), '1730 .... H 0 1.5 0');
  assert.equal(presses(position, 'piece 0').length, 4);
});

test('other games cannot be put together', () => assert.ok(!editable('petri')));

test('a drag puts one piece on each place, or takes those of its own away', () => {
  let position = press(fromView(view('renju', 15, 15)), 'piece 0', 0);
  const drag = (tool, places) => {
    const goes = brush(position, tool, places[0]);
    for (const at of places) position = changed(position, stroke(position, goes, at));
    return position.cells.slice(0, 4).map(([owner]) => owner).join('');
  };
  assert.equal(drag('piece 0', [1, 0, 1, 2]), '1110');
  assert.equal(drag('piece 1', [2, 3]), '1122');
  assert.equal(drag('piece 0', [0, 1, 3]), '0020');
  position = press(fromView(view('domineering', 1, 4, [1, 1, 1, 1])), 'piece 0', 1);
  assert.equal(drag('piece 0', [0, 1, 2]), '0110');
});
