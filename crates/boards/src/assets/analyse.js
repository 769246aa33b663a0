// Analysis: a chapter of a study on the board, with the engine's lines. Studies are kept in this browser.

import { bars, element, fitted } from './board.js';
import { chapters } from './chapters.js';
import { growing, promoting, raising, removing, setting } from './edits.js';
import { editorView } from './editorview.js';
import { enginePanel } from './enginepanel.js';
import { countOf, countText, mistake, mistakeText, plainReason, report, reportText, share } from './evaluations.js';
import { savePicture } from './diagram.js';
import { copy, download, fromHash, save, toHash } from './files.js';
import { fromTree, unfoldedTree } from './gamefiles.js';
import { drawGraph } from './graph.js';
import { history } from './history.js';
import { knownPanel } from './known.js';
import { scrollToHere, showLibrary } from './library.js';
import { EMPTY, bindFiles, proved, understood, written } from './loading.js';
import { notePanel } from './notepanel.js';
import { openingName, unfolded } from './openings.js';
import { reasons } from './reasons.js';
import { retrier } from './retry.js';
import { reviewer } from './review.js';
import { showPrinted } from './printed.js';
import { position } from './server.js';
import { sameStart, withPosition } from './studies.js';
import { MAX_LINK_CHARS, packed, received } from './studylink.js';
import { keyAfter, treeIndex } from './symmetry.js';
import { bindSettings, keepFields, sayWhy, settings, storeSettings, tone } from './table.js';
import { bindTheme } from './theme.js';
import * as tree from './tree.js';
import { treeView } from './treeview.js';
import { bindTurns, turned } from './turns.js';
import { views } from './views.js';
import { t } from './words.js';
import { bindZoom } from './zoom.js';

const at = (id) => document.getElementById(id);
const form = at('load');
/// What the page knows of a game: its scale, whether its start is drawn, whether it has files of its own.
const row = (name) => [...form.elements.game.options].find((option) => option.value === name)?.dataset ?? {};
const scale = () => Number(row(start.game).scale);
const say = (words) => (at('status').textContent = words);

/// The chapter on the board, where it begins, its tree, and the node that is shown.
let [chapter, start, root, node] = [null, null, null, null];
let view = null;
let drawn = null;
/// What waits for the server: a newer one makes its answer void.
let asked = 0;
/// What the mouse points at in a line: its position is shown in place of the node's.
let previewed = null;
/// The positions of the chapter, however the board is turned; null of games whose boards this does not know.
let index = null;

const question = (here = node) => ({ ...start, moves: tree.moves(here) });
const wrongOf = (one) => mistake(one, scale());
const past = history(showPast);
const why = reasons({ changed: () => drawBoard() });
const shelf = await chapters();
const moves = treeView(at('tree'), {
  marked: (one) => {
    const wrong = wrongOf(one);
    return wrong && [wrong[1], wrong[2]];
  },
  meaning: (one) => mistakeText(one, scale(), view.seats),
  chosen: go,
  folded: (one) => edit(setting(one, 'folded', !one.folded, t('fold'))),
});
const notes = notePanel({
  set: (field, value, words) => edit(setting(node, field, value, words)),
  redraw: () => drawBoard(),
});
const engine = enginePanel({
  question,
  noted(here, value) {
    here.value = value;
    showGraph();
    showBar();
  },
  changed: () => previewed === null && drawBoard(),
  entered: (list) => enter(list),
  previewed: preview,
});
const beside = views(at('views'), (name) => {
  if (!view) return;
  if (name === 'editor') {
    editor.begin(view);
    say(t('A position is set up: choose what a press puts.'));
  } else {
    drawBoard();
    say(statusText());
  }
  showPast();
  if (name === 'lines') moves.show(root, node);
  if (name === 'files') scrollToHere(at('library'));
  engine.run(node, view, resting());
});
const reviews = reviewer({
  question,
  search: engine.once,
  progress: (words) => (at('progress').textContent = words),
  shown() {
    showGraph();
    showMistakes();
    moves.draw();
  },
});
const known = knownPanel({
  everything: () => shelf.everything(),
  entered: (list) => enter(list),
  opened: (game) => openGame(game).catch((error) => say(error.message)),
  row,
  settings,
  stored: storeSettings,
});
const retries = retrier({
  go,
  ask: (here, move) => ({ ...start, moves: [...tree.moves(here), move.move] }),
  search: engine.once,
  scale,
  say,
  shown: tree.shown,
});
const resting = () => reviews.running() || editor.open() || retries.active();
const editor = editorView(at('palette'), {
  open: () => beside.open() === 'editor',
  changed: () => {
    drawBoard();
    showPast();
  },
  started: (text, game) => newChapter(t('Position'), { game, position: text, parameters: {}, seed: 0 }),
});

