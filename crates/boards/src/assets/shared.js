// A game of two people by link: the server holds it and sends every change. The link of a seat has its key behind `#`,
// which browsers do not send; here it is kept, and taken out of the address, so that whoever copies that can watch and
// not play.

import { bars, element, fitted } from './board.js';
import { clocks } from './clock.js';
import { plainReason } from './evaluations.js';
import { copy, save, toHash } from './files.js';
import { reasons } from './reasons.js';
import { ask, position } from './server.js';
import {
  bindKeys, bindSettings, bindSure, madeMove, say, sayForbidden, sayWhy, settings, showMoves, showSeat, tone,
} from './table.js';
import { bindTheme } from './theme.js';
import { shown } from './tree.js';
import { bindTurns, turned } from './turns.js';
import { bindZoom } from './zoom.js';

const host = document.getElementById('shared');
const id = host.dataset.id;
const at = (id) => document.getElementById(id);
const kept = (game) => `agon.shared.${game}`;
const TITLE = document.title;
const words = JSON.parse(host.dataset.words);
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
/// Targets that are shown at once; of more those around the pointer are shown.
const DOTS = 30;
/// After how many milliseconds a stream that was refused is asked for again.
const AGAIN = 3000;

/// The own seat and its key, and the key for the other one: { side, key, invite }; nothing of one who watches.
let own = null;
/// The game as the server last sent it.
let state = null;
let view = null;
let looking = null;
let drawn = null;
let clock = null;
let events = null;
/// What went wrong with the last move.
let wrong = null;
let sending = false;
const why = reasons({ changed: () => drawn?.set({ shapes: why.shapes() ?? [] }) });

const question = (count = state.moves.length) => ({
  game: state.game,
  position: null,
  parameters: state.parameters,
  seed: state.seed,
  moves: state.moves.slice(0, count),
});
const isOwn = (side) => own?.side === side;
const unnamed = (side) => (state.joined[side] ? words.guest : words.absent);
const plain = (side) => state.names[side] ?? unnamed(side);
const name = (side) => (isOwn(side) ? fill(words.you, { name: plain(side) }) : plain(side));

/// The keys in the address, or those that this browser has kept.
function takeKeys() {
  const words = new URLSearchParams(location.hash.slice(1));
  const side = ['first', 'second'].findIndex((seat) => words.has(seat));
  if (side >= 0) {
    own = { side, key: words.get(['first', 'second'][side]), invite: words.get('invite') };
    try {
      localStorage.setItem(kept(id), JSON.stringify(own));
      history.replaceState(null, '', location.pathname);
    } catch {
      // A browser that keeps nothing has the key in the address alone.
    }
  } else own = JSON.parse(localStorage.getItem(kept(id)) ?? 'null');
}

/// Does something as the owner of the seat.
async function send(what, more = {}) {
  await ask(`/board/game/${id}/${what}`, { key: own.key, ...more });
}

/// How the two have ended the game, as files say it.
const ending = () => (state.end?.termination ? { winner: state.end.winner, termination: state.end.termination } : null);

/// What is offered, and to whom; nothing while nothing is.
function offered() {
  const { offer } = state;
  if (!offer || state.end) return '';
  const draw = offer.offer === 'draw';
  const [asks, other] = [view.seats[offer.by], view.seats[1 - offer.by]];
  if (isOwn(1 - offer.by)) {
    if (offer.declined) return '';
    return fill(draw ? words.offersDraw : words.asksBack, { seat: asks });
  }
  if (!isOwn(offer.by)) return '';
  if (offer.declined) return fill(draw ? words.declinesDraw : words.declinesBack, { seat: other });
  return fill(draw ? words.youOffer : words.youAsk, { seat: other });
}

function outcome() {
  const { winner } = state.end;
  const reason = plainReason(state.end.reason, view);
  if (winner === null) return fill(words.isDraw, { reason });
  const values = { seat: view.seats[winner], name: name(winner), reason };
  return fill(isOwn(winner) ? words.win : words.wins, values);
}

