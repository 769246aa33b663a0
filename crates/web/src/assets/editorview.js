// The panel that puts a position together, on the board itself.

import { element } from './board.js';
import { changed, cleared, drawnCells, editable, fromView, hasDominoes, presses, resized, toText } from './editor.js';
import { ask } from './server.js';

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];

/// The panel in `host`. `owner` has: open(), changed(), started(text, game).
export function editorView(host, owner) {
  let position = null;
  let view = null;
  let tool = 'piece 0';
  let weight = 1;
  let asked = 0;

  const button = (words, act, more = {}) => {
    const made = element('button', { type: 'button', ...more }, words);
    made.addEventListener('click', act);
    return made;
  };

  function put(next) {
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
      const answer = await (await ask('/api/v1/position', { game: position.game, position: text })).json();
      const over = answer.result ? ` The game is over: ${answer.result.reason}.` : '';
      const forbidden = answer.forbidden.map((point) => point.letters).join(' ');
      words = `${answer.seats[answer.turn ?? position.turn]} to move.${over}`;
      if (answer.result) words = over.trim();
      if (forbidden) words += ` Forbidden: ${forbidden}.`;
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
    const tools = element('div', { class: 'actions', role: 'group', 'aria-label': 'what a press puts' });
    tools.append(choice('piece 0', seats[0]), choice('piece 1', seats[1]), choice('erase', 'Erase'));
    const more = element('div', { class: 'actions' });
    if (hasDominoes(game)) {
      const field = element('input', { type: 'number', min: 0, max: 99, value: weight, 'aria-label': 'weight' });
      field.addEventListener('change', () => {
        weight = Math.max(0, Math.min(99, Number(field.value) || 0));
        tool = `weight ${weight}`;
        owner.changed();
        show();
      });
      tools.append(choice(`weight ${weight}`, 'Weight'), field);
      for (const [name, count, make] of [
        ['rows', rows, (n) => resized(position, n, columns)],
        ['columns', columns, (n) => resized(position, rows, n)],
      ]) {
        const size = element('select', { 'aria-label': name });
        size.append(...SIZES.map((n) => element('option', { value: n, ...(n === count ? { selected: '' } : {}) }, n)));
        size.addEventListener('change', () => put(make(Number(size.value))));
        more.append(element('label', {}, `${name} `, size));
      }
    }
    more.append(
      button(`${seats[turn]} to move`, () => put({ ...position, turn: 1 - turn }), { class: 'turn' }),
      button('Clear', () => put(cleared(position))),
      button('Start here', () => owner.started(toText(position), game), { class: 'primary start' }),
    );
    const verdict = host.querySelector('.verdict-text') ?? element('p', { class: 'verdict-text', role: 'status' });
    const readable = { type: 'text', class: 'position-text wide', readonly: '', 'aria-label': 'the position as text' };
    const text = host.querySelector('.position-text') ?? element('input', readable);
    host.replaceChildren(tools, more, verdict, text);
  }

  return {
    open: () => position !== null && owner.open(),
    /// Begins with the position that is shown.
    begin(shown) {
      position = null;
      if (!editable(shown.game)) {
        host.replaceChildren(element('p', {}, 'Positions of this game are given as text: load one.'));
        return;
      }
      view = shown;
      tool = 'piece 0';
      put(fromView(shown));
    },
    shape: (shown) => ({ ...shown, rows: position.rows, columns: position.columns }),
    state: () => ({
      cells: drawnCells(position),
      label: 'board, a position is set up',
      moves: presses(position, tool),
    }),
    pressed: (press) => put(changed(position, press.effect)),
  };
}
