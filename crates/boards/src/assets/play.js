// A game against an engine, or of two people at one screen. It is kept in this browser, and its moves are in the
// address.

import { bars, element, fitted, lettering, withoutCards } from './board.js';
import { clocks } from './clock.js';
import { savePicture } from './diagram.js';
import { countText, plainReason } from './evaluations.js';
import { copy, fromHash, save, toHash } from './files.js';
import { bindPlace, boardPage } from './here.js';
import { openingRule } from './openingrule.js';
import { openingName, unfolded } from './openings.js';
import { reasons } from './reasons.js';
import { agentMove, engineMove, position, readGame } from './server.js';
import {
  bindKeys, bindSettings, bindSure, keepFields, madeMove, say, sayForbidden, sayWhy, settings, showMoves, showSeat,
  storeSettings, tone,
} from './table.js';
import { bindTheme } from './theme.js';
import { shown } from './tree.js';
import { bindTurns, turned } from './turns.js';
import { t } from './words.js';
import { bindZoom } from './zoom.js';

const host = document.getElementById('play');
const name = host.dataset.game;
const at = (id) => document.getElementById(id);
const form = at('new');
const KEPT = `agon.board.${name}`;
/// Whether the sides see different things: until the end nothing on the page gives away what the other side has played.
const SECRET = 'secret' in host.dataset;
/// Time for an engine's move in a game without a clock, and for a hint.
const MOVE_MS = 1000;
/// Targets that are shown at once; of more those around the pointer are shown.
const DOTS = 30;
/// Buttons of moves that no place stands for.
const MAX_OTHERS = 200;

/// The game: { question, players, clock: { base, increment }|null, left: [ms, ms]|null,
/// ended: { winner, termination, reason }|null, thoughts: { number of a move: what its agent thought },
/// times: { number of moves: what the clocks had left after them } }.
let game = null;
/// True while a game from a link is only looked at: it replaces no game of this browser, and no engine moves in it.
let opened = false;
/// The position that is shown.
let view = null;
/// How many moves lead to it; null for the newest one.
let looking = null;
let drawn = null;
let clock = null;
/// What waits for the server: a newer one makes its answer void.
let turn = 0;
let thinking = null;
/// The game that was going on when another one was begun or opened; kept in this browser until that has two moves more.
let before = JSON.parse(localStorage.getItem(`${KEPT}.before`) ?? 'null');
/// How many moves the game on the board had when it came there.
let begunAt = 0;

/// The opening before the game, where an opening rule is chosen.
const opening = at('opening-rule') && openingRule({
  name,
  player: (text, only) => (text === 'human' && only ? t('you') : playerName(text, 0)),
  show: showOpeningRule,
  complete: ({ rules, players: [first, second], clock: time }, parameter, black) => {
    const parameters = { ...(rules && { rules }), 'opening-rule': parameter };
    const question = { game: name, position: null, parameters, seed: 0, moves: [] };
    openActions(true);
    begin(question, black === 0 ? [first, second] : [second, first], time);
    keep();
  },
  failed: (error) => say(error.message),
  address: ({ rule, rules, players: [first, second], clock: time, decisions }) => {
    const parameters = { ...(rules && { rules }), 'opening-rule': [rule, ...decisions].join(' ') };
    return toHash({ parameters, moves: [] }, { first, second, ...(time && { clock: clockWord(time) }) });
  },
});

/// A clock as the form and addresses have it, in seconds; null for none.
const clockWord = ({ base, increment }) => `${base / 1000}+${increment / 1000}`;
function clockOf(word) {
  const [base, increment] = word.split('+').map((seconds) => Number(seconds) * 1000);
  return word ? { base, increment } : null;
}

/// What takes a move in an opening.
let decides = null;

