// Studies that are kept in this browser: named, with chapters, each a tree of moves from a start.
//
// A study: { id, name, created, changed, chapters: [id…], link? }; `link` identifies the link that it came by.
// A chapter: { id, study, name, start: { game, position, parameters, seed }, rows, here: [index…], facts: { … },
// revision, changed }; `rows` is the tree as tree.js keeps it, `here` the way to the node on the board.
//
// A place where they are kept has two drawers, `studies` and `chapters`: see `memory` and `database`.

import { eachKey } from './symmetry.js';
import { t } from './words.js';

const DRAWERS = ['studies', 'chapters'];

/// A place that forgets everything: for tests, and for browsers that keep nothing.
export function memory() {
  const drawers = Object.fromEntries(DRAWERS.map((name) => [name, new Map()]));
  const copy = (value) => (value === undefined ? undefined : structuredClone(value));
  return {
    lasting: false,
    all: async (drawer) => [...drawers[drawer].values()].map(copy),
    get: async (drawer, id) => copy(drawers[drawer].get(id)),
    /// Several values at once, in the order of their ids.
    several: async (drawer, ids) => ids.map((id) => copy(drawers[drawer].get(id))),
    /// Puts values into drawers and takes others out, all of it or nothing: [[drawer, value | { id, gone: true }]…].
    /// `allowed` gets the value that is there before for each, and says whether it goes on.
    async change(list, allowed = null) {
      if (allowed && !list.every(([drawer, value]) => allowed(drawers[drawer].get(value.id), value))) return false;
      for (const [drawer, value] of list)
        if (value.gone) drawers[drawer].delete(value.id);
        else drawers[drawer].set(value.id, copy(value));
      return true;
    },
  };
}

const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/// The database of this browser.
export async function database(factory = indexedDB) {
  const opening = factory.open('agon', 1);
  opening.onupgradeneeded = () => {
    for (const name of DRAWERS) opening.result.createObjectStore(name, { keyPath: 'id' });
  };
  const opened = await answer(opening);
  // Another tab of a later release waits for this one.
  opened.onversionchange = () => opened.close();
  return {
    lasting: true,
    all: (drawer) => answer(opened.transaction(drawer).objectStore(drawer).getAll()),
    get: (drawer, id) => answer(opened.transaction(drawer).objectStore(drawer).get(id)),
    several(drawer, ids) {
      if (!ids.length) return Promise.resolve([]);
      const store = opened.transaction(drawer).objectStore(drawer);
      return Promise.all(ids.map((id) => answer(store.get(id))));
    },
    async change(list, allowed = null) {
      const work = opened.transaction(DRAWERS, 'readwrite');
      const over = new Promise((resolve, reject) => {
        work.oncomplete = () => resolve(true);
        work.onabort = () => (work.error ? reject(work.error) : resolve(false));
      });
      for (const [drawer, value] of list) {
        const store = work.objectStore(drawer);
        if (allowed && !allowed(await answer(store.get(value.id)), value)) {
          work.abort();
          break;
        }
        if (value.gone) store.delete(value.id);
        else store.put(value);
      }
      return over;
    },
  };
}

/// Where studies are kept: the database, or memory where the browser has none, as in a private window.
export async function place() {
  try {
    return await database();
  } catch {
    return memory();
  }
}

const hex = (byte) => byte.toString(16).padStart(2, '0');
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(8)), hex).join('');

/// The rows of a tree that is only its start.
const EMPTY = [[-1, null, '', null, {}]];

/// What gives names that none of these and none given before have: `Game`, `Game 2`, …
export function freeNames(others) {
  const used = new Set(others);
  const next = new Map();
  return (name) => {
    let free = name;
    let n = next.get(name) ?? 2;
    for (; used.has(free); n += 1) free = `${name} ${n}`;
    next.set(name, n);
    used.add(free);
    return free;
  };
}

/// A name that no other one has.
export const freeName = (name, others) => freeNames(others)(name);

const isText = (value) => typeof value === 'string';
const isShape = (one) => isText(one?.kind) && [one.at, one.from, one.to].every((n) => n === undefined || n >= 0);