// What is shown.

function showBar() {
  const value = node.value;
  const part = view.result ? { 0: 1, 1: 0 }[view.result.winner] ?? 0.5 : share(value, scale());
  const bar = at('bar');
  bar.className = `evaluation ${view.crossings ? 'stones' : 'sides'}`;
  bar.firstChild.style.height = `${100 * part}%`;
  bar.firstChild.style.setProperty('--share', `${100 * part}%`);
  const text = value ? t('{value} for the side to move', { value: value.text }) : t('none yet');
  const values = { text, seat: view.seats[0], share: Math.round(100 * part) };
  bar.setAttribute('aria-label', t('evaluation: {text}, {seat} {share} of 100', values));
}

function showGraph() {
  const nodes = [root, ...tree.line(node)];
  const known = nodes.map((one, ply) => ({ one, ply })).filter(({ one }) => one.value);
  const points = known.map(({ one, ply }) => {
    const wrong = one.parent && wrongOf(one);
    return { ply, share: share(one.value, scale()), wrong: wrong ? wrong[2] : null };
  });
  const [count, here, seat] = [nodes.length, nodes.indexOf(node), view.seats[0]];
  drawGraph(at('graph'), { points, count, here, seat, chosen: (ply) => go(nodes[ply]) });
}

function statusText() {
  const last = view.moves.at(-1);
  const moved = last ? `${view.moves.length}: ${view.seats[last.side]} ${tree.shown(last.letters)}. ` : '';
  if (view.result) {
    const { winner } = view.result;
    const reason = plainReason(view.result.reason, view);
    const over = winner === null ? t('A draw: {reason}.', { reason })
      : t('{seat} wins: {reason}.', { seat: view.seats[winner], reason });
    const counted = countText(view);
    return `${moved}${over}${counted ? ` ${counted}.` : ''}`;
  }
  return `${moved}${t('{seat} to move.', { seat: view.seats[view.turn] })}`;
}

/// The numbers of the moves on the pieces that they have put.
const counts = () => (settings.numbers ? tree.path(node).flatMap((one, n) => countOf(view, one, n + 1)) : []);

/// The next moves of the tree, and the texts that stand on points, those of the same position elsewhere in it too.
function ofTree() {
  if (!index || settings.next === false) return [];
  const next = index.next(node).filter((one) => one.place >= 0);
  return [...next.map(({ place }) => ({ kind: 'dot', at: place, tone: 'tree' })), ...index.texts(node)];
}

/// What a press on the board means.
function made(move) {
  if (editor.open()) editor.pressed(move);
  else if (retries.active()) retries.judge(move, view.turn);
  else enter([move.move]);
}

function drawBoard({ plain = false } = {}) {
  if (!view) return;
  if (editor.open()) {
    drawn = fitted(drawn, at('board'), turned(editor.shape(view), start.game), made);
    const plain = { shapes: [], dots: false, confirm: false, drawing: false, marked: null, missed: null };
    drawn.set({ ...editor.state(), ...plain, painted: editor.painted });
    return;
  }
  drawn = fitted(drawn, at('board'), turned(view, start.game), made);
  const found = () => (retries.active() ? [] : [...ofTree(), ...engine.shapes(), ...betterMove()]);
  const own = () => [...counts(), ...node.shapes];
  const all = () => (previewed ? previewed.shapes : why.shapes() ?? [...found(), ...own()]);
  const shapes = plain ? own() : all();
  drawn.set({
    cells: previewed && !plain ? previewed.cells : view.cells,
    hands: view.hands,
    turn: view.turn,
    label: t('board, {words}', { words: statusText() }),
    moves: previewed ? [] : view.legal,
    dots: false,
    confirm: settings.confirm === true,
    shapes,
    drawing: notes.drawing(),
    marked: (from, to, event) => notes.marked(from, to, event),
    painted: null,
    missed: (place, from) => {
      why.explain(place);
      return sayWhy(view, question(), place, from);
    },
  });
  const numbered = shapes.some((one) => one.kind === 'count');
  at('board').classList.toggle('counted', numbered);
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
}