/// Draws an opening in progress.
function showOpeningRule(found, moves, words, decide, seats) {
  [view, decides] = [null, decide];
  for (const side of [0, 1]) {
    const active = side === found.turn;
    showSeat(found, side, { name: seats[side], active, note: '', left: null });
  }
  drawn = fitted(drawn, at('board'), turned(found, name), make);
  const label = t('board, {words}', { words });
  const missed = (place) => {
    const [row, column] = [Math.floor(place / found.columns), place % found.columns];
    const point = `${String.fromCharCode(65 + column)}${found.rows - row}`;
    if (moves.length) say(t('{point} is not possible now. {words}', { point, words }));
  };
  // Offered moves have letters, which dots would cover.
  const few = moves.length <= DOTS && !found.cells.some(lettering);
  drawn.set({ cells: found.cells, label, moves, shapes: [], dots: few ? true : 'near', missed });
  at('moves').replaceChildren();
  why.show(found);
  at('opening').textContent = '';
  say(words);
}

/// Lets the game be acted on, or not while it is opened.
function openActions(open) {
  at('actions').hidden = !open;
  for (const button of host.querySelectorAll('[data-format], [data-picture], #analyse')) button.hidden = !open;
}

/// Leaves the game for an opening.
function leave() {
  turn += 1;
  thinking?.abort();
  clock?.stop();
  [thinking, clock, game, view, looking, opened] = [null, null, null, null, null, false];
  openActions(false);
  history.replaceState(null, '', location.pathname + location.search);
}

const why = reasons({ changed: () => drawn?.set({ shapes: why.shapes() ?? [] }) });

const isHuman = (side) => game.players[side] === 'human';
const over = () => game.ended ?? view?.result ?? null;
/// Whether something is still kept from the person.
const hides = () => SECRET && !over();
/// The game after its first `count` moves, or all of them; the stones of an opening rule are its first.
const upTo = (count) => {
  const whole = unfolded(game.question);
  const seat = SECRET ? [0, 1].find(isOnly) : undefined;
  return { ...whole, moves: whole.moves.slice(0, count), ...(seat !== undefined && { seat }) };
};
const made = () => upTo().moves.length;

const isAgent = (side) => game.players[side].startsWith('agent:');

/// Whether a side is that of the only person.
const isOnly = (side) => game.players[side] === 'human' && game.players[1 - side] !== 'human';

function playerName(text, side) {
  if (text.startsWith('agent:')) return form.querySelector(`option[value="${text}"]`)?.textContent ?? t('your agent');
  const [builtin, level] = text.split(':');
  const known = builtin === 'champion' ? t('champion') : builtin;
  if (text !== 'human') return level ? t('{name}, level {level}', { name: known, level }) : known;
  return isOnly(side) ? t('you') : t('person');
}

function keepBefore(other) {
  before = other;
  if (before) localStorage.setItem(`${KEPT}.before`, JSON.stringify(before));
  else localStorage.removeItem(`${KEPT}.before`);
}

function keep() {
  const [first, second] = game.players;
  const link = hides() ? location.pathname + location.search : toHash(game.question, { first, second });
  history.replaceState(null, '', link);
  store();
}

/// Keeps the game in this browser.
function store() {
  if (opened) return;
  if (clock) game.left = [0, 1].map((side) => clock.rest(side));
  localStorage.setItem(KEPT, JSON.stringify(game));
}

function outcome(end) {
  const counted = end.termination ? '' : countText(view);
  return counted ? `${outcomeText(end)} ${counted}.` : outcomeText(end);
}

function outcomeText({ winner, reason: why }) {
  const reason = plainReason(why, view);
  if (winner === null || winner === undefined) return t('A draw: {reason}.', { reason });
  const [seat, who] = [view.seats[winner], playerName(game.players[winner], winner)];
  return isOnly(winner)
    ? t('{seat} (you) win: {reason}.', { seat, reason })
    : t('{seat} ({who}) wins: {reason}.', { seat, who, reason });
}

