import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './printedtext.js';
import { fromText, line } from './tree.js';

// A number and its move are not parted: `_` stands for the blank between them.
const plain = (text) => text.replaceAll('\u00a0', '_');
const shown = (parts) =>
  parts.map(({ kind, text, node, number }) => [kind, text ? plain(text) : `${node.letters} ${number}`]);

test('a page has moves, comments, variations and diagrams in their order', () => {
  const root = fromText('H8 H9 (G8 I7 (I6) G6) I9 G7');
  const [, h9, i9] = line(root);
  h9.text = 'the direct one';
  h9.glyphs = ['!'];
  root.children[0].children[1].children[0].text = 'a way out';
  i9.shapes = [{ kind: 'mark', at: 3, mark: 'circle' }];
  assert.deepEqual(shown(partsOf(root)), [
    ['moves', '1_H8  2_H9!'],
    ['comment', 'the direct one'],
    ['diagram', 'H9 2'],
    ['variation', '(2_G8 3_I7 – a way out (3_I6) 4_G6)'],
    ['moves', '3_I9'],
    ['diagram', 'I9 3'],
    ['moves', '4_G7'],
    ['diagram', 'G7 4'],
  ]);
});

test('a start that is set up has a diagram, and a tree without moves no text', () => {
  const root = fromText('');
  assert.deepEqual(partsOf(root), []);
  assert.deepEqual(partsOf(root, true).map((part) => part.kind), ['diagram']);
});

test('long variations are cut', () => {
  const moves = Array.from({ length: 3000 }, (_, n) => `A${n}`).join(' ');
  const parts = partsOf(fromText(`H8 H9 (G8 ${moves}) I9`));
  const { text } = parts.find(({ kind }) => kind === 'variation');
  assert.ok(text.length < 7000 && text.endsWith('…)'), `${text.length}`);
});