function statusText() {
  const count = state.moves.length;
  const last = view.all[count - 1];
  const moved = last ? `${view.seats[last.side]} ${shown(last.letters)}. ` : '';
  if (looking !== null) return fill(words.after, { at: looking, count });
  if (state.end) {
    const again = state.again.findIndex((wants, side) => wants && !isOwn(side));
    const wanted = again >= 0 && !state.next ? ` ${fill(words.wantsAgain, { seat: view.seats[again] })}` : '';
    return `${moved}${outcome()}${wanted}`;
  }
  const only = view.legal.length === 1 && !view.legal[0].to.length ? ` ${words.onlyPass}` : '';
  const who = fill(isOwn(view.turn) ? words.yourTurn : words.toMove, { seat: view.seats[view.turn] });
  const waiting = state.joined.includes(false) ? ` ${words.waiting}` : '';
  const watching = own ? '' : ` ${words.watching}`;
  return `${moved}${who}${isOwn(view.turn) ? only : ''}${waiting}${watching}`;
}

function showSeats() {
  if (!view) return;
  for (const side of [0, 1]) {
    const active = !state.end && view.turn === side && looking === null;
    showSeat(view, side, { name: name(side), active, note: '', left: clock ? clock.rest(side) : null });
  }
}

function show() {
  drawn = fitted(drawn, at('board'), turned(view, state.game), make);
  const mine = !state.end && looking === null && isOwn(view.turn) && !sending;
  const moves = mine ? view.legal : [];
  drawn.set({
    cells: view.cells,
    hands: view.hands,
    turn: view.turn,
    label: fill(words.board, { words: statusText() }),
    moves,
    dots: settings.dots || moves.length <= DOTS ? true : 'near',
    confirm: settings.confirm === true,
    missed: (place, from) => {
      why.explain(place);
      return mine ? sayWhy(view, question(), place, from) : sayForbidden(view, place);
    },
  });
  at('board').lastChild.replaceChildren(...bars(view, view.gauges, view.amounts));
  showSeats();
  showMoves(view, view.all, looking ?? state.moves.length, look);
  why.show(view);
  drawn.set({ shapes: why.shapes() ?? [] });
  say(wrong ? `${wrong} ${statusText()}` : statusText());
  if (looking !== null) {
    const button = element('button', { type: 'button', class: 'small', id: 'newest' }, words.newest);
    button.addEventListener('click', () => look(null));
    at('status').append(' ', button);
  }
  const pass = view.legal.find((move) => !move.to.length);
  at('actions').hidden = false;
  at('pass').disabled = !mine || !pass;
  at('pass').classList.toggle('primary', Boolean(mine && view.legal.length === 1 && pass));
  for (const button of ['pass', 'resign', 'back', 'draw'])
    if (at(button)) at(button).hidden = !own || Boolean(state.end);
  showOffer();
  at('again').hidden = !own || !state.end || Boolean(state.next);
  at('again').disabled = own !== null && state.again[own.side];
  at('again').textContent = at('again').disabled ? words.againWaits : words.again;
  at('next').hidden = !state.next;
  // The seats are swapped, and the key stays the same.
  at('next').href = `/board/game/${state.next}${own ? `#${['second', 'first'][own.side]}=${own.key}` : ''}`;
  at('record').hidden = !state.end;
  at('analyse').href = `/board/analysis${toHash(question(), { game: state.game })}`;
  at('invite').hidden = !own?.invite || state.joined[1 - own.side];
  // A player who looks at another page sees in the title that it is his turn.
  document.title = `${mine ? '● ' : ''}${TITLE}`;
}

function showOffer() {
  const { offer } = state;
  const open = own && offer && !offer.declined && !state.end;
  const said = offered();
  at('offer').hidden = !said;
  if (at('offered').textContent !== said) at('offered').textContent = said;
  at('accept').hidden = !open || isOwn(offer.by);
  at('decline').hidden = !open;
  at('decline').textContent = open && isOwn(offer.by) ? words.withdraw : words.decline;
  // What has been declined can be asked again after the next move.
  const blocked = (what) => Boolean(offer && isOwn(offer.by) && (!offer.declined || offer.offer === what));
  at('back').disabled = blocked('takeback') || !view.all.some((move) => isOwn(move.side));
  if (at('draw')) at('draw').disabled = blocked('draw');
}

/// Shows the position after `count` moves, the newest for null.
async function look(count) {
  const wanted = count === null || count >= state.moves.length ? null : Math.max(0, count);
  looking = wanted;
  const { all } = view;
  const answer = await position(question(wanted ?? state.moves.length));
  if (looking !== wanted) return;
  view = { ...answer, all: wanted === null ? answer.moves : all };
  show();
}

