// The comment, the signs and the drawings of the move on the board.

import { element } from './board.js';
import { JUDGEMENTS, SIGNS, TONES, TOOLS, chosen, drawing, drawn, toneOf } from './notes.js';
import { t } from './words.js';

const at = (id) => document.getElementById(id);
/// After how many milliseconds without a key a comment is kept.
const PAUSE_MS = 600;
const NAMES = {
  circle: t('circle'),
  square: t('square'),
  triangle: t('triangle'),
  cross: t('cross'),
  label: t('label'),
  green: t('green'),
  red: t('red'),
  blue: t('blue'),
  yellow: t('yellow'),
};
const FACES = { circle: '○', square: '□', triangle: '△', cross: '×', label: 'A' };

/// The panel. `owner` has: set(field, value, words), redraw().
export function notePanel(owner) {
  let node = null;
  let [draws, tool, tone] = [false, 'circle', 'green'];
  let timer = null;
  const buttons = (list) =>
    list.map(([sign, words]) => {
      const button = element('button', { type: 'button', class: 'small', 'data-sign': sign, 'aria-pressed': 'false' });
      button.textContent = sign;
      button.title = words;
      button.setAttribute('aria-label', words);
      const press = () => owner.set('glyphs', chosen(node.glyphs, sign), t('sign {sign}', { sign }));
      button.addEventListener('click', press);
      return button;
    });
  at('signs').replaceChildren(...buttons(SIGNS), ...buttons(JUDGEMENTS));

  const pick = (words, face, act, is) => {
    const button = element('button', { type: 'button', class: 'small', 'aria-label': words, title: words }, face);
    button.addEventListener('click', () => {
      act();
      showTools();
    });
    return [button, is];
  };
  const tools = [
    ...TOOLS.map((name) => pick(NAMES[name], FACES[name], () => (tool = name), () => tool === name)),
    ...TONES.map((name) => pick(NAMES[name], '', () => (tone = name), () => tone === name)),
  ];
  TONES.forEach((name, n) => tools[TOOLS.length + n][0].classList.add('swatch', `tone-${name}`));
  const letters = { type: 'text', maxlength: 8, size: 4, 'aria-label': NAMES.label, placeholder: 'A, B …' };
  const typed = element('input', letters);
  typed.addEventListener('input', () => {
    tool = 'label';
    showTools();
  });
  const clear = element('button', { type: 'button', class: 'small' }, t('Clear'));
  clear.addEventListener('click', () => node.shapes.length && owner.set('shapes', [], t('clear the drawing')));
  at('tools').replaceChildren(...tools.map(([button]) => button), typed, clear);

  function showTools() {
    for (const [button, is] of tools) button.setAttribute('aria-pressed', String(is()));
    at('tools').hidden = !draws;
    at('draw').setAttribute('aria-pressed', String(draws));
  }

  /// Keeps what was typed.
  function commit() {
    clearTimeout(timer);
    timer = null;
    const text = at('comment').value;
    if (node && text !== node.text) owner.set('text', text, t('comment'));
  }
  at('comment').addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(commit, PAUSE_MS);
  });
  at('comment').addEventListener('change', commit);
  showTools();

  return {
    drawing: () => draws,
    toggle() {
      draws = !draws;
      showTools();
      owner.redraw();
    },
    /// Draws between two places, as the tool or the keys say.
    marked(from, to, event) {
      const byKeys = !draws || event.button === 2;
      const [what, colour] = byKeys ? ['circle', toneOf(event)] : [tool, tone];
      const shape = drawing(node.shapes, what, colour, from, to, typed.value.trim());
      owner.set('shapes', drawn(node.shapes, shape), t('drawing'));
    },
    /// Shows what there is of a node.
    show(next) {
      if (next !== node) {
        if (timer) commit();
        node = next;
        at('comment').value = node.text;
      } else if (document.activeElement !== at('comment')) at('comment').value = node.text;
      for (const button of at('signs').children)
        button.setAttribute('aria-pressed', String(node.glyphs.includes(button.dataset.sign)));
    },
  };
}
