// The replay of a game, and with it what the champion thinks of every position: a bar beside the board, and a curve.
// It is asked for at once, since a game has one curve, which is kept; a site that is busy says so, and has a button.

import './share.js';
import './viewer.js';
import { curve } from './curve.js';

const box = document.getElementById('evaluation');
const host = document.getElementById('game');
const words = document.createElement('p');
words.className = 'faint';
words.setAttribute('role', 'status');
const button = document.createElement('button');
button.type = 'button';
button.textContent = box?.dataset.ask ?? '';

const SVG = 'http://www.w3.org/2000/svg';
/// The lead that counts as half a win.
const HALF = 6;

/// The bar beside the board: how far the first seat is ahead.
function bar() {
  const svg = document.createElementNS(SVG, 'svg');
  const part = document.createElementNS(SVG, 'rect');
  svg.setAttribute('viewBox', '0 0 10 100');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('class', 'eval-bar');
  svg.setAttribute('aria-hidden', 'true');
  const ground = document.createElementNS(SVG, 'rect');
  const chips = [...host.querySelectorAll('.players .chip')].map((chip) => chip.classList[1]);
  for (const [rect, name] of [[ground, chips[1]], [part, chips[0]]]) {
    rect.setAttribute('width', 10);
    rect.setAttribute('height', 100);
    rect.setAttribute('class', `f-${name}`);
  }
  const middle = document.createElementNS(SVG, 'line');
  for (const [name, value] of [['x1', 0], ['x2', 10], ['y1', 50], ['y2', 50]]) middle.setAttribute(name, value);
  svg.append(ground, part, middle);
  host.querySelector('.board').prepend(svg);
  return (point) => {
    const share = point.value === null ? 1 - 2 * point.wins : point.value / (Math.abs(point.value) + HALF);
    // A little of both colours is left: a bar of one would be lost in the page.
    const height = Math.min(97, Math.max(3, 50 + 50 * share));
    part.setAttribute('height', height.toFixed(1));
    part.setAttribute('y', (100 - height).toFixed(1));
  };
}

// The viewer has shown its first position already.
let shown = Number.parseInt(host.dataset.shown, 10) || 0;
let [drawn, level] = [null, null];
const points = new Map();

/// The newest known point up to the ply that is shown.
function levelled() {
  const known = points.get(shown);
  if (known) level?.(known);
}

const link = document.getElementById('share-link');
const picture = document.getElementById('share-picture');
host.addEventListener('ply', (event) => {
  shown = event.detail;
  drawn?.at(shown);
  levelled();
  if (link) link.value = `${link.dataset.address}?ply=${shown}`;
  picture?.setAttribute('href', `${location.pathname}/picture.png?ply=${shown}`);
});
link?.addEventListener('focus', () => link.select());

function evaluate() {
  button.remove();
  words.textContent = box.dataset.thinks;
  box.replaceChildren(words);
  const events = new EventSource(box.dataset.events);
  const place = document.createElement('div');
  let found = 0;
  events.addEventListener('meaning', (event) => {
    const { meaning } = JSON.parse(event.data);
    box.replaceChildren(place, words);
    words.textContent = meaning;
    found = 0;
    const said = JSON.parse(box.dataset.words);
    drawn = curve(place, {
      label: box.dataset.label,
      words: said,
      opening: Number(host.dataset.opening),
      show: (to) => (location.hash = `#ply=${to}`),
    });
    level ??= bar();
    drawn.at(shown);
  });
  events.addEventListener('point', (event) => {
    const point = JSON.parse(event.data);
    found += 1;
    points.set(point.ply, point);
    drawn.add(point);
    if (point.ply === shown) levelled();
  });
  events.addEventListener('end', () => events.close());
  const broken = () => {
    events.close();
    box.replaceChildren(...(found > 0 ? [place] : []), button, words);
    words.textContent = found > 0 ? box.dataset.broken : '';
  };
  events.addEventListener('gone', broken);
  events.addEventListener('error', broken);
  addEventListener('pagehide', () => events.close(), { once: true });
}

button.addEventListener('click', evaluate);
// A game without a move has no curve.
if (box) evaluate();
