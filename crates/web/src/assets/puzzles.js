// Puzzles: a position in which one move alone is right, played out against the toughest answers. The server proves
// every move that is tried; which puzzle it is stands in the address.

import { bars, element, fitted } from './board.js';
import { countOf } from './evaluations.js';
import { toHash } from './files.js';
import { CLIENT, position } from './server.js';
import { library, place } from './studies.js';
import { settings, tone } from './table.js';
import './theme.js';
import { attempted, chosen, dayOf, daysInRow, fitting, recalled } from './trainer.js';
import * as tree from './tree.js';
import { bindZoom } from './zoom.js';

const at = (id) => document.getElementById(id);
const say = (words) => (at('status').textContent = words);
const KEPT = 'agon.puzzles';
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
/// Puzzles of one's own games that wait.
let own = [];

const question = (moves) => ({ game: puzzle.game, position: puzzle.position, parameters: {}, seed: 0, moves });
const lettersOf = (line) => line.map(({ letters }) => letters.replaceAll(' ', ',')).join(' ');

async function get(path) {
  const response = await fetch(`/api/v1/${path}`);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return answer;
}

/// Draws the position after moves, with numbers on the last of them.
async function show(moves, playable, numbered = 0) {
  const mine = asked;
  const next = await position(question(moves));
  if (mine !== asked) return;
  view = next;
  drawn = fitted(drawn, at('board'), view, tried);
  const last = view.moves.slice(view.moves.length - numbered);
  drawn.set({
    cells: view.cells,
    label: `board, ${puzzle.text}`,
    moves: playable ? view.legal : [],
    confirm: settings.confirm === true,
    shapes: numbered ? last.flatMap((one, n) => countOf(view, one, n + 1)) : [],
  });
  at('board').classList.toggle('counted', numbered > 0);
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
  at('pass').hidden = !(playable && view.legal.some((move) => !move.to.length));
}

function store(right) {
  const { day = null, number } = puzzle;
  known = attempted(known, { game: puzzle.game, number, day, right });
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
  at('solution').disabled = true;
  at('again').hidden = false;
}

/// A move that is tried on the board.
async function tried(move) {
  const mine = ++asked;
  const moves = [...made, move.move];
  at('pass').hidden = true;
  await show(moves, false);
  say(`${move.letters} …`);
  let answer;
  try {
    const { game, kind, position: from } = puzzle;
    answer = await post('puzzle-move', { game, kind, position: from, moves, client: CLIENT });
  } catch (error) {
    if (mine === asked) retry(error.message);
    return;
  }
  if (mine !== asked) return;
  const line = lettersOf(answer.line);
  const goal = puzzle.kind === 'defence' ? 'hold' : 'win';
  if (answer.verdict === 'solved') {
    made = moves;
    if (!failed) store(true);
    tone(true);
    over(`Right: ${move.letters}${puzzle.kind === 'defence' ? ' holds' : ' wins'}. Solved.`);
  } else if (answer.verdict === 'right' && answer.line.length) {
    made = [...moves, ...answer.line.map((one) => one.move)];
    tone(false);
    await show(made, true);
    if (mine === asked) say(`Right: ${move.letters}. The answer is ${line}. Go on.`);
  } else if (answer.verdict === 'wrong') {
    miss();
    await show([...moves, ...answer.line.map((one) => one.move)], false, answer.line.length);
    if (mine === asked) retry(`${move.letters} does not ${goal}${line ? `: ${line}` : ''}.`);
  } else {
    if (answer.line.length) await show([...moves, ...answer.line.map((one) => one.move)], false, 1);
    if (mine === asked) retry(`${move.letters} is not shown to ${goal}${line ? `: ${line} may hold` : ''}.`);
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
}

/// Shows the winning line.
async function solve() {
  ++asked;
  miss();
  made = [];
  await show(puzzle.solution, false, puzzle.solution.length);
  over(`The solution: ${puzzle.letters.map((letters) => letters.replaceAll(' ', ',')).join(' ')}.`);
}

function showCounts() {
  const solved = (known.solved[at('game').value] ?? []).length;
  const row = `${known.row} in a row${known.best > known.row ? `, best ${known.best}` : ''}`;
  const days = daysInRow(known, dayOf(new Date()));
  at('counts').textContent = `Solved ${solved} of ${rows.length}; ${row}${days ? `; ${days} days in a row` : ''}.`;
}

/// The puzzles that come with Agon, of the game that is chosen.
let rows = [];
let rowsOf = null;
async function list() {
  const game = at('game').value;
  if (rowsOf === game) return;
  rows = await get(`puzzles/${game}/list`);
  rowsOf = game;
  const kinds = [...new Set(rows.map((row) => row.kind))];
  const option = (value, text) => element('option', { value }, text);
  at('kind').replaceChildren(option('', 'all kinds'), ...kinds.map((kind) => option(kind, kind)));
}

/// Puts a puzzle on the board.
async function begin(found, words, day = null) {
  puzzle = { ...found, day };
  [made, failed] = [[], false];
  history.replaceState(null, '', `#game=${puzzle.game}${words}`);
  at('solution').disabled = false;
  at('again').hidden = true;
  at('analyse').href = `/board/analysis${toHash(question([]), { game: puzzle.game })}`;
  await show([], true);
  const name = day !== null ? 'Puzzle of the day' : puzzle.number ? `Puzzle ${puzzle.number}` : 'Puzzle';
  const nodes = puzzle.nodes.toLocaleString('en');
  at('grade').textContent = `${name}. Grade ${puzzle.grade}, ${puzzle.kind}: the proof took ${nodes} nodes.`;
  showCounts();
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
    const here = puzzle?.game === game ? puzzle.number : null;
    const which = number ?? chosen(fits, known.solved[game] ?? [], here);
    let query = `number=${which}`;
    if (seed !== null) query = `seed=${seed}`;
    else if (day !== null) query = `day=${day}`;
    else if (which === null) throw new Error('There is no puzzle of this kind and grade.');
    if (seed !== null) say('A puzzle is made and proved …');
    const found = await get(`puzzles/${game}?${query}`);
    if (mine !== asked) return;
    await begin(found, day !== null ? '&day=today' : `&${query}`, day);
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
    say(`Game ${n + 1} of ${Math.min(all.length, GAMES)}: ${chapter.name} …`);
    const root = tree.fromRows(chapter.rows);
    const moves = tree.moves(tree.lastOf(root));
    if (!moves.length) continue;
    const found = await post('missed', { ...chapter.start, moves, client: CLIENT }).catch(() => []);
    if (mine !== asked) return;
    own.push(...found);
    if (own.length >= 10) break;
  }
  if (own.length) await next();
  else say('No puzzle was missed in the games of your studies: load some under Analysis.');
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
bindZoom(at('zoom'), at('board'));
const words = new URLSearchParams(location.hash.slice(1));
if ([...at('game').options].some((option) => option.value === words.get('game'))) at('game').value = words.get('game');
const number = (name) => (/^\d+$/.test(words.get(name) ?? '') ? Number(words.get(name)) : null);
const [which, seed] = ['number', 'seed'].map(number);
// An address without a puzzle is that of the day.
next({ number: which, seed, day: which === null && seed === null ? dayOf(new Date()) : null });
