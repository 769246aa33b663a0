// A board of any size: plain state in, differences drawn, moves out. It knows no rules: its owner says
// which moves there are, what they change and how a place looks. Colours are those of the style sheet.
//
// Its shape: { seats, rows, columns, origin, letter|null, crossings }.
// A place: [owner 0|1|2, glyph, weight|null, joins [rows, columns]|null, mark].
// A move: { from: [index…] that it can be picked up from, none if it is put from the hand; to: [index…] that it covers;
// effect: [[index, place]…], what it changes }, and whatever else its owner keeps in it.

const SVG = 'http://www.w3.org/2000/svg';
const CELL = 40;
const BORDER = 30;
/// Pixels that a pressed pointer moves before it drags.
const DRAG = 3;
/// The largest board whose places can be walked through by keys; that of a dish may have 65025.
const WALKED = 400;
const TINTED = ['placed', 'captured', 'vacated', 'burst', 'corpse'];
const WORDS = {
  placed: 'last move',
  captured: 'just captured',
  vacated: 'just left',
  forbidden: 'forbidden',
  corpse: 'corpse',
  burst: 'burst',
};

export function element(name, attributes, ...children) {
  const node = name.startsWith('svg:')
    ? document.createElementNS(SVG, name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const text = (x, y, content, name) => element('svg:text', { x, y, class: name }, String(content));
export const colour = (shape, side) => (shape.crossings ? 'stone' : 'side') + side;
export const chip = (shape, side) => element('i', { class: `chip ${colour(shape, side)}`, 'aria-hidden': 'true' });

/// What people call a place.
export function placeName(shape, index) {
  const [row, column] = [Math.floor(index / shape.columns), index % shape.columns];
  if (shape.letter) return String.fromCharCode(shape.letter.charCodeAt(0) + (column % 26)) + (shape.rows - row);
  return `row ${row + shape.origin}, column ${column + shape.origin}`;
}

function lines(shape) {
  const group = element('svg:g', { class: 'grid' });
  const inset = shape.crossings ? CELL / 2 : 0;
  const [left, top] = [BORDER + inset, BORDER + inset];
  const [right, bottom] = [BORDER + shape.columns * CELL - inset, BORDER + shape.rows * CELL - inset];
  const line = (x1, y1, x2, y2) => group.append(element('svg:line', { x1, y1, x2, y2 }));
  for (let y = top; y <= bottom; y += CELL) line(left, y, right, y);
  for (let x = left; x <= right; x += CELL) line(x, top, x, bottom);
  return group;
}

function labels(shape) {
  const group = element('svg:g', { class: 'labels' });
  const middle = (n) => BORDER + n * CELL + CELL / 2;
  for (let row = 0; row < shape.rows; row++) {
    group.append(text(BORDER / 2, middle(row) + 4, row + shape.origin));
    if (shape.letter) group.append(text(BORDER * 1.5 + shape.columns * CELL, middle(row) + 4, shape.rows - row));
  }
  for (let column = 0; column < shape.columns; column++) {
    group.append(text(middle(column), BORDER - 10, column + shape.origin));
    if (shape.letter) {
      const letter = String.fromCharCode(shape.letter.charCodeAt(0) + (column % 26));
      group.append(text(middle(column), BORDER + shape.rows * CELL + 18, letter));
    }
  }
  return group;
}

/// One place. A mark names the colour that it lies on, so that its contrast can be measured.
function place(shape, [owner, glyph, weight, joins, mark], index) {
  const group = element('svg:g');
  const put = (name, attributes) => group.append(element('svg:' + name, attributes));
  const [row, column] = [Math.floor(index / shape.columns), index % shape.columns];
  const [left, top] = [BORDER + column * CELL, BORDER + row * CELL];
  const [x, y] = [left + CELL / 2, top + CELL / 2];
  const piece = owner ? colour(shape, owner - 1) : '';
  const tinted = !shape.crossings && !joins && TINTED.includes(mark);
  if (tinted) put('rect', { x: left + 1, y: top + 1, width: CELL - 2, height: CELL - 2, class: `tint ${mark}` });
  if (owner && joins) {
    const [down, right] = joins;
    if (down > 0 || right > 0) {
      const area = (inset) => ({
        x: left + inset,
        y: top + inset,
        width: CELL * (right > 0 ? 2 : 1) - 2 * inset,
        height: CELL * (down > 0 ? 2 : 1) - 2 * inset,
      });
      put('rect', { ...area(4), rx: 7, class: piece });
      if (mark === 'placed') put('rect', { ...area(8), rx: 4, class: 'mark line light', 'data-on': piece });
    }
  } else if (owner) {
    put('circle', { cx: x, cy: y, r: CELL * 0.4, class: piece });
  }
  if (tinted && mark === 'placed') {
    const inner = { x: left + 2, y: top + 2, width: CELL - 4, height: CELL - 4 };
    put('rect', { ...inner, class: 'mark line', 'data-on': 'placed' });
  }
  if (shape.crossings && mark === 'placed')
    put('circle', { cx: x, cy: y, r: 6, class: `mark last${owner}`, 'data-on': piece });
  if (mark === 'captured' && owner) put('circle', { cx: x, cy: y, r: 6, class: 'mark light', 'data-on': piece });
  if (mark === 'vacated') put('circle', { cx: x, cy: y, r: 12, class: 'mark line dashed', 'data-on': 'vacated' });
  if (mark === 'forbidden')
    put('path', { d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14`, class: 'mark line forbidden', 'data-on': 'wood' });
  if (mark === 'burst') {
    const straight = `M${x} ${y - 19}v9m0 20v9M${x - 19} ${y}h9m20 0h9`;
    const oblique = `M${x - 14} ${y - 14}l6 6m16 16l6 6M${x + 14} ${y - 14}l-6 6m-16 16l-6 6`;
    put('path', { d: straight + oblique, class: 'mark line', 'data-on': 'burst' });
  }
  if (mark === 'corpse') put('circle', { cx: x, cy: y, r: 8, class: 'mark line', 'data-on': 'corpse' });
  if (mark === 'star' && !owner) put('circle', { cx: x, cy: y, r: 4, class: 'star' });
  const digits = weight ?? (owner && !shape.crossings && !joins && /^[0-9A-F?]$/.test(glyph) ? glyph : null);
  if (digits !== null) group.append(text(x, y + 5, digits, 'number ' + (owner ? 'on-' + piece : '')));
  return group;
}

const same = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/// A group whose children are replaced where what they show has changed. What it is to show: [[value, draw]…].
function layer(group) {
  const drawn = new Map();
  return (wanted) => {
    const keys = new Set();
    for (const [value, draw] of wanted) {
      const key = JSON.stringify(value);
      keys.add(key);
      if (drawn.has(key)) continue;
      const node = draw(value);
      drawn.set(key, node);
      group.append(node);
    }
    for (const [key, node] of drawn) {
      if (keys.has(key)) continue;
      node.remove();
      drawn.delete(key);
    }
  };
}

/// Bars of quantities of both sides.
export function bars(shape, names, amounts) {
  return amounts.map(([first, second], at) => {
    const share = first + second > 0 ? (100 * first) / (first + second) : 50;
    const bar = element('div', { class: 'gauge' });
    bar.append(
      element('span', {}, chip(shape, 0), ` ${shape.seats[0]}: ${first}`),
      element('span', { class: 'faint' }, names[at]),
      element('span', {}, `${shape.seats[1]}: ${second} `, chip(shape, 1)),
      element('div', { class: `track ${colour(shape, 1)}` }, element('div', { class: colour(shape, 0) })),
    );
    // Not by an attribute, which a strict Content-Security-Policy refuses.
    bar.lastChild.firstChild.style.width = `${share}%`;
    return bar;
  });
}

/// Puts a board into an element. Its state; `set` takes any part of it:
///   label    what it shows, in words
///   cells    [place…]
///   moves    [move…] that can be made on it now; none on a board to look at
///   dots     whether the targets of all of them are shown, or only of the piece that is picked up
///   confirm  whether a touch shows a move first, and a second one makes it
///   shapes   what is drawn above: { kind: 'arrow', from, to, width, tone }, { kind: 'ring', at, text, tone },
///            { kind: 'bar', cells, text, tone }, { kind: 'pill', cells, text, tone, best },
///            { kind: 'number', at, text, side }
///   ghosts   [[index, place]…] drawn pale
/// `made` gets the move that a person makes.
export function board(host, shape, made = () => {}) {
  const state = { label: 'board', cells: [], moves: [], dots: false, confirm: false, shapes: [], ghosts: [] };
  const [width, height] = [BORDER * 2 + shape.columns * CELL, BORDER * 2 + shape.rows * CELL];
  const svg = element('svg:svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' });
  const places = element('svg:g');
  const groups = Object.fromEntries(
    ['hits', 'targets', 'ghosts', 'shapes', 'held', 'cursor'].map((name) => [name, element('svg:g', { class: name })]),
  );
  const ground = element('svg:rect', { width, height, class: shape.crossings ? 'wood' : 'paper' });
  svg.append(ground, lines(shape), labels(shape), places);
  svg.append(...Object.values(groups));
  const drawHits = layer(groups.hits);
  const drawTargets = layer(groups.targets);
  const drawGhosts = layer(groups.ghosts);
  const drawShapes = layer(groups.shapes);
  const drawCursor = layer(groups.cursor);
  const count = shape.rows * shape.columns;
  const announcer = element('p', { class: 'hidden', 'aria-live': 'polite' });

  const centre = (index) => [
    BORDER + (index % shape.columns) * CELL + CELL / 2,
    BORDER + Math.floor(index / shape.columns) * CELL + CELL / 2,
  ];
  const middle = (cells) => {
    const all = cells.map(centre);
    return [0, 1].map((axis) => all.reduce((sum, at) => sum + at[axis], 0) / all.length);
  };

  // What can be done now: moves from the hand by target, moves of a piece by source and target.
  let hand = new Map();
  let pieces = new Map();
  let selected = null;
  /// The move that is shown before it is made.
  let shown = null;
  /// Whether it waits for a second touch.
  let waiting = false;
  let cursor = null;
  let press = null;
  let bounds = null;
  let drawnCells = [];

  function index() {
    [hand, pieces] = [new Map(), new Map()];
    for (const move of state.moves) {
      if (!move.to.length) continue;
      for (const from of move.from) {
        if (!pieces.has(from)) pieces.set(from, new Map());
        pieces.get(from).set(move.to[0], move);
      }
    }
    // A place that begins one move and ends another one means the one that it begins.
    const placed = state.moves.filter((move) => !move.from.length && move.to.length);
    for (const move of placed) hand.set(move.to[0], move);
    for (const move of placed) for (const at of move.to.slice(1)) if (!hand.has(at)) hand.set(at, move);
  }

  const moveAt = (at) => (selected === null ? hand : pieces.get(selected))?.get(at) ?? null;

  function words(at) {
    const [owner, , weight, , mark] = state.cells[at] ?? [0];
    const parts = [`${placeName(shape, at)}: ${owner ? shape.seats[owner - 1] : 'empty'}`];
    if (weight !== null && weight !== undefined) parts.push(`${weight} points`);
    if (WORDS[mark]) parts.push(WORDS[mark]);
    if (at === selected) parts.push('picked up');
    else if (moveAt(at)) parts.push('can be played');
    else if (pieces.has(at)) parts.push('can move');
    return parts.join(', ');
  }

  // The grid for readers and keys: a place a cell, one of them in the tab order.
  const walked = count <= WALKED;
  const grid = element('div', { class: 'hidden', role: 'grid', 'aria-label': 'places of the board' });
  const walk = [];
  if (walked) {
    for (let row = 0; row < shape.rows; row++) {
      const line = element('div', { role: 'row' });
      for (let column = 0; column < shape.columns; column++) {
        const cell = element('div', { role: 'gridcell', tabindex: -1, 'data-at': walk.length });
        walk.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    walk[Math.floor(shape.rows / 2) * shape.columns + Math.floor(shape.columns / 2)].tabIndex = 0;
  }

  function draw() {
    if (state.cells.length && !drawnCells.length) {
      places.replaceChildren(...state.cells.map((cell, at) => place(shape, cell, at)));
    } else {
      state.cells.forEach((cell, at) => {
        if (!same(cell, drawnCells[at])) places.children[at].replaceWith(place(shape, cell, at));
      });
    }
    drawnCells = state.cells.slice();
    svg.setAttribute('aria-label', state.label);
    const square = (at, inset, attributes) => {
      const [x, y] = centre(at);
      const side = CELL - 2 * inset;
      return element('svg:rect', { x: x - side / 2, y: y - side / 2, width: side, height: side, ...attributes });
    };
    const touchable = new Set([...hand.keys(), ...pieces.keys(), ...(pieces.get(selected)?.keys() ?? [])]);
    drawHits([...touchable].map((at) => [at, () => square(at, 0, { class: 'hit' })]));
    const targets = new Set(
      selected === null ? (state.dots ? [...hand.values()] : []) : [...pieces.get(selected).values()],
    );
    drawTargets([
      ...(selected === null ? [] : [[['selected', selected], () => square(selected, 2, { class: 'selected' })]]),
      ...[...targets].map((move) => [
        move.to,
        () => {
          const [cx, cy] = middle(move.to);
          return element('svg:circle', { cx, cy, r: 5, class: 'target' });
        },
      ]),
    ]);
    const ghosts = [...state.ghosts, ...(shown?.effect ?? [])];
    drawGhosts(
      ghosts.map((ghost) => [
        ghost,
        ([at, cell]) => {
          const node = place(shape, cell, at);
          node.setAttribute('class', 'ghost');
          return node;
        },
      ]),
    );
    drawShapes(state.shapes.map((one) => [one, drawShape]));
    drawCursor(cursor === null ? [] : [[cursor, () => square(cursor, 1, { class: 'cursor' })]]);
    if (walked) walk.forEach((cell, at) => cell.setAttribute('aria-label', words(at)));
  }

  function drawShape(one) {
    const tone = `tone-${one.tone ?? 'best'}`;
    if (one.kind === 'arrow') {
      const [[x1, y1], [x2, y2]] = [centre(one.from), centre(one.to)];
      const length = Math.hypot(x2 - x1, y2 - y1);
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [w, head] = [one.width ?? 6, 8 + (one.width ?? 6)];
      const [ex, ey] = [x2 - dx * head, y2 - dy * head];
      const points = [
        [x2, y2],
        [ex - dy * head * 0.7, ey + dx * head * 0.7],
        [ex + dy * head * 0.7, ey - dx * head * 0.7],
      ];
      return element(
        'svg:g',
        { class: `shape ${tone}` },
        element('svg:line', { x1: x1 + dx * 8, y1: y1 + dy * 8, x2: ex, y2: ey, 'stroke-width': w }),
        element('svg:polygon', { points: points.map((point) => point.join(',')).join(' ') }),
      );
    }
    if (one.kind === 'bar') {
      const all = one.cells.map(centre);
      const [left, top] = [0, 1].map((axis) => Math.min(...all.map((at) => at[axis])));
      const [right, bottom] = [0, 1].map((axis) => Math.max(...all.map((at) => at[axis])));
      const inset = 12;
      const [x, y] = middle(one.cells);
      return element(
        'svg:g',
        { class: `shape span ${tone}` },
        element('svg:rect', {
          x: left - CELL / 2 + inset,
          y: top - CELL / 2 + inset,
          width: right - left + CELL - 2 * inset,
          height: bottom - top + CELL - 2 * inset,
          rx: 5,
        }),
        text(x, y + 4, one.text, 'value'),
      );
    }
    if (one.kind === 'pill') {
      const [x, y] = middle(one.cells);
      return element(
        'svg:g',
        { class: `shape pill ${one.best ? 'best' : ''} ${tone}` },
        element('svg:rect', {
          x: x - 3 - 3 * one.text.length,
          y: y - 8,
          width: 6 + 6 * one.text.length,
          height: 16,
          rx: 5,
        }),
        text(x, y + 4, one.text, 'value'),
      );
    }
    const [cx, cy] = centre(one.at);
    if (one.kind === 'number')
      return element(
        'svg:g',
        { class: 'shape stones' },
        element('svg:circle', { cx, cy, r: CELL * 0.4, class: colour(shape, one.side) }),
        text(cx, cy + 5, one.text, `number on-${colour(shape, one.side)}`),
      );
    return element(
      'svg:g',
      { class: `shape ring ${tone}` },
      element('svg:circle', { cx, cy, r: CELL * 0.36, 'stroke-width': one.width ?? 3 }),
      ...(one.text ? [text(cx, cy + 4, one.text, 'value')] : []),
    );
  }

  function choose(at) {
    [selected, shown, waiting] = [at, null, false];
    if (at !== null) say(`${placeName(shape, at)} picked up, ${pieces.get(at).size} targets`);
    draw();
  }

  function preview(move, wait = false) {
    waiting = wait && move !== null;
    if (shown === move) return;
    shown = move;
    draw();
  }

  function make(move) {
    [selected, shown, waiting] = [null, null, false];
    draw();
    made(move);
  }

  /// What a tap, or Enter, means at a place. Returns whether it means anything.
  function tap(at, careful) {
    const move = moveAt(at);
    if (move) {
      if (careful && !(waiting && shown === move)) {
        preview(move, true);
        say(`${placeName(shape, at)}: once more to play`);
      } else make(move);
      return true;
    }
    const next = pieces.has(at) && at !== selected ? at : null;
    if (next === null && selected === null && !waiting) return false;
    choose(next);
    return true;
  }

  function spot(event) {
    bounds ??= svg.getBoundingClientRect();
    const scale = width / bounds.width;
    const [x, y] = [(event.clientX - bounds.left) * scale, (event.clientY - bounds.top) * scale];
    const [column, row] = [Math.floor((x - BORDER) / CELL), Math.floor((y - BORDER) / CELL)];
    const inside = column >= 0 && row >= 0 && column < shape.columns && row < shape.rows;
    return { x, y, at: inside ? row * shape.columns + column : null };
  }

  function release() {
    if (press?.frame) cancelAnimationFrame(press.frame);
    groups.held.replaceChildren();
    press = null;
  }

  function hold() {
    const cell = state.cells[selected];
    const piece = place(shape, [cell[0], cell[1], null, null, null], selected);
    piece.setAttribute('class', 'piece');
    groups.held.replaceChildren(piece);
    const [x, y] = centre(selected);
    press.origin = [x, y];
  }

  svg.addEventListener('pointerdown', (event) => {
    if (press) {
      // A second finger means no move.
      release();
      choose(null);
      return;
    }
    if (event.button !== 0 || !state.moves.length) return;
    const { at, x, y } = spot(event);
    if (at === null || !(moveAt(at) || pieces.has(at) || selected !== null || waiting)) return;
    // A text or a picture is not to be dragged.
    event.preventDefault();
    press = { id: event.pointerId, from: at, x: event.clientX, y: event.clientY, dragging: false, before: selected };
    svg.setPointerCapture(event.pointerId);
    if (!moveAt(at) && pieces.has(at)) {
      if (selected !== at) choose(at);
      press.piece = at;
    } else if (event.pointerType !== 'mouse' && !waiting) preview(moveAt(at));
    press.point = [x, y];
  });

  svg.addEventListener('pointermove', (event) => {
    if (!press) {
      if (event.pointerType === 'mouse' && state.moves.length && !waiting) preview(moveAt(spot(event).at));
      return;
    }
    if (event.pointerId !== press.id) return;
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
    const { at, x, y } = spot(event);
    if (!press.dragging) {
      press.dragging = true;
      waiting = false;
      if (press.piece !== undefined) hold();
    }
    press.point = [x, y];
    if (press.at !== at) {
      press.at = at;
      preview(moveAt(at));
    }
    if (press.piece === undefined || press.frame) return;
    // One change a frame, and none while the pointer rests.
    press.frame = requestAnimationFrame(() => {
      if (!press) return;
      press.frame = null;
      const [x0, y0] = press.origin;
      groups.held.setAttribute('transform', `translate(${press.point[0] - x0} ${press.point[1] - y0})`);
    });
  });

  svg.addEventListener('pointerup', (event) => {
    if (!press || event.pointerId !== press.id) return;
    const { at } = spot(event);
    const { dragging, piece, before, from } = press;
    release();
    const careful = state.confirm && event.pointerType !== 'mouse';
    if (dragging) {
      const move = at === null ? null : moveAt(at);
      if (move && careful) preview(move, true);
      else if (move) make(move);
      else choose(null);
      return;
    }
    // The press has picked the piece up already; pressed once more it is put down.
    if (piece !== undefined) {
      if (before === piece) choose(null);
      return;
    }
    if (at === from) tap(at, careful);
  });
  for (const name of ['pointercancel', 'lostpointercapture'])
    svg.addEventListener(name, (event) => {
      if (!press || event.pointerId !== press.id) return;
      release();
      choose(null);
    });
  svg.addEventListener('pointerleave', () => {
    if (!press && !waiting) preview(null);
  });
  const forget = () => (bounds = null);
  addEventListener('scroll', forget, { capture: true, passive: true });
  addEventListener('resize', forget);

  function stand(at) {
    if (cursor !== null) walk[cursor].tabIndex = -1;
    else grid.querySelector('[tabindex="0"]').tabIndex = -1;
    walk[at].tabIndex = 0;
    walk[at].focus({ preventScroll: true });
  }
  grid.addEventListener('focusin', (event) => {
    cursor = Number(event.target.dataset.at);
    if (selected !== null || hand.size) shown = moveAt(cursor);
    draw();
  });
  grid.addEventListener('focusout', () => {
    // The place stays in the tab order.
    [cursor, shown] = [null, null];
    grid.querySelectorAll('[tabindex="0"]').forEach((cell, n) => n && (cell.tabIndex = -1));
    draw();
  });
  grid.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || cursor === null) return;
    const [row, column] = [Math.floor(cursor / shape.columns), cursor % shape.columns];
    const to = {
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(shape.columns - 1, column + 1)],
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(shape.rows - 1, row + 1), column],
      Home: [row, 0],
      End: [row, shape.columns - 1],
    }[event.key];
    if (to) stand(to[0] * shape.columns + to[1]);
    else if (event.key === 'Enter' || event.key === ' ') tap(cursor, false);
    else if (event.key === 'Escape' && selected !== null) choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function say(words) {
    announcer.textContent = words;
  }

  host.replaceChildren(svg, ...(walked ? [grid] : []), announcer);
  return {
    state,
    svg,
    /// Takes a part of the state, and draws what it changes.
    set(part) {
      Object.assign(state, part);
      if (part.moves) {
        index();
        // The piece in the hand may have been captured meanwhile.
        if (selected !== null && !pieces.has(selected)) {
          release();
          selected = null;
        }
        if (!state.moves.includes(shown)) [shown, waiting] = [null, false];
      }
      draw();
    },
    /// Announces to a screen reader what has happened.
    say,
    /// Where the keys go.
    focus() {
      (grid.querySelector('[tabindex="0"]') ?? host).focus({ preventScroll: true });
    },
    /// Lets go of the window.
    end() {
      removeEventListener('scroll', forget, { capture: true });
      removeEventListener('resize', forget);
    },
  };
}

/// The board in `host` for a shape, with room for gauges below it: `known` while that has this shape, else a new one in
/// its place.
export function fitted(known, host, shape, made) {
  const key = [shape.rows, shape.columns, shape.origin, shape.letter, shape.crossings].join();
  if (known?.key === key) return known;
  known?.end();
  const squares = element('div');
  host.replaceChildren(squares, element('div', { class: 'gauges' }));
  return Object.assign(board(squares, shape, made), { key });
}
