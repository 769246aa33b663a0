import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromTree, leftOut, toChapter, unfoldedTree } from './gamefiles.js';
import { openedBy, unfolded } from './openings.js';
import { find, fromText, lastOf, moves, toRows, fromRows, toText } from './tree.js';

const GAME = {
  game: 'renju', position: null, parameters: {}, seed: 0, names: ['Ann', 'Bo'],
  moves: ['8 8', '7 8', '7 9'],
  variations: [{ shared: 1, moves: ['8 7', '6 6'] }],
  number: 1,
  header: { EV: 'Cup', DT: '2026-01-02', PB: 'Ann', PW: 'Bo' },
  notes: [
    { at: 0, comment: 'a game' },
    { at: 3, glyph: '!?', marks: [{ kind: 'TR', point: [1, 2] }, { kind: 'LB', point: [15, 15], text: 'x' }] },
    { at: 4, properties: { AR: ['hh:ig'], GB: ['1'], XY: ['kept'] } },
  ],
  left_out: [{ line: 3, text: 'a clock' }],
  remarks: [],
};

test('what a file says stands at its moves', () => {
  const { name, start, root, facts } = toChapter(GAME, 'file');
  assert.equal(name, 'Ann – Bo');
  assert.deepEqual(start, { game: 'renju', position: null, parameters: {}, seed: 0 });
  assert.deepEqual(facts, { EV: 'Cup', DT: '2026-01-02', names: ['Ann', 'Bo'] });
  assert.equal(root.text, 'a game');
  const third = find(root, ['8 8', '7 8', '7 9']);
  assert.deepEqual(third.glyphs, ['!?']);
  assert.deepEqual(third.shapes, [
    { kind: 'mark', at: 1, mark: 'triangle', tone: 'green' },
    { kind: 'label', at: 224, text: 'x', tone: 'green' },
  ]);
  const variation = find(root, ['8 8', '8 7']);
  assert.deepEqual(variation.glyphs, ['+−']);
  assert.deepEqual(variation.shapes, [{ kind: 'arrow', from: 112, to: 98, tone: 'green', width: 7 }]);
  assert.deepEqual(variation.properties, { XY: ['kept'] });
  assert.deepEqual(leftOut({ games: [GAME], left_out: [] }), ['line 3: a clock']);
});

test('and goes into a file again', () => {
  const { root, facts } = toChapter(GAME, 'file');
  const again = fromTree(fromRows(JSON.parse(JSON.stringify(toRows(root)))), null, facts);
  assert.deepEqual(again, {
    moves: GAME.moves,
    names: GAME.names,
    more: { variations: [['8 8', '8 7', '6 6']], header: { EV: 'Cup', DT: '2026-01-02' }, notes: GAME.notes },
  });
});

test('a judgement that is emphasized stays so, until its sign is taken away', () => {
  const notes = [{ at: 1, properties: { GB: ['2'] } }, { at: 2, properties: { UC: ['1'] } }];
  const { root } = toChapter({ ...GAME, variations: [], notes }, 'file');
  const nodes = [find(root, ['8 8']), find(root, ['8 8', '7 8'])];
  assert.deepEqual(nodes.map((node) => node.glyphs), [['+−'], ['∞']]);
  const again = () => fromTree(fromRows(JSON.parse(JSON.stringify(toRows(root)))), null).more.notes;
  assert.deepEqual(again(), notes);
  nodes[0].glyphs = ['−+'];
  assert.deepEqual(again()[0], { at: 1, properties: { GW: ['1'] } });
});

test('the line on the board is the main one, and notes keep their places', () => {
  const { root } = toChapter(GAME, 'file');
  const { moves, more } = fromTree(root, find(root, ['8 8', '8 7']));
  assert.deepEqual(moves, ['8 8', '8 7', '6 6']);
  assert.deepEqual(more.variations, [['8 8', '7 8', '7 9']]);
  assert.deepEqual(more.notes.map(({ at }) => at), [0, 2, 5]);
  assert.equal(toText(root), '8.8 7.8 (8.7 6.6) 7.9');
});

test('the name of a place and marks that are not drawn here are kept', () => {
  const notes = [
    { at: 1, name: 'here', comment: 'good' },
    { at: 2, marks: [{ kind: 'SL', point: [8, 8] }, { kind: 'SL', point: [7, 8] }] },
  ];
  const { root, facts } = toChapter({ ...GAME, notes }, 'file');
  const first = find(root, ['8 8']);
  assert.deepEqual([first.name, first.text], ['here', 'good']);
  const again = fromTree(fromRows(JSON.parse(JSON.stringify(toRows(root)))), null, facts).more.notes;
  assert.deepEqual(again, [notes[0], { at: 2, properties: { SL: ['hh', 'hg'] } }]);
});

test('a game by an opening rule begins on the empty board', () => {
  const rif = { 'opening-rule': 'rif H8 H9 J9 swap G8 J7 G6 G6' };
  const question = { game: 'renju', position: null, parameters: rif, seed: 0, moves: ['5 5'] };
  const stones = ['8 8', '7 8', '7 10', '8 7', '10 7'];
  assert.deepEqual(openedBy(question), { stones, offers: ['9 10', '10 7'] });
  assert.deepEqual(unfolded(question).moves, [...stones, '5 5']);
  assert.deepEqual(unfolded(question).parameters, { rules: 'renju' });
  const swap2 = { ...question, parameters: { 'opening-rule': 'swap2 H8 I9 J6 two A1 B2 keep' } };
  assert.deepEqual(unfolded(swap2).parameters, { rules: 'standard' });
  assert.equal(unfolded(swap2).moves.length, 6);
  const plain = { ...question, parameters: {} };
  assert.equal(unfolded(plain), plain);
  const { moves: _, ...start } = question;
  const unfoldedOne = unfoldedTree({ start, root: fromText('E11'), facts: {} });
  const { root, facts } = unfoldedOne;
  assert.deepEqual(unfoldedOne.start, { game: 'renju', position: null, parameters: { rules: 'renju' }, seed: 0 });
  assert.deepEqual(moves(lastOf(root)), [...stones, 'E11']);
  assert.deepEqual(facts, { ON: 'rif: H8 H9 J9 swap G8 J7 G6 G6' });
  assert.deepEqual(find(root, stones.slice(0, 4)).shapes.map(({ at, text }) => [at, text]), [[129, 'A'], [141, 'B']]);
});
