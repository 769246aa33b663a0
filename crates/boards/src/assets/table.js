// What stands around the board of a game: seats with clocks, the list of moves, reasons of forbidden points, sounds,
// settings.

import { chip, element } from './board.js';
import { clockText } from './clock.js';
import { moveTo } from './evaluations.js';
import { position } from './server.js';
import './theme.js';
import { shown as named } from './tree.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);
const KEPT = 'agon.board';
export const settings = JSON.parse(localStorage.getItem(KEPT) ?? '{}');

// On a telephone the row of boards is wider than the window: the one that is open is in sight.
const row = document.querySelector('nav.tabs');
const open = row?.querySelector('[aria-current]');
if (open) row.scrollLeft = open.offsetLeft - row.offsetLeft - (row.clientWidth - open.offsetWidth) / 2;

/// A short tone for a move, a lower and longer one for the end, where sounds are wanted.
export function tone(end) {
  if (!settings.sound) return;
  const context = new AudioContext();
  const [sound, gain] = [context.createOscillator(), context.createGain()];
  sound.frequency.value = end ? 330 : 520;
  gain.gain.setValueAtTime(0.12, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + (end ? 0.5 : 0.09));
  sound.connect(gain).connect(context.destination);
  sound.start();
  sound.stop(context.currentTime + 0.5);
  sound.onended = () => context.close();
}

export const storeSettings = () => localStorage.setItem(KEPT, JSON.stringify(settings));

/// Lets the settings be changed; `changed` is called after each change.
export function bindSettings(changed) {
  for (const id of ['sound', 'confirm', 'dots'].filter(at)) {
    at(id).checked = settings[id] === true;
    at(id).addEventListener('change', () => {
      settings[id] = at(id).checked;
      storeSettings();
      changed();
    });
  }
}

/// Keeps what is chosen in fields: { name: element }.
export function keepFields(fields) {
  for (const [name, field] of Object.entries(fields)) {
    if (!field) continue;
    const kept = settings.fields?.[name];
    if ([...field.options].some((option) => option.value === kept)) field.value = kept;
    field.addEventListener('change', () => {
      settings.fields = { ...settings.fields, [name]: field.value };
      storeSettings();
    });
  }
}

/// What is said of the game, to readers, too; the same words are not said twice.
export function say(words) {
  if (at('status').textContent !== words) at('status').textContent = words;
}

/// A seat: who sits there, a note, and what the clock has left in milliseconds if there is one.
export function showSeat(view, side, { name, active, note, left }) {
  const seat = at(`seat${side}`);
  seat.classList.toggle('active', active);
  seat.replaceChildren(
    element('span', {}, chip(view, side), ` ${view.seats[side]}: ${name}`),
    element('span', { class: 'faint' }, note),
    left === null ? '' : element('span', { class: 'clock', role: 'timer' }, clockText(left)),
  );
}

/// The moves made, of them `shown` on the board; `look` gets the number of the one that is chosen.
export function showMoves(view, made, shown, look) {
  const list = at('moves');
  list.replaceChildren(
    ...made.map((move, index) => {
      const seat = element('span', { class: 'hidden' }, ` ${view.seats[move.side]}`);
      const parts = [chip(view, move.side), seat, ` ${named(move.letters)}`];
      const button = element('button', { type: 'button', class: 'quiet' }, ...parts);
      if (index === shown - 1) button.setAttribute('aria-current', 'step');
      button.addEventListener('click', () => look(index + 1));
      return element('li', {}, button);
    }),
  );
  const now = list.children[shown - 1];
  list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
}

/// The position with a move made, until the server has answered.
export function madeMove(view, move) {
  const stays = (cell) => ['star', 'forbidden', 'barred', null].includes(cell[4]);
  const cells = view.cells.map((cell) => (stays(cell) ? cell : [...cell.slice(0, 4), null]));
  for (const [index, place] of move.effect) cells[index] = place;
  return cells;
}

/// Why a point is forbidden, with its name.
const whyForbidden = ({ letters, reason }) => (reason.startsWith(`${letters} `) ? reason : `${letters}: ${reason}`);

/// Says why nothing can be done at a place, or with the piece of another place there. What the side to move cannot do
/// the rules say.
export async function sayWhy(view, question, place, from = null) {
  const point = view.forbidden.find((one) => one.at === place);
  if (point) {
    say(`${whyForbidden(point)}.`);
    return;
  }
  if (view.result) return;
  // What goes from place to place is picked up before.
  const reached = view.legal.some((move) => move.to.includes(place));
  if (from === null && view.legal.some((move) => move.from.length)) {
    if (!view.cells[place][0] && !reached) say(t('No piece reaches this place.'));
    return;
  }
  const move = moveTo(view, place, from);
  if (move === null) return;
  const before = at('status').textContent;
  const made = position({ ...question, moves: [...question.moves, move] });
  const error = await made.then(() => null, (refused) => refused);
  if (error?.at !== undefined && at('status').textContent === before) say(`${error.message}.`);
}

/// Says why a point is forbidden, to whoever is not to move.
export function sayForbidden(view, place) {
  const point = view.forbidden.find((one) => one.at === place);
  if (point) say(`${whyForbidden(point)}.`);
}

/// For how long a press can be confirmed, in milliseconds.
const SURE = 4000;

/// Lets a button do what cannot be taken back: at the second press, while it asks whether that is wanted.
export function bindSure(button, act) {
  const plain = button.textContent;
  let waits = null;
  const calm = () => {
    clearTimeout(waits);
    waits = null;
    button.textContent = plain;
  };
  button.addEventListener('click', () => {
    if (waits !== null) {
      calm();
      act();
      return;
    }
    button.textContent = button.dataset.really;
    waits = setTimeout(calm, SURE);
  });
}

/// Does what keys are for, where they are not typed into something. `acts` gives what each does.
export function bindKeys(acts) {
  addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches('input, select, textarea')) return;
    const act = acts()?.[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