function showPast() {
  const { undo, redo } = editor.open() ? editor.steps() : { undo: past.undoWords(), redo: past.redoWords() };
  for (const [id, name, words] of [['undo', t('undo'), undo], ['redo', t('redo'), redo]]) {
    at(id).disabled = words === null;
    at(id).title = words === null ? name : `${name}: ${words}`;
  }
}

function show(changed = true) {
  drawBoard();
  at('pass').disabled = !view.legal.some((move) => !move.to.length);
  at('delete').disabled = node === root;
  at('promote').disabled = tree.path(node).every((one) => one.parent.children[0] === one);
  at('raise').disabled = at('promote').disabled;
  showMistakes();
  for (const button of document.querySelectorAll('[data-format]:not([data-format="jsonl"])'))
    button.hidden = !row(start.game).files;
  why.show(view);
  at('forbidden').hidden = !row(start.game).files;
  moves.show(root, node, changed);
  notes.show(node);
  showSame();
  showGraph();
  showBar();
  showOpening();
  say(wrongOf(node) ? `${statusText()} ${mistakeText(node, scale(), view.seats)}` : statusText());
}

/// The opening of the line on the board, and how it came about where an opening rule was played.
function showOpening() {
  const name = openingName(start, tree.moves(tree.lastOf(node)).slice(0, 3));
  // Other programs write the name alone there.
  const rule = chapter.facts?.ON?.includes(':') && chapter.facts.ON;
  at('opening').textContent = [name, rule].filter(Boolean).join(', ');
}

/// The mistakes that are marked in the line on the board, in words, and what can be done with them.
function showMistakes() {
  const wrong = tree.line(node).filter(wrongOf);
  for (const id of ['retry', 'next-mistake', 'mistakes']) at(id).hidden = !wrong.length;
  at('mistakes').replaceChildren(...wrong.map((one) => {
    const words = `${tree.ply(one)} ${mistakeText(one, scale(), view.seats)}`;
    const button = element('button', { type: 'button', class: 'quiet' }, words);
    if (one === node) button.setAttribute('aria-current', 'step');
    button.addEventListener('click', () => go(one));
    return element('li', {}, button);
  }));
  // The one on the board is in sight, within the list.
  const current = at('mistakes').querySelector('[aria-current]');
  if (current) at('mistakes').scrollTop = current.offsetTop - at('mistakes').clientHeight / 2;
}

/// The move that would have been better than a mistake on the board.
function betterMove() {
  const { best } = node.parent ?? {};
  const [, column, row] = (wrongOf(node) && view.letter && best?.match(/^([A-Z])(\d+)$/)) || [];
  if (!row) return [];
  const place = (view.rows - Number(row)) * view.columns + column.charCodeAt(0) - view.letter.charCodeAt(0);
  return view.cells[place]?.[0] ? [] : [{ kind: 'mark', at: place, mark: 'circle', tone: 'best' }];
}

/// The most moves to the same position that are named.
const SAME = 12;

/// The other moves that lead to the position on the board.
function showSame(found = []) {
  const link = (words, act) => {
    const button = element('button', { type: 'button', class: 'quiet' }, words);
    button.addEventListener('click', act);
    return element('li', {}, button);
  };
  const way = (one) => tree.path(one).map((step) => tree.shown(step.letters)).join(' ');
  const others = index ? index.at(node).nodes.filter((one) => one !== node) : tree.transpositions(root, node);
  const same = (one) => link(t('same position: {moves}', { moves: way(one) }), () => go(one));
  const here = others.slice(0, SAME).map(same);
  at('same').replaceChildren(...here, ...found.map(({ words, act }) => link(words, act)));
  at('same').hidden = !at('same').children.length;
}

/// Shows a position of a line without going there: the moves that lead to it, or null for the node's own again.
async function preview(list) {
  const before = node;
  if (list === null) {
    if (previewed === null) return;
    previewed = null;
    drawBoard();
    return;
  }
  const answer = await position({ ...start, moves: [...tree.moves(node), ...list] }).catch(() => null);
  if (!answer || node !== before || engine.pointed() !== list) return;
  const added = answer.moves.slice(answer.moves.length - list.length);
  const shapes = added.flatMap((made, n) => countOf(answer, made, n + 1));
  previewed = { cells: answer.cells, shapes };
  drawBoard();
}

// Going and changing.

function remember() {
  if (!chapter) return;
  const here = tree.path(node).map((one) => one.parent.children.indexOf(one));
  shelf.remember(chapter, here);
  history0(toHash(question(), { game: start.game, chapter: chapter.id }));
}
const history0 = (hash) => window.history.replaceState(null, '', hash);