function showSeats() {
  for (const side of [0, 1]) {
    const active = !over() && view.turn === side;
    const note = active && thinking && !isHuman(side) ? t('thinks …') : '';
    const left = clock ? clock.rest(side) : null;
    showSeat(view, side, { name: playerName(game.players[side], side), active, note, left });
  }
}

function statusText() {
  const end = over();
  const count = made();
  const last = view.all[count - 1];
  const decided = game.question.moves.length ? '' : opening?.said() ?? '';
  const moved = decided + (last ? `${view.seats[last.side]} ${shown(last.letters)}. ` : '');
  const seat = view.seats[view.turn];
  if (looking !== null) return t('After move {at} of {count}.', { at: looking, count });
  if (end) return `${moved}${outcome(end)}`;
  if (opened && !isHuman(view.turn)) return `${moved}${t('{seat} to move.', { seat })}`;
  if (!isHuman(view.turn)) return `${moved}${t('{seat} thinks.', { seat })}`;
  const forced = view.legal.length === 1 && !view.legal[0].to.length;
  const only = forced ? ` ${t('There is no other move than to pass.')}` : '';
  // The colours may have been swapped.
  const words = decided && isOnly(view.turn) ? t('{seat} (you) to move.', { seat }) : t('{seat} to move.', { seat });
  return `${moved}${words}${only}`;
}

function show() {
  drawn = fitted(drawn, at('board'), turned(view, name), make);
  const end = over();
  const mine = !end && looking === null && isHuman(view.turn);
  const moves = mine ? view.legal : [];
  drawn.set({
    cells: view.cells,
    hands: view.hands,
    turn: view.turn,
    label: t('board, {words}', { words: statusText() }),
    moves,
    // A hint was for the position before.
    shapes: [],
    dots: settings.dots || moves.length <= DOTS ? true : 'near',
    confirm: settings.confirm === true,
    missed: (place, from) => {
      why.explain(place);
      return mine ? sayWhy(view, upTo(), place, from) : sayForbidden(view, place);
    },
  });
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
  showSeats();
  showMoves(view, view.all, looking ?? made(), look);
  say(statusText());
  if (looking !== null) at('status').append(' ', wayBack());
  else {
    if (opened && !end && !isHuman(view.turn)) at('status').append(' ', goOn());
    if (before && game.question.moves.length <= begunAt + 1) at('status').append(' ', gameBefore());
  }
  const pass = view.legal.find((move) => !move.to.length);
  at('actions').hidden = false;
  at('pass').disabled = !mine || !pass;
  showOthers(withoutCards(moves.filter((move) => !move.to.length), view.hands, view.turn));
  at('pass').classList.toggle('primary', mine && view.legal.length === 1 && pass !== undefined);
  at('hint').disabled = !mine || SECRET;
  at('swap').disabled = Boolean(end) || looking !== null || SECRET;
  at('resign').disabled = Boolean(end) || !game.players.includes('human');
  at('back').disabled = SECRET || !(game.question.moves.length || hasGivenUp()) || !game.players.includes('human');
  for (const button of host.querySelectorAll('[data-format], [data-picture], #link, #analyse'))
    if (SECRET) button.hidden = hides() || button.id === 'analyse';
  why.show(view);
  showOpening();
  showThought(looking ?? made());
  at('analyse').href = `${boardPage('analysis')}${toHash(game.question, { game: name })}`;
}

/// The name of the opening, where the game has begun with one.
function showOpening() {
  const name = openingName(upTo(), view.all.map((one) => one.move));
  at('opening').textContent = name ? t('Opening: {name}.', { name }) : '';
}

/// What leads from an earlier position to the newest one.
function wayBack() {
  const button = element('button', { type: 'button', class: 'small', id: 'newest' }, t('Back to the game'));
  button.title = t('the End key, too');
  button.addEventListener('click', () => look(null));
  return button;
}

/// What lets the engine move in a game from a link.
function goOn() {
  const button = element('button', { type: 'button', class: 'small', id: 'go-on' }, t('Play on from here'));
  button.classList.add('primary');
  button.addEventListener('click', () => {
    opened = false;
    keep();
    next();
  });
  return button;
}

