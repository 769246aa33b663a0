// Puzzles: a position in which only one move is right, played out against the toughest answers. The server proves
// every move that is tried; which puzzle it is stands in the address.

import { bars, element, fitted } from './board.js';
import { countOf } from './evaluations.js';
import { toHash } from './files.js';
import { bindPlace, boardPage } from './here.js';
import { reasons } from './reasons.js';
import { missedIn, position, puzzleList, puzzleMove, puzzleOf } from './server.js';
import { library, place } from './studies.js';
import { keepFields, sayWhy, settings, tone } from './table.js';
import './theme.js';
import { attempted, chosen, dayOf, daysInRow, fitting, recalled, seen } from './trainer.js';
import * as tree from './tree.js';
import { turned } from './turns.js';
import { t } from './words.js';
import { bindZoom } from './zoom.js';

const at = (id) => document.getElementById(id);
const say = (words) => (at('status').textContent = words);
const KEPT = 'agon.puzzles';
/// What the kinds of puzzles are called.
const KINDS = {
  fours: t('fours'),
  threats: t('threats'),
  quiet: t('quiet'),
  defence: t('defence'),
  exact: t('exact'),
  race: t('race'),
};
/// Games of the studies that are looked through at once for what was missed in them.
const GAMES = 20;

let known = recalled(localStorage.getItem(KEPT));
let puzzle = null;
/// The moves that were made, the answers among them.
let made = [];
let drawn = null;
let view = null;
/// What waits for the server: a newer one makes its answer void.
let asked = 0;
/// Whether this attempt counts no more: a wrong move, or the solution, was shown.
let failed = false;
/// Whether the solution of the puzzle on the board was shown.
let solutionShown = false;
/// Puzzles of one's own games that wait.
let own = [];

const question = (moves) => ({ game: puzzle.game, position: puzzle.position, parameters: {}, seed: 0, moves });
const lettersOf = (line) => line.map(({ letters }) => tree.shown(letters)).join(' ');

/// The numbers of the moves of a line on the board.
let numbers = [];
const why = reasons({ changed: () => drawn?.set({ shapes: why.shapes() ?? numbers }) });

/// Draws the position after moves, with numbers on the last of them, and a cross on the move before, if it is wrong.
async function show(moves, playable, numbered = 0, wrong = false) {
  const mine = asked;
  const next = await position(question(moves));
  if (mine !== asked) return;
  view = next;
  drawn = fitted(drawn, at('board'), turned(view, view.game), tried);
  const last = view.moves.slice(view.moves.length - numbered);
  numbers = numbered ? last.flatMap((one, n) => countOf(view, one, n + 1)) : [];
  if (wrong) numbers.push(...countOf(view, view.moves[view.moves.length - numbered - 1], '×'));
  drawn.set({
    cells: view.cells,
    label: t('board, {words}', { words: puzzle.text }),
    moves: playable ? view.legal : [],
    confirm: settings.confirm === true,
    shapes: numbers,
    missed: (place, from) => {
      why.explain(place);
      if (playable) sayWhy(view, question(moves), place, from);
    },
  });
  at('board').classList.toggle('counted', numbered > 0);
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
  why.show(view);
  at('forbidden').hidden = !view.explained.length;
  at('threat').hidden = !(playable && puzzle.kind === 'defence' && !moves.length);
  at('pass').hidden = !(playable && view.legal.some((move) => !move.to.length));
}

function store(right) {
  const { day = null, number } = puzzle;
  known = attempted(known, { game: puzzle.game, number, day, right });
  remember();
}

function remember() {
  localStorage.setItem(KEPT, JSON.stringify(known));
  showCounts();
}

/// The first wrong move of an attempt ends the row; what follows is practice.
function miss() {
  if (!failed) store(false);
  failed = true;
}

function over(words) {
  say(words);
  drawn.say(words);
  at('solution').disabled = true;
  at('again').hidden = false;
}

