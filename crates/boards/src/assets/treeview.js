// The tree of moves on the page: of its rows only those near the window of the list are in the document.

import { element } from './board.js';
import { rowsOf } from './rows.js';
import { t } from './words.js';

/// The room between two moves, and around one.
const MARGIN = 14;
/// Rows drawn above and below what is seen.
const BEYOND = 8;

/// Shows a tree in `host`. `marked` returns [sign, class] of what a review found of a node, or null, `meaning` what
/// that says in words; `chosen` gets the node that is clicked, `folded` one whose variation is to be folded or
/// unfolded.
export function treeView(host, { marked, meaning, chosen, folded }) {
  const sizer = element('div', { class: 'rows' });
  host.replaceChildren(sizer);
  const pen = document.createElement('canvas').getContext('2d');
  const widths = new Map();
  let [rows, byNode, root, node] = [[], new Map(), null, null];
  let seen = [0, 0];
  let asked = null;

  function measure(text) {
    let width = 0;
    for (const sign of text) {
      if (!widths.has(sign)) widths.set(sign, pen.measureText(sign).width);
      width += widths.get(sign);
    }
    return width + MARGIN;
  }

  const height = () => Number.parseFloat(getComputedStyle(sizer).getPropertyValue('--row')) || 28;

  const wrongOf = (one) => (one.parent && !one.glyphs.length ? marked(one) : null);

  function word({ node: one, text }) {
    const wrong = wrongOf(one);
    const closing = text.match(/\)*$/)[0];
    const words = text.slice(0, text.length - closing.length);
    const button = element('button', { type: 'button', class: `quiet ${wrong ? wrong[1] : ''}` });
    button.textContent = words.replace(/^\(+/, '') + (wrong ? wrong[0] : '');
    if (wrong) button.title = meaning(one);
    if (one === node) button.setAttribute('aria-current', 'step');
    button.addEventListener('click', () => chosen(one));
    if (!words.startsWith('(')) return [button, closing, ' '];
    const fold = element('button', { type: 'button', class: 'quiet fold', 'aria-expanded': String(!one.folded) });
    fold.setAttribute('aria-label', one.folded ? t('unfold the variation') : t('fold the variation'));
    fold.textContent = '(';
    fold.addEventListener('click', () => folded(one));
    return [fold, button, closing, ' '];
  }

  function drawRow(row, at) {
    const line = element('div', { class: `row ${row.depth ? 'variation' : ''}` });
    line.style.top = `${at * height()}px`;
    line.style.paddingLeft = `${0.8 * row.depth}em`;
    if (row.note) {
      const { name, text } = row.note;
      const note = element('button', { type: 'button', class: 'quiet note', title: text });
      const named = row.first && name && row.text.startsWith(name);
      if (named) note.append(element('strong', {}, name));
      note.append(named ? row.text.slice(name.length) : row.text);
      note.addEventListener('click', () => chosen(row.note));
      line.append(note, ' ');
    } else line.append(...row.words.flatMap(word));
    return line;
  }

  function draw() {
    asked = null;
    const step = height();
    const first = Math.max(0, Math.floor(host.scrollTop / step) - BEYOND);
    const last = Math.min(rows.length, Math.ceil((host.scrollTop + host.clientHeight) / step) + BEYOND);
    seen = [first, last];
    sizer.style.height = `${rows.length * step}px`;
    sizer.replaceChildren(...rows.slice(first, last).map((row, n) => drawRow(row, first + n)));
  }

  host.addEventListener('scroll', () => {
    const step = height();
    const [first, last] = [host.scrollTop / step, (host.scrollTop + host.clientHeight) / step];
    const far = first - seen[0] < BEYOND / 2 && seen[0] > 0;
    if (far || (seen[1] - last < BEYOND / 2 && seen[1] < rows.length)) asked ??= requestAnimationFrame(draw);
  }, { passive: true });

  function layOut() {
    if (!root) return;
    // The shorthand `font` is empty where the page sets something that it cannot say, such as ligatures.
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(sizer);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const width = Math.max(120, host.clientWidth - 24);
    rows = rowsOf(root, { width, indent: 15, measure, margin: MARGIN, sign: (one) => wrongOf(one)?.[0] ?? '' });
    byNode = new Map();
    rows.forEach((row, at) => row.words?.forEach((one) => byNode.set(one.node, at)));
  }

  let laidFor = host.clientWidth;
  new ResizeObserver(() => {
    if (host.clientWidth === laidFor || !root) return;
    laidFor = host.clientWidth;
    layOut();
    draw();
  }).observe(host);

  return {
    /// Shows a tree with the node on the board. `changed` is whether its moves or texts are other than before.
    show(nextRoot, nextNode, changed = true) {
      const other = nextRoot !== root;
      [root, node] = [nextRoot, nextNode];
      if (changed || other) layOut();
      const at = byNode.get(node);
      const step = height();
      sizer.style.height = `${rows.length * step}px`;
      // A node in a folded variation has no row.
      if (at !== undefined) {
        const hidden = at * step < host.scrollTop || (at + 1) * step > host.scrollTop + host.clientHeight;
        if (hidden) host.scrollTop = at * step - host.clientHeight / 2;
      }
      draw();
    },
    /// Draws again what is seen, after marks have changed.
    draw() {
      layOut();
      draw();
    },
    rows: () => rows.length,
  };
}