/// What leads from a new game to the one that was going on.
function gameBefore() {
  const button = element('button', { type: 'button', class: 'small', id: 'before' }, t('Back to the game before'));
  button.addEventListener('click', () => {
    const other = before;
    keepBefore(null);
    opened = false;
    resume(other);
    keep();
  });
  return button;
}

/// The moves that no place of the board stands for, as rules of any game may have them.
function showOthers(moves) {
  if (!at('others')) return;
  at('others').hidden = !moves.length;
  at('others').replaceChildren(
    ...moves.slice(0, MAX_OTHERS).map((move) => {
      const button = element('button', { type: 'button' }, move.letters);
      button.addEventListener('click', () => play(move.move));
      return button;
    }),
  );
}

/// What the agent thought that failed in this position, or that made the move of this number, or else the one before,
/// and what it wrote to its error stream meanwhile.
function showThought(shown) {
  if (!at('thinking')) return;
  const count = [shown + 1, shown, shown - 1].find((n) => game.thoughts?.[n] && (n <= shown || game.thoughts[n].fault));
  const thought = game.thoughts?.[count];
  at('thinking').hidden = !thought || hides();
  if (!thought || hides()) return;
  const ms = thought.ms.toFixed(1);
  const said = [
    thought.letters
      ? t('move {count}, {move}, in {ms} ms', { count, move: thought.letters, ms })
      : t('move {count} failed after {ms} ms', { count, ms }),
  ];
  if (thought.score) said.push(t('score {score}', { score: thought.score }));
  if (thought.opened) said.push(t('asked in a new process, with the moves before as OPENING lines'));
  at('thought').textContent = `${said.join('; ')}.`;
  at('stderr').textContent = thought.stderr ?? '';
}

/// Shows the position after `count` moves, the newest for null.
async function look(count) {
  const wanted = count === null || count >= made() ? null : Math.max(0, count);
  looking = wanted;
  const all = view.all;
  const answer = await position(upTo(wanted ?? undefined));
  if (looking !== wanted) return;
  view = { ...answer, all: wanted === null ? answer.moves : all };
  show();
}

/// A move that a person makes: drawn at once, then sent to the server.
function make(move) {
  if (decides) {
    decides(move);
    return;
  }
  drawn.set({ cells: madeMove(view, move), moves: [], shapes: [] });
  play(move.move);
}

function play(move) {
  const side = view.turn;
  game.question.moves.push(move);
  [looking, opened] = [null, false];
  if (clock && clock.running() === side) clock.start(1 - side, true);
  noteTimes();
  tone(false);
  keep();
  next();
}

/// Notes what the clocks have left after the newest move.
function noteTimes() {
  if (clock) game.times = { ...game.times, [made()]: [0, 1].map((side) => clock.rest(side)) };
}

/// Whether the game ended without a move: its moves stay when that is taken back.
const hasGivenUp = () => ['resignation', 'time'].includes(game.ended?.termination);

function finish(end) {
  game.ended = end;
  thinking?.abort();
  thinking = null;
  clock?.stop();
  tone(true);
  keep();
  show();
}

