// Why points are forbidden or allowed: the reasons in a list, and what each step is about on the board.

import { element } from './board.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);
/// The colours of lines that are shown at once.
const TONES = ['blue', 'green', 'red', 'yellow'];

/// What a step shows on a board: the stones that are put before, the line of a row, four or three, and the points
/// that make a five or a straight four.
function ofStep({ stones, goals }, tone) {
  const line = stones.length > 1 ? [{ kind: 'line', from: stones[0], to: stones.at(-1), tone }] : [];
  return [...line, ...goals.map((goal) => ({ kind: 'mark', at: goal, mark: 'triangle', tone }))];
}

/// What is shown of a point that is explained: one step, or all that is about the point itself.
export function shapesOf({ steps }, chosen = null) {
  const step = chosen === null ? null : steps[chosen];
  const shown = step ? [step] : steps.filter((one) => one.placed.length === 1 && one.stones.length > 2);
  const placed = (step ?? steps[0]).placed;
  // A three, and what raises it, are one line.
  const lines = [...new Set(shown.map((one) => one.stones.join()))];
  const tone = (one) => TONES[lines.indexOf(one.stones.join()) % TONES.length];
  const stones = placed.map((place, n) => ({ kind: 'number', at: place, text: `${n + 1}`, side: 0 }));
  const seen = new Set();
  const shapes = shown.flatMap((one) => ofStep(one, tone(one))).filter((shape) => {
    const key = JSON.stringify(shape);
    return !seen.has(key) && seen.add(key);
  });
  return [...shapes, ...stones];
}

/// Binds the button and the list. `owner` has: changed(), called when other shapes are to be drawn.
export function reasons(owner) {
  const [button, list] = [at('forbidden'), at('reasons')];
  let [view, point, step] = [null, null, null];

  function choose(next, nextStep = null) {
    [point, step] = [next, next ? nextStep : null];
    show();
    owner.changed();
  }

  /// The steps of a point, each a button.
  function stepsOf(one) {
    const items = one.steps.slice(0, -1).map((each, n) => {
      const pressed = { type: 'button', class: 'quiet', 'aria-pressed': String(n === step) };
      const words = element('button', pressed, each.text);
      words.addEventListener('click', () => choose(one, n === step ? null : n));
      const item = element('li', {}, words);
      item.style.paddingLeft = `${each.placed.length - 1}em`;
      return item;
    });
    return element('ol', { class: 'steps' }, ...items);
  }

  function show() {
    list.replaceChildren(
      ...(view?.explained ?? []).map((one) => {
        const open = one === point;
        const face = element('button', { type: 'button', class: 'quiet', 'aria-expanded': String(open) });
        face.textContent = one.steps.at(-1).text;
        face.addEventListener('click', () => choose(open ? null : one));
        return element('li', one.forbidden ? {} : { class: 'allowed' }, face, ...(open ? [stepsOf(one)] : []));
      }),
    );
    button.setAttribute('aria-expanded', String(!list.hidden));
  }

  button?.addEventListener('click', () => {
    list.hidden = !list.hidden;
    choose(null);
  });

  return {
    /// Shows another position: what was chosen is put away.
    show(next) {
      if (!button || view === next) return;
      [view, point, step] = [next, null, null];
      list.hidden = true;
      button.disabled = !next.explained?.length;
      button.title = button.disabled ? t('no point is forbidden here') : '';
      show();
    },
    /// Explains a place, if there is something to explain; returns whether there is.
    explain(place) {
      const found = view?.explained?.find((one) => one.at === place);
      if (!button || !found) return false;
      list.hidden = false;
      choose(found);
      return true;
    },
    shapes: () => (point ? shapesOf(point, step) : null),
  };
}
