import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growing, promoting, raising, removing, setting } from './edits.js';
import { history } from './history.js';
import { find, fromText, toText } from './tree.js';

const made = (move) => ({ move, letters: move, side: 0, key: null });

test('every change of a tree is taken back and made again', async () => {
  const root = fromText('H8 H9 (G8 I7) I9');
  const past = history();
  const texts = [toText(root)];
  const step = async (change) => {
    await past.make(change);
    texts.push(toText(root));
  };
  await step(growing(find(root, ['H8', 'H9']), [made('K1'), made('K2')]).change);
  await step(promoting(find(root, ['H8', 'G8', 'I7'])));
  await step(raising(find(root, ['H8', 'H9', 'K1'])));
  await step(removing(find(root, ['H8', 'G8'])));
  await step(setting(find(root, ['H8']), 'text', 'centre', 'comment'));
  assert.deepEqual(texts, [
    'H8 H9 (G8 I7) I9',
    'H8 H9 (G8 I7) I9 (K1 K2)',
    'H8 G8 (H9 I9 (K1 K2)) I7',
    'H8 G8 (H9 K1 (I9) K2) I7',
    'H8 H9 K1 (I9) K2',
    'H8 H9 K1 (I9) K2',
  ]);
  for (const text of texts.slice(0, -1).reverse()) {
    await past.undo();
    assert.equal(toText(root), text);
  }
  assert.equal(await past.undo(), null);
  assert.equal(find(root, ['H8']).text, '');
  for (const text of texts.slice(1)) {
    assert.ok(await past.redo());
    assert.equal(toText(root), text);
  }
  assert.equal(await past.redo(), null);
  assert.equal(find(root, ['H8']).text, 'centre');
});

test('moves that are there already are no change', () => {
  const root = fromText('H8 H9');
  const { end, change } = growing(root, [made('H8'), made('H9')]);
  assert.equal(change, null);
  assert.equal(end, find(root, ['H8', 'H9']));
});

test('a new change ends what could be made again, and steps wait for each other', async () => {
  const log = [];
  const slow = (name) => ({
    words: name,
    redo: async () => {
      await new Promise((go) => setTimeout(go, 5));
      log.push(name);
    },
    undo: () => log.push(`-${name}`),
  });
  const past = history();
  const steps = [past.make(slow('a')), past.make(slow('b')), past.undo(), past.make(slow('c'))];
  await Promise.all(steps);
  assert.deepEqual(log, ['a', 'b', '-b', 'c']);
  assert.equal(past.redoWords(), null);
  assert.equal(past.undoWords(), 'c');
});

test('a change that fails is not kept', async () => {
  const past = history();
  const failing = { words: 'x', redo: () => { throw new Error('no'); }, undo: () => {} };
  await assert.rejects(past.make(failing));
  assert.equal(past.undoWords(), null);
});