/// Asks for the position, and then for the engine's move if it is the engine's turn.
async function next() {
  const mine = ++turn;
  thinking?.abort();
  thinking = null;
  let answer;
  try {
    answer = await position(upTo());
  } catch (error) {
    if (mine !== turn) return;
    // A move that the rules refuse stays refused; a server that is away comes back.
    const stones = made() - game.question.moves.length;
    if (!(error.at >= stones)) {
      tryAgain(error);
      return;
    }
    // What leads there is a game.
    game.question.moves.length = error.at - stones;
    keep();
    await next();
    say(t('{problem}. The moves before it are on the board.', { problem: error.message }));
    return;
  }
  if (mine !== turn) return;
  view = { ...answer, all: answer.moves };
  if (over()) {
    clock?.stop();
    if (view.result && !game.ended) tone(true);
    show();
    return;
  }
  if (clock && clock.running() !== view.turn) clock.start(view.turn);
  if (isHuman(view.turn) || opened) {
    show();
    return;
  }
  thinking = new AbortController();
  show();
  const side = view.turn;
  const time = clock
    ? { clock: [Math.max(1, clock.rest(side)), game.clock.increment].map(Math.round) }
    : { ms: MOVE_MS };
  try {
    const asks = isAgent(side) ? agentMove : engineMove;
    const found = await asks(game.question, game.players[side], time, thinking.signal);
    if (mine !== turn || over()) return;
    thinking = null;
    if (isAgent(side)) game.thoughts = { ...game.thoughts, [made() + 1]: found };
    if (found.fault) {
      const reason = t('{seat} failed: {why}', { seat: view.seats[side], why: found.fault.replaceAll('\x60', '') });
      finish({ winner: 1 - side, termination: null, reason });
      return;
    }
    if (looking !== null) {
      looking = null;
      view = { ...answer, all: answer.moves };
    }
    play(found.move);
  } catch (error) {
    if (error.name === 'AbortError' || mine !== turn) return;
    thinking = null;
    show();
    tryAgain(error);
  }
}

/// Says what went wrong, and lets it be asked for again.
function tryAgain(error) {
  const again = element('button', { type: 'button', id: 'again' }, t('Try again'));
  again.addEventListener('click', next);
  at('status').replaceChildren(`${error.message} `, again);
}

function begin(question, players, time, left = null, ended = null, thoughts = {}, times = {}) {
  thinking?.abort();
  clock?.stop();
  game = { question, players, clock: time, left, ended, thoughts, times };
  begunAt = question.moves.length;
  decides = null;
  [looking, view] = [null, null];
  const flagged = (side) =>
    finish({ winner: 1 - side, termination: 'time', reason: t('{seat} has no time left', { seat: view.seats[side] }) });
  clock = time ? clocks(left ?? [time.base, time.base], time.increment, showSeats0, flagged) : null;
  if (!left) noteTimes();
  // After an opening the players may have swapped: the form keeps who begins it.
  if (!question.parameters['opening-rule'])
    for (const [field, side] of [['first', 0], ['second', 1]]) form.elements[field].value = players[side];
  opening?.list(question, players, () => view && show()).catch(() => {});
  return next();
}

/// Goes on with a game that was kept.
function resume({ question, players, clock: time, left, ended, thoughts, times }) {
  return begin(question, players, time, left, ended, thoughts, times);
}

const showSeats0 = () => view && showSeats();

function backwards() {
  const givenUp = hasGivenUp();
  if (!game.question.moves.length && !givenUp) return;
  const human = [0, 1].filter(isHuman);
  game.ended = null;
  [looking, opened] = [null, false];
  // What was done last was to resign, or to run out of time: the moves stay.
  if (givenUp) {
    turnClocksBack();
    keep();
    next();
    return;
  }
  // To the last position in which a person was to move.
  do game.question.moves.pop();
  while (human.length === 1 && game.question.moves.length && view.all[made()]?.side !== human[0]);
  turnClocksBack();
  keep();
  next();
}

/// Gives both sides the time that they had after the newest move.
function turnClocksBack() {
  if (!clock) return;
  clock.stop();
  // A game that was kept before times were noted.
  const times = game.times?.[made()] ?? [0, 1].map((side) => clock.rest(side));
  clock.reset(times.map((time) => (time > 0 ? time : game.clock.base)));
}

