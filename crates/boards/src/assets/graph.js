// The evaluation over the line on the board.

import { element } from './board.js';
import { t } from './words.js';

const [WIDTH, HEIGHT, EDGE] = [560, 110, 6];

/// Draws it: `points` has { ply, share, wrong } of those plies of `count` whose value is known, `seat` is the first
/// side, `here` the ply on the board; `chosen` gets the ply that is clicked.
export function drawGraph(host, { points, count, here, seat, chosen }) {
  if (points.length < 2) {
    host.replaceChildren();
    return;
  }
  const x = (ply) => EDGE + ((WIDTH - 2 * EDGE) * ply) / Math.max(1, count - 1);
  const y = (share) => EDGE + (HEIGHT - 2 * EDGE) * (1 - share);
  const svg = element('svg:svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    class: 'graph',
    'aria-label': t('{seat}’s winning chances after each move: {points}', {
      seat, points: points.map(({ ply, share }) => `${ply}: ${Math.round(100 * share)} %`).join(', '),
    }),
  });
  const line = points.map(({ ply, share }) => `${x(ply)},${y(share)}`);
  const [left, right] = [x(points[0].ply), x(points.at(-1).ply)];
  svg.append(
    element('svg:polygon', { points: `${left},${HEIGHT} ${line.join(' ')} ${right},${HEIGHT}` }),
    element('svg:line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    element('svg:polyline', { points: line.join(' ') }),
    element('svg:line', { x1: x(here), x2: x(here), y1: 0, y2: HEIGHT, class: 'here' }),
  );
  for (const { ply, share, wrong } of points)
    if (wrong) svg.append(element('svg:circle', { cx: x(ply), cy: y(share), r: 5, class: wrong }));
  svg.addEventListener('click', (event) => {
    const bounds = svg.getBoundingClientRect();
    const along = ((event.clientX - bounds.left) / bounds.width) * WIDTH - EDGE;
    const ply = Math.round(along / ((WIDTH - 2 * EDGE) / Math.max(1, count - 1)));
    chosen(Math.max(0, Math.min(count - 1, ply)));
  });
  host.replaceChildren(svg);
}