/// A move that is tried on the board.
async function tried(move) {
  const mine = ++asked;
  const moves = [...made, move.move];
  at('pass').hidden = true;
  await show(moves, false);
  say(`${tree.shown(move.letters)} …`);
  let answer;
  try {
    const { game, kind, position: from } = puzzle;
    answer = await puzzleMove({ game, kind, position: from, moves });
  } catch (error) {
    if (mine === asked) retry(error.message);
    return;
  }
  if (mine !== asked) return;
  const line = lettersOf(answer.line);
  const holds = puzzle.kind === 'defence';
  const values = { move: tree.shown(move.letters), line };
  if (answer.verdict === 'solved') {
    made = moves;
    if (!failed) store(true);
    tone(true);
    if (solutionShown) over(t('Right: {move}. Its solution was shown, so the puzzle does not count.', values));
    else over(holds ? t('Right: {move} holds. Solved.', values) : t('Right: {move} wins. Solved.', values));
  } else if (answer.verdict === 'right' && answer.line.length) {
    made = [...moves, ...answer.line.map((one) => one.move)];
    tone(false);
    await show(made, true);
    if (mine === asked) say(t('Right: {move}. The opponent replies {line}. Go on.', values));
  } else if (answer.verdict === 'wrong') {
    miss();
    await show([...moves, ...answer.line.map((one) => one.move)], false, answer.line.length, true);
    const refuted = line ? `: ${line}` : '';
    const words = holds ? t('{move} does not hold{refuted}.', { ...values, refuted })
      : t('{move} does not win{refuted}.', { ...values, refuted });
    if (mine === asked) retry(words);
  } else {
    if (answer.line.length) await show([...moves, ...answer.line.map((one) => one.move)], false, 1);
    const words = holds ? t('{move} is not shown to hold.', values) : t('{move} is not shown to win.', values);
    const held = line ? ` ${t('{line} may hold.', values)}` : '';
    if (mine === asked) retry(`${words}${held}`);
  }
  drawn.say(at('status').textContent);
}

function retry(words) {
  say(words);
  at('again').hidden = false;
  at('again').focus({ preventScroll: true });
}

/// Back to where the last right move has led, or to the beginning of a puzzle that is over.
async function again() {
  ++asked;
  if (at('solution').disabled) made = [];
  at('solution').disabled = false;
  at('again').hidden = true;
  await show(made, true);
  say(`${puzzle.text}.`);
  drawn.say('');
}

/// Shows what the other side threatens: its win after a pass.
async function threat() {
  const mine = ++asked;
  const { game, kind, position: from } = puzzle;
  const { move } = view.legal.find((one) => !one.to.length);
  const { line } = await puzzleMove({ game, kind, position: from, moves: [move] });
  if (mine !== asked) return;
  await show([move, ...line.map((one) => one.move)], false, line.length);
  if (mine === asked) retry(t('The threat: {line}.', { line: lettersOf(line) }));
}

/// Shows the winning line.
async function solve() {
  ++asked;
  miss();
  solutionShown = true;
  made = [];
  await show(puzzle.solution, false, puzzle.solution.length);
  const line = puzzle.letters.map((letters) => tree.shown(letters)).join(' ');
  over(t('The solution: {line}.', { line }));
}

function showCounts() {
  const solved = (known.solved[at('game').value] ?? []).length;
  const days = daysInRow(known, dayOf(new Date()));
  const parts = [
    t('Solved {solved} of {count}', { solved, count: rows.length }),
    known.best > known.row
      ? t('{count} in a row, best {best}', { count: known.row, best: known.best })
      : t('{count} in a row', { count: known.row }),
    ...(days ? [days > 1 ? t('{count} days in a row', { count: days }) : t('1 day in a row')] : []),
  ];
  at('counts').textContent = `${parts.join('; ')}.`;
}

/// The puzzles that come with Agon, of the game that is chosen.
let rows = [];
let rowsOf = null;
async function list() {
  const game = at('game').value;
  if (rowsOf === game) return;
  rows = await puzzleList(game);
  rowsOf = game;
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const option = (value, text) => element('option', { value }, text);
  at('kind').replaceChildren(option('', t('all kinds')), ...kinds.map((kind) => option(kind, KINDS[kind] ?? kind)));
}