at('back').addEventListener('click', backwards);
at('pass').addEventListener('click', () => play(view.legal.find((move) => !move.to.length).move));
bindSure(at('resign'), () => {
  if (over()) return;
  // Of two people, or against an engine, it is the person on turn, else the only one.
  const side = isHuman(view.turn) ? view.turn : 1 - view.turn;
  [looking, opened] = [null, false];
  const reason = t('{seat} resigns', { seat: view.seats[side] });
  finish({ winner: 1 - side, termination: 'resignation', reason });
});
at('swap').addEventListener('click', () => {
  game.players.reverse();
  for (const [field, side] of [['first', 0], ['second', 1]]) form.elements[field].value = game.players[side];
  keep();
  next();
});
at('hint').addEventListener('click', hint);
async function hint() {
  const asked = ++turn;
  say(t('Looking for a good move …'));
  try {
    const found = await engineMove(game.question, undefined, { ms: MOVE_MS });
    // The person may have looked elsewhere meanwhile.
    if (asked !== turn || looking !== null || over()) return;
    const move = view.legal.find((legal) => legal.move === found.move);
    say(t('Hint: {move}.', { move: `${shown(found.letters)}${found.score ? `, ${found.score}` : ''}` }));
    if (move?.to.length) {
      const shapes =
        move.from.length === 1
          ? [{ kind: 'arrow', from: move.from[0], to: move.to[0] }]
          : move.to.length > 1
            ? [{ kind: 'bar', cells: move.to, text: '' }]
            : [{ kind: 'ring', at: move.to[0] }];
      drawn.set({ shapes });
    }
  } catch (error) {
    if (asked === turn) say(error.message);
  }
}
at('link').addEventListener('click', async () => {
  say((await copy(location.href)) ? t('The link is copied.') : t('The link: {link}', { link: location.href }));
});
for (const button of host.querySelectorAll('[data-format]'))
  button.addEventListener('click', async () => {
    try {
      await save(game.question, game.players.map(playerName), button.dataset.format, {
        engines: [0, 1].map((side) => !isHuman(side)),
        end: game.ended?.termination ? { winner: game.ended.winner, termination: game.ended.termination } : null,
      });
    } catch (error) {
      say(error.message);
    }
  });
for (const button of host.querySelectorAll('[data-picture]'))
  button.addEventListener('click', () => {
    const count = looking ?? made();
    savePicture(drawn.svg, button.dataset.picture, `agon-${name}-${count}`, statusText());
  });
bindSettings(() => view && show());
keepFields({ clock: form.elements.clock });
bindTheme(at('theme'));
const turns = bindTurns({ turn: at('turn'), mirror: at('mirror') }, () => name, () => view && show());
bindPlace();
bindZoom(at('zoom'), at('board'));

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const fields = form.elements;
  const problem = at('problem');
  problem.hidden = true;
  const question = { game: name, position: null, parameters: {}, seed: 0, moves: [] };
  if (host.dataset.drawn) question.seed = Math.floor(Math.random() * 2 ** 32);
  for (const { dataset, value } of form.querySelectorAll('[data-parameter]'))
    if (value.trim()) question.parameters[dataset.parameter] = value.trim();
  if (fields.rows) {
    for (const size of ['rows', 'columns']) question.parameters[size] = fields[size].value;
  }
  const text = fields.position.value.trim();
  const rules = fields['opening-rules']?.value;
  if (rules && !text) question.parameters.rules = rules;
  try {
    if (text) {
      const read = await readGame(text, name);
      if (read.game !== name) throw new Error(t('This is a game of {game}.', { game: read.game }));
      Object.assign(question, { position: read.position, moves: read.moves });
      if (read.position || Object.keys(read.parameters).length)
        Object.assign(question, { parameters: read.parameters, seed: read.seed });
    }
    await position(question);
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    return;
  }
  if (game?.question.moves.length && !over()) {
    if (clock) game.left = [0, 1].map((side) => clock.rest(side));
    if (!opened) keepBefore(game);
  }
  opened = false;
  opening?.stop();
  settings.players = { ...settings.players, [name]: [fields.first.value, fields.second.value] };
  storeSettings();
  const time = clockOf(fields.clock.value);
  const { value: rule, selectedOptions } = fields['opening-rule'] ?? { value: '' };
  if (rule && !text) {
    const players = [fields.first.value, fields.second.value];
    leave();
    const usual = selectedOptions[0].dataset.rules;
    await opening.begin({ rule, rules: rules === usual ? null : rules || null, players, clock: time });
  } else {
    openActions(true);
    await begin(question, [fields.first.value, fields.second.value], time);
    keep();
  }
  drawn?.focus();
  // On a telephone the form stands below the board.
  at('board').scrollIntoView({ block: 'nearest' });
});