/// The chapter of a file, which may be anyone's: what is no chapter is an error that names the row.
export function soundChapter({ name, start, rows, here, facts } = {}) {
  if (!isText(start?.game) || !Array.isArray(rows) || !rows.length)
    throw new Error(t('The chapter {name} has no start or no moves.', { name }));
  const sound = rows.map((row, n) => {
    const [parent, move, letters, side, more] = Array.isArray(row) ? row : [];
    const placed = n === 0 || (Number.isInteger(parent) && parent >= 0 && parent < n && isText(move));
    if (!placed || !isText(letters)) throw new Error(t('The chapter {name} is wrong in row {row}.', { name, row: n }));
    const { name: title, text, glyphs, shapes, ...rest } = more ?? {};
    const kept = { ...rest };
    if (isText(title)) kept.name = title;
    if (isText(text)) kept.text = text;
    if (Array.isArray(glyphs)) kept.glyphs = glyphs.filter(isText);
    if (Array.isArray(shapes)) kept.shapes = shapes.filter(isShape);
    return [parent, n === 0 ? null : move, letters, side, kept];
  });
  return { name: String(name), start, rows: sound, here: Array.isArray(here) ? here : [], facts: facts ?? {} };
}

/// The studies in a place. Nothing here shows anything.
export function library(kept, now = Date.now) {
  const stamped = (value) => ({ ...value, changed: now() });

  return {
    lasting: kept.lasting,

    /// All studies, the one that was changed last first.
    async studies() {
      const all = await kept.all('studies');
      return all.sort((one, other) => other.changed - one.changed);
    },

    study: (id) => kept.get('studies', id),
    chapter: (id) => kept.get('chapters', id),

    /// The chapters of a study in their order.
    async chapters(study) {
      return (await kept.several('chapters', study.chapters)).filter(Boolean);
    },

    /// Every chapter of every study, the one that was changed last first.
    async everything() {
      const all = await kept.all('chapters');
      return all.sort((one, other) => other.changed - one.changed);
    },

    /// A new study without chapters.
    async newStudy(name, more = {}) {
      const others = (await kept.all('studies')).map((study) => study.name);
      const made = { name: freeName(name, others), created: now(), changed: now(), chapters: [] };
      const study = { id: newId(), ...made, ...more };
      await kept.change([['studies', study]]);
      return study;
    },

    /// A new chapter at the end of a study. `what`: { name, start, rows, here, facts }.
    async newChapter(studyId, what) {
      return (await this.newChapters(studyId, [what]))[0];
    },

    /// New chapters at the end of a study, all of them or none.
    async newChapters(studyId, list) {
      const study = await kept.get('studies', studyId);
      const free = freeNames((await this.chapters(study)).map((chapter) => chapter.name));
      const chapters = list.map((what) => {
        const made = { rows: EMPTY, here: [], facts: {}, ...what, name: free(what.name) };
        return stamped({ id: newId(), study: study.id, revision: 0, ...made });
      });
      const holds = stamped({ ...study, chapters: [...study.chapters, ...chapters.map(({ id }) => id)] });
      await kept.change([['studies', holds], ...chapters.map((chapter) => ['chapters', chapter])]);
      return chapters;
    },

    /// Keeps a chapter as it is now, and returns it with its new revision. One that another tab has changed meanwhile
    /// is not overwritten: nothing is kept then, and null is returned.
    async save(chapter) {
      const next = stamped({ ...chapter, revision: chapter.revision + 1 });
      const unchanged = (before) => before !== undefined && before.revision === chapter.revision;
      return (await kept.change([['chapters', next]], unchanged)) ? next : null;
    },

    async renameStudy(id, name) {
      await kept.change([['studies', stamped({ ...(await kept.get('studies', id)), name })]]);
    },

    async renameChapter(id, name) {
      const chapter = await kept.get('chapters', id);
      await kept.change([['chapters', stamped({ ...chapter, name, revision: chapter.revision + 1 })]]);
    },

    /// Moves a chapter to a place in a study, its own or another one; what is returned moves it back.
    async moveChapter(id, studyId, place) {
      const chapter = await kept.get('chapters', id);
      const [from, to] = [await kept.get('studies', chapter.study), await kept.get('studies', studyId)];
      const before = from.chapters.indexOf(id);
      const without = from.chapters.filter((one) => one !== id);
      const list = (from.id === to.id ? without : to.chapters).toSpliced(place, 0, id);
      const next = { ...chapter, study: to.id, revision: chapter.revision + 1 };
      const studies = [['studies', stamped({ ...to, chapters: list })]];
      if (from.id !== to.id) studies.unshift(['studies', stamped({ ...from, chapters: without })]);
      await kept.change([...studies, ['chapters', next]]);
      return () => this.moveChapter(id, from.id, before);
    },

    /// Takes a chapter away; what is returned puts it back.
    async removeChapter(id) {
      const chapter = await kept.get('chapters', id);
      const study = await kept.get('studies', chapter.study);
      const at = study.chapters.indexOf(id);
      const without = { ...study, chapters: study.chapters.filter((one) => one !== id) };
      await kept.change([['chapters', { id, gone: true }], ['studies', stamped(without)]]);
      return async () => {
        const now = (await kept.get('studies', study.id)) ?? { ...study, chapters: [] };
        const chapters = now.chapters.toSpliced(Math.min(at, now.chapters.length), 0, id);
        await kept.change([['chapters', chapter], ['studies', stamped({ ...now, chapters })]]);
      };
    },

    /// Takes a study away with its chapters; what is returned puts all of it back.
    async removeStudy(id) {
      const study = await kept.get('studies', id);
      const chapters = await this.chapters(study);
      const gone = [['studies', study], ...chapters.map((chapter) => ['chapters', chapter])];
      await kept.change(gone.map(([drawer, value]) => [drawer, { id: value.id, gone: true }]));
      return () => kept.change(gone);
    },

    /// A whole study as one value, for a file.
    async exported(id) {
      const study = await kept.get('studies', id);
      const chapters = await this.chapters(study);
      return {
        agon: 'study',
        version: 1,
        name: study.name,
        chapters: chapters.map(({ name, start, rows, here, facts }) => ({ name, start, rows, here, facts })),
      };
    },

    /// All studies as one value.
    async exportedAll() {
      const studies = [];
      for (const { id } of (await this.studies()).reverse()) studies.push(await this.exported(id));
      return { agon: 'studies', version: 1, studies };
    },

    /// The studies of such a value, as new ones: [study…].
    async imported(value) {
      const all = value?.agon === 'studies' && Array.isArray(value.studies) ? value.studies : [value];
      const sound = all.map((one) => {
        if (one?.agon !== 'study' || one.version !== 1 || !Array.isArray(one.chapters))
          throw new Error(t('This is no study of Agon, or one of a later release.'));
        const link = isText(one.link) ? { link: one.link } : {};
        return { name: String(one.name ?? t('Imported')), chapters: one.chapters.map(soundChapter), link };
      });
      const made = [];
      for (const { name, chapters, link } of sound) {
        const study = await this.newStudy(name, link);
        await this.newChapters(study.id, chapters);
        made.push(await kept.get('studies', study.id));
      }
      return made;
    },
  };
}

/// Where a position stands in chapters: [{ chapter, rows: [number…] }…] of those that have it. Of renju `turned` is its
/// key however the board is turned.
export function withPosition(chapters, key, turned = null) {
  const has = (chapter) => {
    if (turned === null || chapter.start.game !== 'renju')
      return chapter.rows.flatMap(([, , , , more], n) => (more.key === key ? [n] : []));
    const found = [];
    eachKey(chapter.rows, chapter.start, (n, other) => other === turned && found.push(n));
    return found;
  };
  return chapters.map((chapter) => ({ chapter, rows: has(chapter) })).filter(({ rows }) => rows.length);
}

/// Whether two starts are the same.
export function sameStart(one, other) {
  const plain = ({ game, position, parameters, seed }) =>
    JSON.stringify([game, position ?? null, Object.entries(parameters ?? {}).sort(), seed ?? 0]);
  return plain(one) === plain(other);
}
