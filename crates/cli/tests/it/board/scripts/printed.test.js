import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partsOf } from './printedtext.js';
import { fromText, line } from './tree.js';

const shown = (parts) => parts.map(({ kind, text, node, number }) => [kind, text ?? `${node.letters} ${number}`]);

test('a page has moves, comments, variations and diagrams in their order', () => {
  const root = fromText('H8 H9 (G8 I7 (I6) G6) I9 G7');
  const [, h9, i9] = line(root);
  h9.text = 'the direct one';
  h9.glyphs = ['!'];
  root.children[0].children[1].children[0].text = 'a way out';
  i9.shapes = [{ kind: 'mark', at: 3, mark: 'circle' }];
  assert.deepEqual(shown(partsOf(root)), [
    ['moves', '1 H8  2 H9!'],
    ['comment', 'the direct one'],
    ['diagram', 'H9 2'],
    ['variation', '(2 G8 3 I7 – a way out (3 I6) 4 G6)'],
    ['moves', '3 I9'],
    ['diagram', 'I9 3'],
    ['moves', '4 G7'],
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
