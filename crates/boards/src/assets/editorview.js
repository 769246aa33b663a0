// The panel that puts a position together, on the board itself.

import { element } from './board.js';
import {
  brush, changed, cleared, drawnCells, editable, fromView, hasDominoes, presses, resized, stroke, toText,
} from './editor.js';
import { position as positionOf } from './server.js';
import { t } from './words.js';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];
/// The most changes that can be taken back.
const MAX_STEPS = 500;

/// The panel in `host`. `owner` has: open(), changed(), started(text, game).
export function editorView(host, owner) {
  let position = null;
  let view = null;
  let tool = 'piece 0';
  let weight = 1;
  let asked = 0;
  /// The positions before the changes, and those that were taken back.
  let [done, undone] = [[], []];
  /// The tool of the drag that goes on, and whether it has changed anything.
  let [drags, begun] = [null, false];

  const button = (words, act, more = {}) => {
    const made = element('button', { type: 'button', ...more }, words);
    made.addEventListener('click', act);
    return made;
  };

  /// Changes the position; `joined` to the change before, which is taken back with it.
  function put(next, joined = false) {
    if (!joined) done = [...done, position].slice(-MAX_STEPS);
    undone = [];
    set(next);
  }

  function set(next) {
    position = next;
    owner.changed();
    show();
    judge();
  }

  /// Asks the rules what they say of the position.
  async function judge() {
    const mine = ++asked;
    const text = toText(position);
    let words;
    try {
      const answer = await positionOf({ game: position.game, position: text });
      const forbidden = answer.forbidden.map((point) => point.letters).join(' ');
      words = t('{seat} to move.', { seat: answer.seats[answer.turn ?? position.turn] });
      if (answer.result) words = t('The game is over: {reason}.', answer.result);
      if (forbidden) words += ` ${t('Forbidden: {points}.', { points: forbidden })}`;
    } catch (error) {
      words = error.message;
    }
    if (mine !== asked) return;
    host.querySelector('.verdict-text').textContent = words;
    host.querySelector('.position-text').value = text;
  }

  function show() {
    const { game, turn, rows, columns } = position;
    const seats = view.seats;
    const choice = (name, words) =>
      button(words, () => {
        tool = name;
        owner.changed();
        show();
      }, { 'aria-pressed': String(tool === name) });
    const tools = element('div', { class: 'actions', role: 'group', 'aria-label': t('what a press puts') });
    tools.append(choice('piece 0', seats[0]), choice('piece 1', seats[1]), choice('erase', t('Erase')));
    const more = element('div', { class: 'actions' });
    if (hasDominoes(game)) {
      const field = element('input', { type: 'number', min: 0, max: 99, value: weight, 'aria-label': t('weight') });
      field.addEventListener('change', () => {
        weight = Math.max(0, Math.min(99, Number(field.value) || 0));
        tool = `weight ${weight}`;
        owner.changed();
        show();
      });
      tools.append(choice(`weight ${weight}`, t('Weight')), field);
      for (const [name, count, make] of [
        [t('rows'), rows, (n) => resized(position, n, columns)],
        [t('columns'), columns, (n) => resized(position, rows, n)],
      ]) {
        const size = element('select', { 'aria-label': name });
        size.append(...SIZES.map((n) => element('option', { value: n, ...(n === count ? { selected: '' } : {}) }, n)));
        size.addEventListener('change', () => put(make(Number(size.value))));
        more.append(element('label', {}, `${name} `, size));
      }
    }
    more.append(
      button(t('{seat} to move', { seat: seats[turn] }), () => put({ ...position, turn: 1 - turn }), { class: 'turn' }),
      button(t('Clear'), () => put(cleared(position))),
      button(t('Start here'), () => owner.started(toText(position), game), { class: 'primary start' }),
    );
    const verdict = host.querySelector('.verdict-text') ?? element('p', { class: 'verdict-text', role: 'status' });
    const label = t('the position as text');
    const readable = { type: 'text', class: 'position-text wide', readonly: '', 'aria-label': label };
    const text = host.querySelector('.position-text') ?? element('input', readable);
    host.replaceChildren(tools, more, verdict, text);
  }

  return {
    open: () => position !== null && owner.open(),
    /// Begins with the position that is shown, or goes on where it was left.
    begin(shown) {
      if (position && view === shown) {
        set(position);
        return;
      }
      position = null;
      [done, undone] = [[], []];
      if (!editable(shown.game)) {
        host.replaceChildren(element('p', {}, t('Positions of this game are given as text: load one.')));
        return;
      }
      view = shown;
      tool = 'piece 0';
      set(fromView(shown));
    },
    /// What can be taken back, and made again, in words.
    steps: () => ({
      undo: done.length ? t('a change of the position') : null,
      redo: undone.length ? t('a change of the position') : null,
    }),
    /// Takes a change back, or makes it again.
    step(way) {
      const [from, to] = way === 'undo' ? [done, undone] : [undone, done];
      if (!from.length) return;
      to.push(position);
      set(from.pop());
    },
    /// A place that a drag comes over.
    painted(at, first) {
      if (first) [drags, begun] = [brush(position, tool, at), false];
      const effect = stroke(position, drags, at);
      if (!effect.length) return;
      put(changed(position, effect), begun);
      begun = true;
    },
    shape: (shown) => ({ ...shown, rows: position.rows, columns: position.columns }),
    state: () => ({
      cells: drawnCells(position),
      label: t('board, a position is set up'),
      moves: presses(position, tool),
    }),
    pressed: (press) => put(changed(position, press.effect)),
  };
}
