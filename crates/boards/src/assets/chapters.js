// The chapters that are open on the page, and when they are kept: soon after each change.

import { fromTree } from './gamefiles.js';
import { writeGame } from './server.js';
import { library, place } from './studies.js';
import * as tree from './tree.js';
import { t } from './words.js';

/// After how many milliseconds a change is kept.
const PAUSE_MS = 200;
/// Where the page was, and where earlier releases kept their only tree.
const AT = 'agon.analysis.at';
const EARLIER = 'agon.analysis';
/// What a page that was left had not kept yet: browsers do not wait for a database then.
const LEFT = 'agon.analysis.left';

/// The shelf of this page: the library of the browser, and the trees that are in memory.
export async function chapters() {
  const kept = library(await place());
  /// By the chapter's id: { record, root }.
  const open = new Map();
  const names = new Map();
  const ways = new Map();
  let waiting = new Map();
  let saving = Promise.resolve();
  /// The chapters that the database does not have as they are here: a page that goes may cut off their saving.
  const unsaved = new Set();
  /// Every chapter as the database has it, until something is changed here.
  let all = null;
  let [conflict, trouble] = [() => {}, () => {}];
  let persists = false;

  function opened(record) {
    const known = open.get(record.id);
    if (known && known.record.revision >= record.revision) return known;
    const made = { record, root: tree.fromRows(record.rows) };
    open.set(record.id, made);
    return made;
  }
  const canonical = (record) => opened(record).record;

  async function saveNow(record) {
    const { root } = opened(record);
    const rows = tree.toRows(root);
    const next = await kept.save({ ...record, rows, here: ways.get(record.id) ?? record.here });
    if (!waiting.has(record)) unsaved.delete(record);
    if (next) {
      Object.assign(record, next);
      return;
    }
    // Another tab has changed or removed it: what was done here goes on as a copy.
    const study = (await kept.study(record.study)) ?? (await kept.newStudy(t('Studies')));
    names.set(study.id, study.name);
    const copy = { name: record.name, start: record.start, rows, here: ways.get(record.id) ?? [], facts: record.facts };
    const made = await kept.newChapter(study.id, copy);
    open.delete(record.id);
    ways.set(made.id, copy.here);
    // What was changed here, and can be taken back, goes with it.
    open.set(made.id, { record: Object.assign(record, made), root });
    conflict();
  }

  function flush() {
    const due = [...waiting.keys()];
    for (const timer of waiting.values()) clearTimeout(timer);
    waiting = new Map();
    saving = due.reduce((before, record) => before.then(() => saveNow(record)), saving).catch(trouble);
    return saving;
  }

  /// Keeps at once what waits, as the page may go now.
  function leave() {
    const left = [...unsaved].map((record) => ({
      id: record.id, revision: record.revision, rows: tree.toRows(opened(record).root), here: ways.get(record.id) ?? [],
    }));
    try {
      if (left.length) localStorage.setItem(LEFT, JSON.stringify(left));
    } catch {
      // Too much for it: the database may still be in time.
    }
    return flush();
  }

  /// Puts what an earlier page has left into the library.
  async function takeOver() {
    const left = JSON.parse(localStorage.getItem(LEFT) ?? '[]');
    for (const { id, revision, rows, here } of left) {
      const record = await kept.chapter(id);
      if (!record || JSON.stringify(record.rows) === JSON.stringify(rows)) continue;
      const { name, start, study, facts } = record;
      if (record.revision === revision) await kept.save({ ...record, rows, here });
      else await kept.newChapter(study, { name, start, rows, here, facts });
    }
    localStorage.removeItem(LEFT);
  }
  await takeOver();

  async function newStudy(name = t('Study')) {
    const study = await kept.newStudy(name);
    names.set(study.id, study.name);
    return study;
  }

  return {
    lasting: kept.lasting,
    opened,
    record: canonical,
    flush,
    leave,
    newStudy,
    onConflict: (act) => (conflict = act),
    onTrouble: (act) => (trouble = act),
    studyName: (record) => names.get(record.study) ?? '',
    has: async (record) => Boolean(record && (await kept.chapter(record.id))),
    chapters: (study) => kept.chapters(study),
    /// Whether no chapter of a study has a move.
    async isEmpty(study) {
      await flush();
      const all = await kept.chapters(await kept.study(study.id));
      return all.every((chapter) => chapter.rows.length === 1);
    },

    /// Keeps a chapter soon.
    edited(record) {
      // Asked once: some browsers ask their user.
      if (!persists) navigator.storage?.persist?.();
      persists = true;
      all = null;
      clearTimeout(waiting.get(record));
      unsaved.add(record);
      waiting.set(record, setTimeout(flush, PAUSE_MS));
    },

    /// Keeps where the page is; it is written with the chapter only when that changes.
    remember(record, here) {
      ways.set(record.id, here);
      try {
        localStorage.setItem(AT, JSON.stringify({ chapter: record.id, here }));
      } catch {
        // A browser that keeps nothing begins at the start again.
      }
    },
    recalled(record) {
      if (ways.has(record.id)) return ways.get(record.id);
      const last = JSON.parse(localStorage.getItem(AT) ?? 'null');
      return last?.chapter === record.id ? last.here : record.here;
    },

    /// The chapter that was on the board last, else the one that was changed last.
    async last() {
      const at = JSON.parse(localStorage.getItem(AT) ?? 'null');
      const record = (at && (await kept.chapter(at.chapter))) ?? (await kept.everything())[0] ?? null;
      return record && canonical(record);
    },
    async find(id) {
      const record = await kept.chapter(id);
      return record ? canonical(record) : null;
    },
    async everything() {
      await flush();
      all ??= kept.everything();
      return all;
    },

    /// The study that new chapters go to: that of a chapter, one of this name, or the last one.
    async current(record, name = null) {
      const all = await kept.studies();
      const study =
        (record && all.find((one) => one.id === record.study)) ??
        (name ? all.find((one) => one.name === name) : all[0]) ??
        (await newStudy(name ?? t('My analyses')));
      names.set(study.id, study.name);
      return study;
    },

    async add(study, name, start, root, facts) {
      const record = await kept.newChapter(study.id, { name, start, rows: tree.toRows(root), here: [], facts });
      open.set(record.id, { record, root });
      return record;
    },
    /// Several chapters at once: { name, start, root, facts } each.
    async addAll(study, list) {
      const made = list.map(({ name, start, root, facts = {} }) =>
        ({ name, start, rows: tree.toRows(root), here: [], facts }));
      const records = await kept.newChapters(study.id, made);
      records.forEach((record, n) => open.set(record.id, { record, root: list[n].root }));
      return records;
    },
    async discard(record) {
      await flush();
      record.restore = await kept.removeChapter(record.id);
    },
    async restore(record) {
      await record.restore();
      delete record.restore;
      return record;
    },

    /// All studies with their chapters; `files` says whether a game has files of its own.
    async overview(files) {
      all = null;
      const studies = await kept.studies();
      for (const study of studies) names.set(study.id, study.name);
      const shown = ({ id, name, start, study, revision, rows, here, facts }) => ({
        id, name, start, study, revision, rows, here, facts, files: files(start.game),
      });
      return Promise.all(
        studies.map(async (study) => ({ study, chapters: (await kept.chapters(study)).map(shown) })),
      );
    },

    /// Both return what takes the change back.
    async rename(kind, item, name) {
      await flush();
      const to = async (text) => {
        if (kind === 'study') await kept.renameStudy(item.id, text);
        else {
          await kept.renameChapter(item.id, text);
          const now = await kept.chapter(item.id);
          const known = open.get(item.id);
          if (known) Object.assign(known.record, { name: now.name, revision: now.revision });
        }
      };
      const before = item.name;
      await to(name);
      return () => to(before);
    },
    /// One place up (-1) or down (1); past an end of its study into the one that is shown beside it.
    async move(item, step) {
      await flush();
      const studies = await kept.studies();
      const own = studies.findIndex((study) => study.id === item.study);
      const at = studies[own].chapters.indexOf(item.id) + step;
      const beside = studies[own + step];
      const inside = at >= 0 && at < studies[own].chapters.length;
      if (!inside && !beside) return async () => {};
      const [study, place] = inside ? [studies[own], at] : [beside, step < 0 ? beside.chapters.length : 0];
      const renewed = async (back) => {
        const now = await kept.chapter(item.id);
        const known = open.get(item.id);
        if (known) Object.assign(known.record, { study: now.study, revision: now.revision });
        return back;
      };
      const back = await renewed(await kept.moveChapter(item.id, study.id, place));
      return async () => renewed(await back());
    },
    async remove(kind, item) {
      await flush();
      return kind === 'study' ? kept.removeStudy(item.id) : kept.removeChapter(item.id);
    },

    async exported(study) {
      await flush();
      return kept.exported(study.id);
    },
    async exportedAll() {
      await flush();
      return kept.exportedAll();
    },
    async imported(value) {
      const studies = await kept.imported(value);
      for (const study of studies) names.set(study.id, study.name);
      return studies;
    },

    /// The first chapter of the study that came by a link; nothing where there is none.
    async linked(link) {
      const study = (await kept.studies()).find((one) => one.link === link);
      const [first] = study ? await kept.chapters(study) : [];
      return first ? canonical(first) : null;
    },

    /// All games of a study in one file.
    async asSgf(study) {
      await flush();
      const texts = [];
      for (const { start, rows, facts, name } of await kept.chapters(await kept.study(study.id))) {
        const { moves, names, more } = fromTree(tree.fromRows(rows), null, { GN: name, ...facts });
        texts.push(await writeGame({ ...start, moves }, names, 'sgf', more));
      }
      return texts.join('\n');
    },

    /// Takes over the only tree that earlier releases kept. `proved` asks the rules about its moves.
    async migrate(proved) {
      const before = JSON.parse(localStorage.getItem(EARLIER) ?? 'null');
      if (!before?.begins) return;
      const start = JSON.parse(decodeURIComponent(before.begins));
      const { made } = await proved(start, tree.fromText(before.text));
      const study = await newStudy(t('My analyses'));
      const rows = tree.toRows(made);
      const here = before.here ?? [];
      const record = await kept.newChapter(study.id, { name: t('Analysis'), start, rows, here, facts: {} });
      open.set(record.id, { record, root: made });
      localStorage.removeItem(EARLIER);
      localStorage.setItem(AT, JSON.stringify({ chapter: record.id, here }));
    },
  };
}