/// Goes to a node of the chapter.
async function go(target, changed = false) {
  const mine = ++asked;
  retries.stop();
  // A position that is set up is left by going elsewhere.
  if (editor.open()) beside.show('lines');
  node = target;
  previewed = null;
  let answer;
  try {
    answer = await position(question());
  } catch (error) {
    if (mine === asked) tryAgain(error);
    return;
  }
  if (mine !== asked) return;
  view = answer;
  node.key ??= view.key;
  show(changed);
  remember();
  engine.run(node, view, resting());
  known.show(question(), view);
}

function tryAgain(error) {
  const again = element('button', { type: 'button', id: 'again' }, t('Try again'));
  again.addEventListener('click', () => go(node, true));
  at('status').replaceChildren(`${error.message} `, again);
}

/// Makes a change of the tree that can be taken back.
async function edit(change) {
  if (!change) return;
  const own = chapter;
  const inside = (way) => async () => {
    if (chapter !== own) await open(own);
    return change[way]();
  };
  const target = await past.make({ words: change.words, redo: inside('redo'), undo: inside('undo') });
  if (change.grows) index?.changed(target);
  else if (change.shrinks) index?.changed();
  shelf.edited(own);
  if (target === node) {
    show();
    remember();
  } else await go(target, true);
}

async function step(way) {
  if (editor.open()) {
    editor.step(way);
    return;
  }
  const change = await past[way]();
  if (!change) return;
  if (change.result && change.result !== true) {
    index?.changed();
    shelf.edited(chapter);
    await go(change.result, true);
  }
  await showStudies();
}

/// Plays moves from here, in the judge's notation. Without `going` they are only put into the tree.
async function enter(list, going = true) {
  const from = node;
  const before = tree.moves(from);
  let answer;
  try {
    answer = await position({ ...start, moves: [...before, ...list] });
  } catch (error) {
    say(error.message);
    return;
  }
  const { end, change } = growing(from, answer.moves.slice(before.length));
  if (change && !going) await edit({ ...change, redo: () => (change.redo(), node) });
  else if (change) await edit(change);
  else if (going) await go(end);
  if (going) tone(false);
}

// Chapters.

/// Puts a chapter on the board.
async function open(next, choose = null) {
  reviews.stop();
  const opened = shelf.opened(next);
  [chapter, start, root] = [next, next.start, opened.root];
  index = row(start.game).files ? treeIndex(root, start) : null;
  form.elements.game.value = start.game;
  at('report').textContent = '';
  // Nothing is shown or searched of the chapter before at the start of this one.
  [node, view, previewed] = [root, null, null];
  engine.forget();
  beside.show('lines');
  const way = (indices) => indices.reduce((from, index) => from.children[index] ?? from, root);
  await go(choose ? choose(root) : way(shelf.recalled(next)), true);
  await showStudies();
}

/// Begins a chapter and puts it on the board, or with `aside` into its study alone. Its tree is made before anything
/// changes.
async function newChapter(name, from, made = tree.newRoot(), more = {}) {
  const { choose = null, facts = {}, into = null, aside = false } = more;
  const study = into ?? (await shelf.current(chapter));
  let record = null;
  await past.make({
    words: t('chapter {name}', { name }),
    redo: async () => {
      record = record ? await shelf.restore(record) : await shelf.add(study, name, from, made, facts);
      if (aside) await showStudies();
      else await open(record, choose);
      return true;
    },
    undo: async () => {
      await shelf.discard(record);
      if (await shelf.has(chapter)) await showStudies();
      else await openAnother();
      return true;
    },
  });
  return record;
}

/// Opens a game of the engines at the position on the board, as a chapter beside the others.
async function openGame({ name, parameters, moves: list }) {
  const from = { game: start.game, position: null, parameters, seed: 0 };
  const unproved = tree.newRoot();
  let last = unproved;
  for (const move of list) last = tree.add(last, { move, letters: move, side: null });
  const { made } = await proved(from, unproved);
  const here = tree.moves(node);
  const choose = (opened) => tree.find(opened, here) ?? tree.line(opened)[here.length - 1] ?? opened;
  const study = await shelf.current(null, t('Games of the engines'));
  await newChapter(name, from, made, { choose, into: study });
}