/// Puts a puzzle on the board.
async function begin(found, words, day = null) {
  puzzle = { ...found, day };
  [made, failed, solutionShown] = [[], false, false];
  history.replaceState(null, '', `#game=${puzzle.game}${words}`);
  at('solution').disabled = false;
  at('again').hidden = true;
  at('analyse').href = `${boardPage('analysis')}${toHash(question([]), { game: puzzle.game })}`;
  await show([], true);
  const numbered = puzzle.number ? t('Puzzle {number}', { number: puzzle.number }) : t('Puzzle');
  const values = {
    name: day !== null ? t('Puzzle of the day') : numbered,
    grade: puzzle.grade,
    kind: KINDS[puzzle.kind] ?? puzzle.kind,
    nodes: puzzle.nodes.toLocaleString('en'),
  };
  at('grade').textContent = t('{name}. Grade {grade}, {kind}: the proof took {nodes} nodes.', values);
  if (puzzle.number) known = seen(known, puzzle.game, puzzle.number);
  remember();
  say(`${puzzle.text}.`);
}

/// Asks for a puzzle: that of a number, a seed or a day, or one that is not solved yet.
async function next({ number = null, seed = null, day = null } = {}) {
  const mine = ++asked;
  const game = at('game').value;
  try {
    await list();
    if (mine !== asked) return;
    if (own.length && number === null && seed === null && day === null) {
      await begin(own.shift(), '');
      return;
    }
    const fits = fitting(rows, at('kind').value, at('level').value);
    const which = number ?? chosen(fits, known.solved[game] ?? [], known.shown[game] ?? []);
    let query = { number: which };
    if (seed !== null) query = { seed };
    else if (day !== null) query = { day };
    else if (which === null) throw new Error(t('There is no puzzle of this kind and grade.'));
    if (seed !== null) say(t('A puzzle is made and proved …'));
    const found = await puzzleOf(game, query);
    if (mine !== asked) return;
    await begin(found, day !== null ? '&day=today' : `&${new URLSearchParams(query)}`, day);
  } catch (error) {
    if (mine === asked) say(error.message);
  }
}

/// Looks for what was missed in the games of the studies of this browser.
async function missed() {
  const mine = ++asked;
  const game = at('game').value;
  const all = (await library(await place()).everything()).filter((one) => one.start.game === game);
  own = [];
  for (const [n, chapter] of all.slice(0, GAMES).entries()) {
    say(t('Game {at} of {count}: {name} …', { at: n + 1, count: Math.min(all.length, GAMES), name: chapter.name }));
    const root = tree.fromRows(chapter.rows);
    const moves = tree.moves(tree.lastOf(root));
    if (!moves.length) continue;
    const found = await missedIn({ ...chapter.start, moves }).catch(() => []);
    if (mine !== asked) return;
    own.push(...found);
    if (own.length >= 10) break;
  }
  if (own.length) await next();
  else if (all.length) {
    const count = Math.min(all.length, GAMES);
    const none = t(
      'None in {count} of your games: it takes a move that alone wins or holds, by proof, and was not made.', { count },
    );
    say(none);
  } else say(t('There is no game of this kind in your studies: load some under Analysis.'));
}

at('next').addEventListener('click', () => next());
at('daily').addEventListener('click', () => next({ day: dayOf(new Date()) }));
at('own').addEventListener('click', () => missed().catch((error) => say(error.message)));
at('again').addEventListener('click', again);
at('pass').addEventListener('click', () => tried(view.legal.find((move) => !move.to.length)));
at('game').addEventListener('change', () => {
  own = [];
  at('kind').value = '';
  next();
});
for (const id of ['kind', 'level']) at(id).addEventListener('change', () => next());
at('solution').addEventListener('click', solve);
at('threat').addEventListener('click', () => threat().catch((error) => say(error.message)));
bindZoom(at('zoom'), at('board'));
bindPlace();
keepFields({ puzzles: at('game'), level: at('level') });
// Another address in the same tab: no page is loaded for it.
addEventListener('hashchange', () => location.reload());
const words = new URLSearchParams(location.hash.slice(1));
if ([...at('game').options].some((option) => option.value === words.get('game'))) at('game').value = words.get('game');
const number = (name) => (/^\d+$/.test(words.get(name) ?? '') ? Number(words.get(name)) : null);
const [which, seed] = ['number', 'seed'].map(number);
// An address without a puzzle is that of the day.
next({ number: which, seed, day: which === null && seed === null ? dayOf(new Date()) : null });
