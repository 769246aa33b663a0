import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeName, library, memory, sameStart, withPosition } from './studies.js';

const START = { game: 'renju', position: null, parameters: {}, seed: 0 };
const rows = (key) => [[-1, null, '', null, {}], [0, '8 8', 'H8', 0, { key }]];

test('studies have chapters, and what is removed comes back', async () => {
  let clock = 0;
  const shelf = library(memory(), () => (clock += 1));
  const study = await shelf.newStudy('Openings');
  assert.equal((await shelf.newStudy('Openings')).name, 'Openings 2');
  const one = await shelf.newChapter(study.id, { name: 'Pine', start: START, rows: rows('k') });
  const two = await shelf.newChapter(study.id, { name: 'Pine', start: START, rows: rows('l') });
  assert.equal(two.name, 'Pine 2');
  const names = async () => (await shelf.chapters(await shelf.study(study.id))).map((chapter) => chapter.name);
  const back = await shelf.removeChapter(one.id);
  assert.deepEqual(await names(), ['Pine 2']);
  await back();
  assert.deepEqual(await names(), ['Pine', 'Pine 2']);
  const whole = await shelf.removeStudy(study.id);
  assert.equal(await shelf.study(study.id), undefined);
  assert.equal(await shelf.chapter(one.id), undefined);
  await whole();
  assert.deepEqual(await names(), ['Pine', 'Pine 2']);
  assert.deepEqual((await shelf.studies()).map((each) => each.name), ['Openings', 'Openings 2']);
});

test('what another tab has written is not overwritten', async () => {
  const shelf = library(memory());
  const study = await shelf.newStudy('s');
  const here = await shelf.newChapter(study.id, { name: 'c', start: START });
  const there = await shelf.chapter(here.id);
  const saved = await shelf.save({ ...there, rows: rows('there') });
  assert.equal(saved.revision, 1);
  assert.equal(await shelf.save({ ...here, rows: rows('here') }), null);
  assert.deepEqual((await shelf.chapter(here.id)).rows, rows('there'));
  assert.ok(await shelf.save({ ...saved, rows: rows('more') }));
  // A chapter that another tab has removed does not come back in halves.
  await shelf.removeChapter(here.id);
  assert.equal(await shelf.save({ ...saved, revision: 2 }), null);
});

test('a study goes into a file and comes back whole', async () => {
  const shelf = library(memory());
  const study = await shelf.newStudy('Endings');
  const facts = { event: 'a match' };
  await shelf.newChapter(study.id, { name: 'one', start: START, rows: rows('k'), here: [0], facts });
  const file = JSON.parse(JSON.stringify(await shelf.exported(study.id)));
  const [again] = await shelf.imported(file);
  assert.equal(again.name, 'Endings 2');
  assert.deepEqual({ ...(await shelf.exported(again.id)), name: 'Endings' }, file);
  const before = (await shelf.studies()).length;
  const withRows = (...all) => ({ agon: 'study', version: 1, chapters: [{ name: 'x', start: START, rows: all }] });
  const root = [-1, null, '', null, {}];
  for (const wrong of [
    {},
    { agon: 'study', version: 2, chapters: [] },
    { agon: 'study', version: 1, chapters: [{}] },
    withRows(root, [7, '8 8', 'H8', 0, {}]),
    withRows(root, [0, 8, 'H8', 0, {}]),
    withRows(root, 'H8'),
    withRows(),
  ])
    await assert.rejects(shelf.imported(wrong));
  // Of a file that is wrong nothing is kept.
  assert.equal((await shelf.studies()).length, before);
  // What is only said wrongly is left out.
  const [odd] = await shelf.imported(withRows(root, [0, '8 8', 'H8', 0, { text: 5, shapes: [{}], glyphs: ['!', 7] }]));
  assert.deepEqual((await shelf.chapters(odd))[0].rows[1], [0, '8 8', 'H8', 0, { glyphs: ['!'], shapes: [] }]);
});

test('all studies go into one file and come back', async () => {
  let clock = 0;
  const shelf = library(memory(), () => (clock += 1));
  for (const name of ['one', 'two']) {
    const study = await shelf.newStudy(name);
    await shelf.newChapter(study.id, { name: 'c', start: START, rows: rows(name) });
  }
  const file = JSON.parse(JSON.stringify(await shelf.exportedAll()));
  const other = library(memory(), () => (clock += 1));
  assert.deepEqual((await other.imported(file)).map((study) => study.name), file.studies.map((study) => study.name));
  assert.deepEqual((await other.exportedAll()).studies.map(({ chapters }) => chapters),
    file.studies.map(({ chapters }) => chapters));
});

test('a position is found in chapters', () => {
  const [one, other] = [{ id: 1, rows: rows('k') }, { id: 2, rows: rows('l') }];
  assert.deepEqual(withPosition([one, other], 'l'), [{ chapter: other, rows: [1] }]);
});

test('names and starts are compared', () => {
  assert.equal(freeName('Game', ['Game', 'Game 2']), 'Game 3');
  assert.ok(sameStart({ game: 'renju' }, START));
  assert.ok(!sameStart({ ...START, seed: 3 }, START));
  assert.ok(sameStart({ ...START, parameters: { a: '1', b: '2' } }, { ...START, parameters: { b: '2', a: '1' } }));
});

test('a chapter moves within its study and into another one, and back', async () => {
  const kept = library(memory());
  const [one, other] = [await kept.newStudy('One'), await kept.newStudy('Other')];
  const made = [];
  for (const name of ['a', 'b', 'c']) made.push(await kept.newChapter(one.id, { name, start: { game: 'renju' } }));
  const names = async (study) => (await kept.chapters(await kept.study(study.id))).map((chapter) => chapter.name);
  const back = await kept.moveChapter(made[2].id, one.id, 0);
  assert.deepEqual(await names(one), ['c', 'a', 'b']);
  await back();
  assert.deepEqual(await names(one), ['a', 'b', 'c']);
  const home = await kept.moveChapter(made[0].id, other.id, 0);
  assert.deepEqual([await names(one), await names(other)], [['b', 'c'], ['a']]);
  assert.equal((await kept.chapter(made[0].id)).study, other.id);
  await home();
  assert.deepEqual([await names(one), await names(other)], [['a', 'b', 'c'], []]);
});

test('many games are put away at once', async () => {
  const place = memory();
  let changes = 0;
  const counted = { ...place, change: (...all) => ((changes += 1), place.change(...all)) };
  const shelf = library(counted);
  const study = await shelf.newStudy('Cup');
  const list = Array.from({ length: 300 }, (_, n) => ({ name: 'Game', start: START, rows: rows(`k${n}`) }));
  const made = await shelf.newChapters(study.id, list);
  assert.equal(changes, 2);
  assert.deepEqual([made[0].name, made[1].name, made[299].name], ['Game', 'Game 2', 'Game 300']);
  const found = await shelf.chapters(await shelf.study(study.id));
  assert.deepEqual(found.map((one) => one.rows[1][4].key), list.map((_, n) => `k${n}`));
  changes = 0;
  await shelf.imported(JSON.parse(JSON.stringify(await shelf.exported(study.id))));
  assert.equal(changes, 2);
});
