import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LINK_CHARS, packed, received, unpacked } from './studylink.js';
import { fromRows, fromText, toRows } from './tree.js';

/// Rules that refuse A1.
const proved = async (start, root) => {
  const rows = toRows(root);
  const wrong = rows.some(([, move]) => move === 'A1');
  return { made: fromRows(rows.filter(([, move]) => move !== 'A1')), refused: wrong ? ['A1 is refused'] : [] };
};

function study(moves) {
  const root = fromText(moves);
  root.text = 'the start – 시작';
  root.children[0].shapes = [{ kind: 'arrow', from: 3, to: 5, tone: 'red', width: 7 }];
  root.children[0].glyphs = ['!?'];
  root.children[0].value = { text: '+1' };
  const start = { game: 'renju', position: null, parameters: { rules: 'freestyle' }, seed: 0 };
  const chapter = { name: 'one', start, rows: toRows(root), facts: { EV: 'Cup' } };
  return { agon: 'study', version: 1, name: 'Links', chapters: [chapter] };
}

test('a study comes whole out of its link', async () => {
  const text = await packed(study('H8 H9 (G8 I7) I9'));
  assert.match(text, /^[\w-]+$/);
  const found = await unpacked(text);
  const [chapter] = found.chapters;
  assert.deepEqual([found.name, chapter.name, chapter.facts], ['Links', 'one', { EV: 'Cup' }]);
  assert.deepEqual(chapter.start, { game: 'renju', position: null, parameters: { rules: 'freestyle' }, seed: 0 });
  const root = fromRows(chapter.rows);
  assert.equal(root.text, 'the start – 시작');
  assert.deepEqual(root.children[0].glyphs, ['!?']);
  assert.deepEqual(root.children[0].shapes, [{ kind: 'arrow', from: 3, to: 5, tone: 'red', width: 7 }]);
  assert.equal(root.children[0].value, null, 'what engines found stays here');
  assert.deepEqual(root.children[0].children.map((child) => child.move), ['H9', 'G8']);
});

test('some hundred moves fit into a link', async () => {
  const moves = Array.from({ length: 700 }, (_, n) => `${'ABCDEFGHIJKLMNO'[(n * 7) % 15]}${((n * 11) % 15) + 1}`);
  const text = await packed(study(moves.join(' ')));
  assert.ok(text.length < MAX_LINK_CHARS, `${text.length}`);
});

test('what the rules refuse is left out, and the same link is known again', async () => {
  const text = await packed(study('H8 H9 A1'));
  const [one, again] = [await received(text, proved), await received(text, proved)];
  assert.deepEqual(one.refused, ['A1 is refused']);
  assert.equal(one.study.chapters[0].rows.length, 3);
  assert.equal(one.link, again.link);
  assert.notEqual(one.link, (await received(await packed(study('H8 H9')), proved)).link);
});

test('links that are cut off, forged or too large are refused', async () => {
  const text = await packed(study('H8 H9 (G8 I7) I9'));
  await assert.rejects(unpacked(text.slice(0, -9)), /damaged/);
  await assert.rejects(unpacked('%%%'), /damaged/);
  const forged = async (value) => {
    const stream = new Blob([value]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url');
  };
  await assert.rejects(unpacked(await forged('[7,"x",[]]')), /later release/);
  await assert.rejects(unpacked(await forged('{}')), /later release/);
  await assert.rejects(unpacked(await forged('[1,"x",[["a",{"game":"renju"},{},[[0,0],[-5,"8 8"]]]]]')), /row 1/);
  await assert.rejects(unpacked(await forged(' '.repeat(5 << 20))), /too large/);
});