/// Opens the chapter that was on the board last, or an empty one where there is none. Returns the study that it has
/// made for that.
async function openAnother() {
  const last = await shelf.last();
  const made = last ? null : await shelf.current(null);
  await open(last ?? (await shelf.add(made, t('Chapter'), EMPTY, tree.newRoot(), {})));
  return made;
}

async function showStudies() {
  const studies = await shelf.overview((game) => Boolean(row(game).files));
  at('place').textContent = chapter ? `${shelf.studyName(chapter)}: ${chapter.name}` : '';
  showLibrary(at('library'), studies, chapter, {
    open: (one) => open(shelf.record(one)),
    added: (study) => fresh(study),
    rename: (kind, item, name) => changeShelf(t('rename {name}', item), () => shelf.rename(kind, item, name)),
    remove: (kind, item) => changeShelf(t('delete {name}', item), () => shelf.remove(kind, item)),
    moved: (item, step) => changeShelf(t('move {name}', item), () => shelf.move(item, step)),
    reviewed: (study) => reviewAll(study).catch((error) => problem(error.message)),
    exported: (study, format) => exported(study, format).catch((error) => problem(error.message)),
    linked: (study) => linkStudy(study).catch((error) => problem(error.message)),
    printed: (study) => print(study).catch((error) => problem(error.message)),
  });
  const into = chapter ? shelf.studyName(chapter) : '';
  const where = t('A game becomes a chapter of {name}, several become a study of their own.', { name: into });
  at('into').textContent = into && where;
  at('lasting').textContent = shelf.lasting
    ? t('Studies are kept in this browser. Save what must not be lost as a file.')
    : t('This browser keeps nothing after the window is closed: save studies as files.');
}

/// A change of studies and chapters: `act` makes it and returns what takes it back.
async function changeShelf(words, act) {
  let [back, made] = [null, null];
  const shown = async () => {
    if (!(await shelf.has(chapter))) return openAnother();
    await showStudies();
    return null;
  };
  await past.make({
    words,
    redo: async () => {
      back = await act();
      made = await shown();
      return true;
    },
    undo: async () => {
      await back();
      // What stood in for it, if nothing was written there.
      if (made && (await shelf.isEmpty(made))) await shelf.remove('study', made);
      await shown();
      return true;
    },
  });
}

/// An empty board in a study, else in that of the chapter on the board.
function fresh(into = null) {
  const game = form.elements.game.value;
  const seed = row(game).drawn ? Math.floor(Math.random() * 2 ** 32) : 0;
  return newChapter(t('Chapter'), { game, position: null, parameters: {}, seed }, tree.newRoot(), { into });
}

async function exported(study, format) {
  if (format === 'json') {
    download(`${study.name}.json`, JSON.stringify(await shelf.exported(study)), 'application/json');
    return;
  }
  download(`${study.name}.sgf`, await shelf.asSgf(study), 'application/x-go-sgf');
}

/// Copies a link that holds a whole study, if it is short enough to be sent.
async function linkStudy(study) {
  const text = await packed(await shelf.exported(study));
  const address = new URL(`#study=${text}`, location.href).href;
  if (address.length > MAX_LINK_CHARS) {
    const values = { count: address.length, most: MAX_LINK_CHARS };
    throw new Error(t('This study is too long for a link ({count} characters of {most}): save it as JSON.', values));
  }
  say((await copy(address)) ? t('The link to the study is copied: {count} characters.', { count: address.length })
    : t('The link: {link}', { link: address }));
}

/// Shows the chapter on the board, or all of a study, as a page to print.
async function print(study = null) {
  shelf.flush();
  const chapters = study ? await shelf.chapters(study) : [chapter];
  const trees = chapters.map((one) => ({ ...one, root: shelf.opened(shelf.record(one)).root }));
  engine.stop();
  await showPrinted(at('analysis'), trees, () => engine.run(node, view, resting()));
}

/// The board as a picture, without what the engine draws.
async function picture(kind) {
  drawBoard({ plain: true });
  const name = `agon-${start.game}-${tree.ply(node)}`;
  const saved = savePicture(drawn.svg, kind, name, `${chapter.name}: ${statusText()}`);
  drawBoard();
  await saved;
}

// Files.

function problem(text) {
  at('problem').textContent = text;
  at('problem').hidden = !text;
}

/// Loads a text or a file: each of its games into a new chapter, or studies into new studies. What is on the board
/// stays as it is.
function load(text, name = t('Loaded'), file = null) {
  // One after another: what is loaded while a large file is read is not lost.
  loading = loading.then(() => loadNow(text, name, file));
  return loading;
}
let loading = Promise.resolve();

