// Draws what is thought of the positions of a game as a curve: above the middle the first seat is ahead. What lies
// below the curve is filled, so that an even game is half a field and not an empty one. Points may come in any order,
// while the curve is shown. A point: { ply, value: number|null, wins: 0|1|null, text }.

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT, EDGE] = [600, 150, 10];

/// The value that lies half-way between the middle and the edge.
const HALF = 6;

function draw(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/// Puts an empty curve into an element. It is a slider over the plies, for keys and screen readers too: `show` is
/// called with the ply that is chosen; `opening` is how many moves came before the first. Returns functions: `add`
/// takes a point, `at` marks the ply that is shown.
export function curve(host, { label, words: said = {}, opening = 0, show }) {
  const points = new Map();
  let [now, plies] = [0, 0];
  const svg = draw('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    class: 'curve',
    role: 'slider',
    tabindex: 0,
    'aria-label': label,
    'aria-valuemin': 0,
  });
  const area = draw('path', { class: 'area' });
  const middle = draw('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'middle' });
  const line = draw('polyline', { class: 'line' });
  const wins = draw('g', { class: 'wins' });
  const mark = draw('line', { y1: 0, y2: HEIGHT, class: 'now' });
  svg.append(area, middle, line, wins, mark);
  const words = document.createElement('p');
  words.className = 'curve-words';
  host.replaceChildren(svg, words);

  const x = (ply) => EDGE + (ply / Math.max(1, plies)) * (WIDTH - 2 * EDGE);
  const share = ({ value, wins }) => (value === null ? 1 - 2 * wins : value / (Math.abs(value) + HALF));
  const y = (point) => HEIGHT / 2 - share(point) * (HEIGHT / 2 - EDGE);

  function showPoint() {
    const point = points.get(now);
    const after = (said.after ?? 'after {ply}').replace('{ply}', opening + now);
    words.textContent = `${now === 0 ? said.start ?? 'start' : after}: ${point ? point.text : '…'}`;
    svg.setAttribute('aria-valuemax', plies);
    svg.setAttribute('aria-valuenow', now);
    svg.setAttribute('aria-valuetext', words.textContent);
    mark.setAttribute('x1', x(now));
    mark.setAttribute('x2', x(now));
  }

  let waiting = false;
  function drawn() {
    waiting = false;
    const all = [...points.values()].sort((a, b) => a.ply - b.ply);
    const path = all.map((point) => `${x(point.ply).toFixed(1)},${y(point).toFixed(1)}`);
    line.setAttribute('points', path.join(' '));
    area.setAttribute('d', all.length > 1
      ? `M${x(all[0].ply)},${HEIGHT}L${path.join('L')}L${x(all.at(-1).ply)},${HEIGHT}Z` : '');
    wins.replaceChildren(...all.filter((point) => point.wins !== null).map((point) =>
      draw('circle', { cx: x(point.ply), cy: y(point), r: 3 })));
    showPoint();
  }

  function nearest(ply) {
    const nearer = (best, known) => (Math.abs(known - ply) < Math.abs(best - ply) ? known : best);
    return [...points.keys()].reduce(nearer, 0);
  }
  function choose(event) {
    const { left, width } = svg.getBoundingClientRect();
    const ply = (((event.clientX - left) / width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE) * plies;
    show(nearest(Math.max(0, Math.min(plies, ply))));
  }
  svg.addEventListener('pointerdown', (event) => {
    svg.setPointerCapture(event.pointerId);
    choose(event);
  });
  svg.addEventListener('pointermove', (event) => {
    if (svg.hasPointerCapture(event.pointerId)) choose(event);
  });
  svg.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const known = [...points.keys()].sort((a, b) => a - b);
    const place = known.indexOf(nearest(now));
    const next = {
      ArrowLeft: place - 1,
      ArrowDown: place - 1,
      ArrowRight: place + 1,
      ArrowUp: place + 1,
      PageDown: place - 10,
      PageUp: place + 10,
      Home: 0,
      End: known.length - 1,
    }[event.key];
    if (next === undefined || known.length === 0) return;
    event.preventDefault();
    show(known[Math.max(0, Math.min(known.length - 1, next))]);
  });
  showPoint();
  return {
    add(point) {
      points.set(point.ply, point);
      plies = Math.max(plies, point.ply);
      // Kept points come all at once.
      if (!waiting) requestAnimationFrame(drawn);
      waiting = true;
    },
    at(ply) {
      now = ply;
      showPoint();
    },
  };
}