/// Takes a state of the game from the server.
async function take(next) {
  const before = state;
  if (before && next.version < before.version) return;
  state = next;
  clock?.stop();
  clock = state.left ? clocks(state.left, 0, showSeats, () => {}) : null;
  if (state.running !== null) clock.start(state.running);
  if (before) wrong = null;
  const moved = before !== null && before.moves.length !== state.moves.length;
  const answer = await position(question());
  if (state !== next) return;
  if (moved) [looking, wrong, sending] = [null, null, false];
  if (looking === null) view = { ...answer, all: answer.moves };
  if (moved || (before && !before.end && state.end)) tone(Boolean(state.end));
  show();
  if (own && !before) join();
  // Both have asked for it.
  if (own && before && state.next) location.assign(at('next').href);
}

async function join() {
  if (state.joined[own.side]) return;
  try {
    await send('join');
  } catch (error) {
    [own, wrong] = [null, error.message];
    localStorage.removeItem(kept(id));
    show();
  }
}

/// A move: drawn at once, then sent to the server.
async function make(move) {
  sending = true;
  drawn.set({ cells: madeMove(view, move), moves: [], shapes: [] });
  const ply = state.moves.length;
  try {
    // The stream brings what it has led to.
    await send('move', { ply, move: move.move });
  } catch (error) {
    [sending, wrong] = [false, error.message];
    show();
  }
}

function follow() {
  events?.close();
  events = new EventSource(`/board/game/${id}/events`);
  events.addEventListener('state', (event) => {
    const next = JSON.parse(event.data);
    if (next.next) events.close();
    take(next).catch((error) => say(error.message));
  });
  // What breaks off is opened again by the browser, but what is refused is not.
  const opened = events;
  events.addEventListener('error', () => {
    if (opened.readyState === EventSource.CLOSED && opened === events && !document.hidden) setTimeout(follow, AGAIN);
  });
}

async function attempt(what, more) {
  try {
    await send(what, more);
  } catch (error) {
    wrong = error.message;
    show();
  }
}

at('pass').addEventListener('click', () => make(view.legal.find((move) => !move.to.length)));
bindSure(at('resign'), () => attempt('resign'));
const press = (id, act) => () => !at(id) || at(id).hidden || at(id).disabled || act();
const back = press('back', () => attempt('takeback'));
const draw = press('draw', () => attempt('draw'));
const answer = (accept) => attempt('answer', { ply: state.moves.length, accept });
const accept = press('accept', () => answer(true));
const decline = press('decline', () => answer(false));
at('back').addEventListener('click', back);
at('draw')?.addEventListener('click', draw);
at('accept').addEventListener('click', accept);
at('decline').addEventListener('click', decline);
at('again').addEventListener('click', () => attempt('again'));
at('copy').addEventListener('click', async () => {
  at('invitation').select();
  say((await copy(at('invitation').value)) ? words.copied : words.copyMarked);
});
at('link').addEventListener('click', async () => {
  const link = location.origin + location.pathname;
  say((await copy(link)) ? words.linkCopied : fill(words.linkIs, { link }));
});
for (const button of host.querySelectorAll('[data-format]'))
  button.addEventListener('click', () => {
    const names = [0, 1].map((side) => state.names[side] ?? words.guest);
    save(question(), names, button.dataset.format, { end: ending() }).catch((error) => say(error.message));
  });
bindTheme(at('theme'));
bindTurns({ turn: at('turn'), mirror: at('mirror') }, () => state.game, () => view && show());
bindZoom(at('zoom'), at('board'));
bindSettings(() => view && show());
bindKeys(() => {
  if (!view) return null;
  const shown = looking ?? state.moves.length;
  return {
    u: back,
    d: draw,
    y: accept,
    n: decline,
    ArrowLeft: () => look(shown - 1),
    ArrowRight: () => look(shown + 1),
    Home: () => look(0),
    End: () => look(null),
  };
});
// A browser has few connections: a page that is watched and not seen gives its own back. A player's stays open for
// the moves.
document.addEventListener('visibilitychange', () => {
  if (own) return;
  if (document.hidden) events.close();
  else follow();
});
addEventListener('pagehide', () => events.close());
addEventListener('pageshow', (event) => event.persisted && follow());

takeKeys();
if (own?.invite) {
  const seat = ['second', 'first'][own.side];
  at('invitation').value = `${location.origin}${location.pathname}#${seat}=${own.invite}`;
}
follow();