async function loadNow(text, name, file) {
  problem('');
  // Whoever goes elsewhere meanwhile stays there.
  const here = asked;
  const aside = () => asked !== here;
  try {
    // Said before anything is sent.
    if (file && file.size > Number(form.elements.file.dataset.most)) throw new Error(at('most').textContent);
    if (file) say(t('Reading {name} ({size} KiB) …', { name: file.name, size: Math.ceil(file.size / 1024) }));
    if (/^\s*\{\s*"agon"\s*:\s*"stud(y|ies)"/.test(text)) {
      await loadStudies(JSON.parse(text));
      return;
    }
    const { chapters: all, rest, remarks } = await understood({ text, name, file }, form.elements.game.value, start);
    const left = [...rest];
    const loaded = [];
    for (const [n, one] of all.entries()) {
      if (all.length > 1) say(t('Game {at} of {count} …', { at: n + 1, count: all.length }));
      const { made, refused } = one.proved ? { made: one.root, refused: [] } : await proved(one.start, one.root);
      left.push(...refused);
      if (made.children.length || !refused.length) loaded.push({ ...one, root: made });
    }
    if (!loaded.length) throw new Error(left[0] ?? t('There is no game in it.'));
    const [only] = loaded;
    if (loaded.length === 1 && only.start.game === start.game) {
      const { name: title, start: from, root: made, facts, whole } = only;
      await newChapter(title, from, made, { facts, choose: whole ? null : tree.lastOf, aside: aside() });
    } else await loadGames(name, loaded, aside());
    const said = [...(left.length ? [t('Left out: {parts}', { parts: left.join('; ') })] : []), ...remarks].join('. ');
    problem(said);
    if (said) beside.show('files');
  } catch (error) {
    problem(error.message);
    beside.show('files');
    say(error.message);
    at('problem').scrollIntoView({ block: 'nearest' });
  }
}

/// Many games, and one of another game, become a study of their own.
async function loadGames(name, games, aside) {
  await changeShelf(t('load {count} games', { count: games.length }), async () => {
    const study = await shelf.newStudy(name);
    const [first] = await shelf.addAll(study, games);
    if (!aside) await open(first, games[0].whole ? null : tree.lastOf);
    return () => shelf.remove('study', study);
  });
}

async function loadStudies(value) {
  await changeShelf(t('load a study'), async () => {
    const studies = await shelf.imported(value);
    const [first] = studies.length ? await shelf.chapters(studies[0]) : [];
    if (first) await open(first);
    return async () => {
      for (const study of studies) await shelf.remove('study', study);
    };
  });
}

// Mistakes.

/// Whether the last review was stopped by hand.
let stopped = false;

/// Searches every position of the line for a moment, and marks the moves that lost most.
async function review() {
  if (reviews.running()) {
    stopped = true;
    reviews.stop();
    return;
  }
  stopped = false;
  engine.stop();
  at('review').textContent = t('Stop');
  const own = chapter;
  await reviews.run([root, ...tree.line(node)]);
  at('review').textContent = t('Mark mistakes');
  shelf.edited(own);
  if (chapter !== own) return;
  engine.run(node, view, false);
  at('report').textContent = reportText(report([root, ...tree.line(node)], scale()), view.seats);
}

/// Marks the mistakes of the main lines of a study's chapters, one after another, and lists what each side has kept.
async function reviewAll(study) {
  const list = at('reviewed');
  const rows = [];
  for (const one of await shelf.chapters(study)) {
    beside.show('lines');
    await open(shelf.record(one), tree.lastOf);
    const own = chapter;
    if (root.children.length) await review();
    // Another chapter, or a stop, ends it.
    if (chapter !== own || stopped) break;
    const seats = view.seats;
    const both = report([root, ...tree.line(node)], scale());
    const link = element('button', { type: 'button', class: 'quiet' }, own.name);
    link.addEventListener('click', () => open(own, tree.lastOf));
    const text = reportText(both, seats) || t('no moves');
    rows.push(element('li', {}, link, ` ${text}`));
  }
  list.replaceChildren(...rows);
  beside.show('files');
}

/// Lets the side that has made the next marked mistake of the line find a better move.
async function retry() {
  const line = tree.line(node);
  const here = line.indexOf(node) + 1;
  // A mistake that is on the board is the one that is meant.
  const wrong = wrongOf(node) ? node : [...line.slice(here), ...line.slice(0, here)].find(wrongOf);
  if (!wrong) return;
  await retries.begin(wrong);
  engine.stop();
  drawBoard();
  at('found').replaceChildren();
  at('known').hidden = true;
}

/// Goes to the next move of the line that lost much, from its end to its beginning again.
function nextMistake() {
  const line = tree.line(node);
  const here = line.indexOf(node) + 1;
  const next = [...line.slice(here), ...line.slice(0, here)].find(wrongOf);
  if (next) go(next);
  else say(t('No mistake is marked in this line.'));
}

/// Looks for the position on the board in all studies.
async function elsewhere() {
  const { key } = view;
  const turned = index ? keyAfter(start, tree.moves(node)).key : null;
  const everything = await shelf.everything();
  const found = withPosition(everything, key, turned).filter(({ chapter: one }) => one.id !== chapter.id);
  showSame(
    found.map(({ chapter: one, rows: [first] }) => ({
      words: t('{name}: the same position', one),
      act: () => open(shelf.record(one), (made) => [made, ...tree.all(made)][first] ?? made),
    })),
  );
  if (!found.length) say(t('This position is in no other chapter.'));
}

// Buttons, keys, files.

const acts = {
  first: () => go(root),
  previous: () => node.parent && go(node.parent),
  next: () => node.children[0] && go(node.children[0]),
  last: () => go(tree.lastOf(node)),
  pass: () => enter([view.legal.find((move) => !move.to.length).move]),
  delete: () => node !== root && edit(removing(node)),
  promote: () => edit(promoting(node)),
  raise: () => edit(raising(node)),
  undo: () => step('undo'),
  redo: () => step('redo'),
  draw: () => notes.toggle(),
  review,
  'next-mistake': nextMistake,
  retry,
  elsewhere,
  fresh: () => fresh(),
  'new-study': () =>
    changeShelf(t('new study'), async () => {
      const study = await shelf.newStudy();
      const from = { ...start, position: null, parameters: {} };
      await open(await shelf.add(study, t('Chapter'), from, tree.newRoot(), {}));
      return () => shelf.remove('study', study);
    }),
  'save-all': async () =>
    download('agon-studies.json', JSON.stringify(await shelf.exportedAll()), 'application/json'),
  link: async () => {
    const address = new URL(toHash(question(), { game: start.game }), location.href).href;
    say((await copy(address)) ? t('The link is copied.') : t('The link: {link}', { link: address }));
  },
  print: () => print().catch((error) => problem(error.message)),
  text: async () => {
    const begins = await position({ ...start, moves: [] });
    download(`agon-${start.game}.txt`, written(root, start, begins.position));
  },
};
for (const [id, act] of Object.entries(acts)) at(id).addEventListener('click', act);
for (const button of document.querySelectorAll('[data-format]'))
  button.addEventListener('click', () => {
    // The line on the board is the one of the formats that have but one.
    const { moves: whole, names, more } = fromTree(root, node, chapter.facts);
    const { format } = button.dataset;
    const isTree = ['sgf', 'lib'].includes(format);
    const rest = isTree ? more : {};
    const isPart = !isTree && (more.variations.length > 0 || more.notes.length > 0);
    save({ ...start, moves: whole }, names, format, rest).then(
      () => isPart && say(t('The file has the line on the board alone: SGF and LIB have variations and comments.')),
      (error) => say(error.message),
    );
  });
for (const button of document.querySelectorAll('[data-picture]'))
  button.addEventListener('click', () => picture(button.dataset.picture).catch((error) => say(error.message)));
bindFiles(form, at('analysis'), load);
addEventListener('keydown', (event) => {
  if (event.altKey || !view || event.target.matches('input, select, textarea')) return;
  if (event.ctrlKey || event.metaKey) {
    const way = { z: event.shiftKey ? 'redo' : 'undo', Z: 'redo', y: 'redo' }[event.key];
    if (way) {
      event.preventDefault();
      step(way);
    }
    return;
  }
  const onButton = event.target.matches('button, a, summary');
  const act = {
    ArrowLeft: acts.previous,
    ArrowRight: acts.next,
    ArrowUp: () => go(tree.beside(node, -1)),
    ArrowDown: () => go(tree.beside(node, 1)),
    Home: acts.first,
    End: acts.last,
    e: () => engine.toggle(),
    x: () => engine.threat(),
    d: acts.draw,
    m: nextMistake,
    r: retry,
    t: turns.turn,
    f: turns.mirror,
    b: () => engine.balance(),
    c: () => engine.copied((list) => enter(list, false)),
    Delete: acts.delete,
    ' ': onButton ? null : () => engine.best((move) => enter([move])),
  }[event.key];
  if (!act || editor.open()) return;
  event.preventDefault();
  act();
});
const turns = bindTurns({ turn: at('turn'), mirror: at('mirror') }, () => start.game, () => drawBoard());
// The engine rests while the page is hidden, unless it is to go on.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) shelf.flush();
  if (settings.hiddenToo) return;
  if (document.hidden) engine.stop();
  else if (view) engine.run(node, view, resting());
});
// Another link in the same tab: the address changes, but no page is loaded.
addEventListener('hashchange', () => location.reload());
addEventListener('pagehide', () => {
  engine.stop();
  shelf.leave();
});
for (const [id, name] of [['numbers', 'numbers'], ['hidden-too', 'hiddenToo'], ['next-moves', 'next']]) {
  at(id).checked = name === 'next' ? settings.next !== false : settings[name] === true;
  at(id).addEventListener('change', () => {
    settings[name] = at(id).checked;
    storeSettings();
    drawBoard();
  });
}
bindSettings(() => drawBoard());
keepFields({ lines: at('lines'), hash: at('hash') });
at('explorer').open = settings.explorer === true;
at('explorer').addEventListener('toggle', () => {
  settings.explorer = at('explorer').open;
  storeSettings();
});
bindTheme(at('theme'));
bindZoom(at('zoom'), at('board'));
shelf.onTrouble((error) =>
  say(t('This change is not kept: {problem}. Save the study as a file.', { problem: error.message })));