bindKeys(() => {
  if (!game || !view) return null;
  const shown = looking ?? made();
  return {
    u: () => at('back').disabled || backwards(),
    h: () => at('hint').disabled || hint(),
    t: turns.turn,
    f: turns.mirror,
    ArrowLeft: () => look(shown - 1),
    ArrowRight: () => look(shown + 1),
    Home: () => look(0),
    End: () => look(null),
  };
});
// Another link in the same tab: the address changes, but no page is loaded.
addEventListener('hashchange', () => location.reload());
addEventListener('pagehide', () => {
  thinking?.abort();
  // The address may be that of another game by now.
  if (game) store();
});

/// The rules that an opening rule is for come with it.
form.elements['opening-rule']?.addEventListener('change', followRule);
function followRule() {
  const fields = form.elements;
  const { rules } = fields['opening-rule'].selectedOptions[0].dataset;
  fields['opening-rules'].value = rules ?? '';
  fields['opening-rules'].options[0].hidden = rules !== undefined;
}

/// Shows what an opening in progress was begun with.
function fill({ rule, rules, players: [first, second], clock: time }) {
  const fields = form.elements;
  [fields.first.value, fields.second.value, fields['opening-rule'].value] = [first, second, rule];
  followRule();
  if (rules) fields['opening-rules'].value = rules;
  fields.clock.value = time ? clockWord(time) : '';
}

/// Who played here last, as far as they are still offered.
const last = settings.players?.[name] ?? [];
const offered = (field, player) => [...form.elements[field].options].some((option) => option.value === player);
const isOffered = !host.dataset.chosen && offered('first', last[0]) && offered('second', last[1]);
const defaults = isOffered ? last : [form.elements.first.value, form.elements.second.value];
const linked = fromHash(name, location.hash);
const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
// The program that the page was opened for; a game against it goes on, and any other one gives way.
const { chosen } = host.dataset;
const goesOn = kept && (!chosen || kept.players.includes(chosen));
const players = (words) => ['first', 'second'].map((seat, side) => words.get(seat) ?? defaults[side]);
for (const [field, side] of [['first', 0], ['second', 1]]) form.elements[field].value = defaults[side];
/// Whether a link is that of the game which this browser keeps, with the same players.
const isKept = ({ words, question }) =>
  JSON.stringify(kept.question) === JSON.stringify(question)
  && ['first', 'second'].every((seat, side) => (words.get(seat) ?? kept.players[side]) === kept.players[side]);
const timeLinked = clockOf(linked?.words.get('clock') ?? '');
const openingLinked = linked && (await opening?.read(linked, players(linked.words), timeLinked));
const openingBefore = openingLinked || (linked ? null : opening?.resume());
if (openingBefore) {
  fill(openingBefore);
  leave();
} else if (goesOn && (!linked || isKept(linked))) {
  resume(kept);
  keep();
} else if (linked) {
  // It is shown beside the game of this browser, which stays; to play on makes it the game of this browser.
  opened = linked.question.moves.length > 0;
  if (kept?.question.moves.length && !kept.ended) keepBefore(kept);
  begin(linked.question, players(linked.words), null);
} else {
  const seed = host.dataset.drawn ? Math.floor(Math.random() * 2 ** 32) : 0;
  begin({ game: name, position: null, parameters: {}, seed, moves: [] }, defaults, null);
}
