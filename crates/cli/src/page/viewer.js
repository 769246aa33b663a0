// Draws a recorded game on its board. The page holds the positions as changes from one to the next, so nothing here
// knows the rules of any game.
//
// A game: { seats, names, rows, columns, origin, crossings, cells, gauges, steps, result }
// A cell: [owner 0|1|2, glyph, weight|null, joins [rows, columns]|null, mark]
// A step: { side, move, ms, cells: [[index, cell]…], gauges: [[name, first, second]…], clocks: [ms, ms] }

const SVG = 'http://www.w3.org/2000/svg';
const CELL = 40;
const BORDER = 30;
const SIDES = ['#1f6fb2', '#c4473a'];
const STONES = ['#222', '#fff'];
const TINTS = { placed: '#ffe28a', captured: '#fff3cd', vacated: '#eeeae0', burst: '#ffb3a8', corpse: '#ddd8cc' };

function element(name, attributes, ...children) {
  const node = name.startsWith('svg:')
    ? document.createElementNS(SVG, name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const text = (x, y, content, attributes) =>
  element('svg:text', { x, y, 'text-anchor': 'middle', 'font-size': 12, fill: '#3a3a3a', ...attributes }, String(content));

function lines(game) {
  const group = element('svg:g', { stroke: game.crossings ? '#6b5a34' : '#b9b4a7' });
  const inset = game.crossings ? CELL / 2 : 0;
  const [left, top] = [BORDER + inset, BORDER + inset];
  const [right, bottom] = [BORDER + game.columns * CELL - inset, BORDER + game.rows * CELL - inset];
  const line = (x1, y1, x2, y2) => group.append(element('svg:line', { x1, y1, x2, y2 }));
  for (let y = top; y <= bottom; y += CELL) line(left, y, right, y);
  for (let x = left; x <= right; x += CELL) line(x, top, x, bottom);
  return group;
}

function labels(game) {
  const group = element('svg:g');
  const middle = (n) => BORDER + n * CELL + CELL / 2;
  for (let row = 0; row < game.rows; row++) {
    group.append(text(BORDER / 2, middle(row) + 4, row + game.origin));
    if (game.crossings) group.append(text(BORDER * 1.5 + game.columns * CELL, middle(row) + 4, game.rows - row));
  }
  for (let column = 0; column < game.columns; column++) {
    group.append(text(middle(column), BORDER - 10, column + game.origin));
    if (game.crossings)
      group.append(text(middle(column), BORDER + game.rows * CELL + 18, String.fromCharCode(65 + (column % 26))));
  }
  return group;
}

function place(game, [owner, glyph, weight, joins, mark], index) {
  const group = element('svg:g');
  const [row, column] = [Math.floor(index / game.columns), index % game.columns];
  const [left, top] = [BORDER + column * CELL, BORDER + row * CELL];
  const [x, y] = [left + CELL / 2, top + CELL / 2];
  if (!game.crossings && !joins && TINTS[mark])
    group.append(element('svg:rect', { x: left + 1, y: top + 1, width: CELL - 2, height: CELL - 2, fill: TINTS[mark] }));
  if (owner && joins) {
    const [down, right] = joins;
    if (down > 0 || right > 0)
      group.append(
        element('svg:rect', {
          x: left + 4,
          y: top + 4,
          width: CELL * (right > 0 ? 2 : 1) - 8,
          height: CELL * (down > 0 ? 2 : 1) - 8,
          rx: 7,
          fill: SIDES[owner - 1],
          stroke: mark === 'placed' ? '#3a3a3a' : 'none',
          'stroke-width': 3,
        }),
      );
  } else if (owner) {
    const fill = (game.crossings ? STONES : SIDES)[owner - 1];
    group.append(
      element('svg:circle', { cx: x, cy: y, r: CELL * 0.4, fill, stroke: game.crossings ? '#3a3a3a' : 'none' }),
    );
    if (game.crossings && mark === 'placed') group.append(element('svg:circle', { cx: x, cy: y, r: 4, fill: SIDES[1] }));
    if (/\d/.test(glyph)) group.append(text(x, y + 5, glyph, { fill: '#fff', 'font-size': 15 }));
  } else if (mark === 'star') {
    group.append(element('svg:circle', { cx: x, cy: y, r: 4, fill: '#6b5a34' }));
  } else if (mark === 'forbidden') {
    const d = `M${x - 7} ${y - 7}l14 14m0 -14l-14 14`;
    group.append(element('svg:path', { d, stroke: SIDES[1], 'stroke-width': 3, fill: 'none' }));
  } else if (mark === 'corpse') {
    group.append(element('svg:circle', { cx: x, cy: y, r: 8, fill: 'none', stroke: '#3a3a3a' }));
  }
  if (weight !== null) group.append(text(x, y + 5, weight, { fill: owner ? '#fff' : '#3a3a3a', 'font-size': 15 }));
  return group;
}

function bars(game, gauges) {
  return gauges.map(([name, first, second]) => {
    const share = first + second > 0 ? (100 * first) / (first + second) : 50;
    const bar = element('div', { class: 'gauge', style: `--share: ${share}%` });
    bar.append(element('span', {}, `${game.seats[0]} ${first} ${name}`), element('span', {}, `${game.seats[1]} ${second} ${name}`));
    return bar;
  });
}

/// Puts a game into an element, with buttons, a slider and the arrow keys to go through it.
export function mount(host, game) {
  let at = 0;
  const positions = [{ cells: game.cells, gauges: game.gauges }];
  for (const step of game.steps) {
    const cells = positions.at(-1).cells.slice();
    for (const [index, cell] of step.cells) cells[index] = cell;
    positions.push({ cells, gauges: step.gauges });
  }
  const last = positions.length - 1;
  const board = element('div', { class: 'board' });
  const status = element('p', { class: 'status', 'aria-live': 'polite' });
  const slider = element('input', { type: 'range', min: 0, max: last, 'aria-label': 'move' });
  const moves = element('ol', { class: 'moves' });
  game.steps.forEach((step, index) => {
    const item = element('li', { class: `side${step.side}` }, step.move);
    item.addEventListener('click', () => show(index + 1));
    moves.append(item);
  });

  function show(next) {
    at = Math.max(0, Math.min(last, next));
    const { cells, gauges } = positions[at];
    const [width, height] = [BORDER * 2 + game.columns * CELL, BORDER * 2 + game.rows * CELL];
    const svg = element('svg:svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
    svg.append(element('svg:rect', { width, height, fill: game.crossings ? '#e6c78c' : '#fbfaf7' }));
    svg.append(lines(game), labels(game), ...cells.map((cell, index) => place(game, cell, index)));
    board.replaceChildren(svg, ...bars(game, gauges));
    slider.value = at;
    const step = game.steps[at - 1];
    const clocks = step?.clocks ? `, clocks ${step.clocks.map((ms) => (ms / 1000).toFixed(2) + ' s').join(' and ')}` : '';
    status.textContent = step
      ? `${at} of ${last}: ${game.seats[step.side]} ${step.move} in ${step.ms} ms${clocks}`
      : `the start, ${last} to come`;
    if (at === last) status.textContent += `. ${game.result}`;
    [...moves.children].forEach((item, index) => item.classList.toggle('now', index === at - 1));
    const now = moves.children[at - 1];
    if (now) moves.scrollTop = now.offsetTop - moves.offsetTop - moves.clientHeight / 2;
  }

  const buttons = [
    ['«', 'start', () => show(0)],
    ['‹', 'back', () => show(at - 1)],
    ['›', 'on', () => show(at + 1)],
    ['»', 'end', () => show(last)],
  ].map(([sign, title, act]) => {
    const button = element('button', { type: 'button', title }, sign);
    button.addEventListener('click', act);
    return button;
  });
  slider.addEventListener('input', () => show(Number(slider.value)));
  host.addEventListener('keydown', (event) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.target === slider) return;
    event.preventDefault();
    show(to);
  });
  host.tabIndex = 0;
  host.replaceChildren(board, element('div', { class: 'controls' }, ...buttons, slider), status, moves);
  show(last);
}