shelf.onConflict(() => {
  say(t('Another tab has changed this chapter: what you do here goes on in a copy.'));
  remember();
  showStudies();
});

// What the page begins with.

/// The moves of a chapter's main line.
const mainLine = (one) => tree.moves(tree.lastOf(tree.fromRows(one.rows))).join('/');

/// The chapter of a link: the one that it names, the one of its game, or a new one.
async function openLink({ question: linked, words }) {
  const whole = unfolded(linked);
  const { moves: given, ...from } = whole;
  // A link may have the moves as people write them.
  const line = await position(whole).then((answer) => answer.moves.map((one) => one.move), () => given);
  const named = words.get('chapter') && (await shelf.find(words.get('chapter')));
  const fits = (one) => sameStart(one.start, from) && tree.find(shelf.opened(one).root, line);
  // A link may lead to a position within its line.
  const ply = Number.parseInt(words.get('ply') ?? '', 10);
  const reach = (made) => {
    const end = tree.find(made, line) ?? tree.lastOf(made);
    return ply >= 0 ? ([made, ...tree.path(end)][ply] ?? end) : end;
  };
  if (named && fits(named)) return open(named, reach);
  // A tree that only goes through this position is of another game.
  const link = line.join('/');
  const mine = (one) => sameStart(one.start, from) && (one.facts?.link ?? mainLine(one)) === link && fits(one);
  const known = line.length ? (await shelf.everything()).find(mine) : null;
  if (known) return open(shelf.record(known), reach);
  const opened = whole.moves.length - linked.moves.length;
  const { root: unproved, facts } = unfoldedTree({ start: linked, root: tree.fromBranches(line.slice(opened), []) });
  const { made, refused } = await proved(from, unproved);
  const study = await shelf.current(null, t('Games'));
  await open(await shelf.add(study, t('Game'), from, made, { ...facts, link }), reach);
  if (refused.length) say(refused[0]);
}

/// Opens the study of a link: beside all others, and once alone however often it is opened.
async function openStudy(text) {
  const { study, link, refused } = await received(text, proved);
  const known = await shelf.linked(link);
  if (known) return open(known);
  const [first] = await shelf.chapters((await shelf.imported({ ...study, link }))[0]);
  await open(shelf.record(first));
  if (refused.length) say(t('Left out: {parts}', { parts: refused.join('; ') }));
  return null;
}

async function begin() {
  await shelf.migrate(proved).catch((error) => say(error.message));
  const linked = fromHash('renju', location.hash);
  const study = linked?.words.get('study');
  try {
    if (study) await openStudy(study);
    else if (linked && (linked.question.moves.length || linked.words.has('game'))) await openLink(linked);
    else await openAnother();
  } catch (error) {
    await openAnother();
    say(error.message);
  }
}
await begin();
