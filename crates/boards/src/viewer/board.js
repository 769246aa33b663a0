// A board of any size: plain state in, differences drawn, moves out. It knows no rules: its owner says
// which moves there are, what they change and how a place looks. Colours are those of the style sheet.
//
// Its shape: { seats, rows, columns, origin, letter|null, crossings, hexagons?, triangles?, graph?, holes?, both,
// words?, turned? }.
// `triangles` is which way the first one points, `up` or `down`; `graph` is { names, points, edges } of a board that is
// no grid. `holes` are places that it does not have. `both` is whether the numbers of the judge stand beside the
// letters of people; without it a board has one system of coordinates. `words` are those of another language.
// `turned` is how it is looked at, as in shapes.js; names of places stay what they are.
// A place: [owner 0|1|2, glyph, weight|null, joins [rows, columns]|null, mark, owners of stacked pieces?].
// Cards: [{ owner 0|1|null, name, cards: [text…] }…], `?` for one that may not be seen.
// A move: { from: [index…] that it can be picked up from, none if it is put from the hand; to: [index…] that it covers;
// effect: [[index, place]…], what it changes }, and whatever else its owner keeps in it.

import { BORDER, CELL, arrow, centreOf, colour, drawnShape, element, middleOf, placeAt, text } from './shapes.js';
import { extentOf, isPlace, isSquare, outlineOf, seenAt, seenSize, seenStep } from './shapes.js';

export { colour, element };

/// Pixels that a pressed pointer moves before it drags.
const DRAG = 3;
/// Pixels of the drawing around the pointer in which targets are shown, where not all are.
const NEAR = 1.4 * CELL;
/// The largest board whose places can be walked through by keys; that of a dish may have 65025.
const WALKED = 400;
/// Boards that were made: each has names of its own in the page.
let boards = 0;
const TINTED = ['placed', 'captured', 'vacated', 'burst', 'corpse'];
/// What is said of places: first of their marks. A page in another language brings its own in `shape.words`.
const MARKS = {
  placed: 'last move',
  captured: 'just captured',
  vacated: 'just left',
  forbidden: 'forbidden',
  barred: 'forbidden to the other side',
  corpse: 'corpse',
  burst: 'burst',
  won: 'part of the winning row',
};
const WORDS = {
  ...MARKS,
  places: 'places of the board',
  place: 'row {row}, column {column}',
  empty: 'empty',
  points: '{count} points',
  picked: 'picked up',
  playable: 'can be played',
  movable: 'can move',
  targets: '{place} picked up, {count} targets',
  again: '{place}: once more to play',
  stacked: '{count} pieces',
  facedown: 'a card face down',
};
const word = (shape, name) => shape.words?.[name] ?? WORDS[name];

export const chip = (shape, side) => element('i', { class: `chip ${colour(shape, side)}`, 'aria-hidden': 'true' });

/// What people call a place.
export function placeName(shape, index) {
  if (shape.graph) return shape.graph.names[index];
  const [row, column] = [Math.floor(index / shape.columns), index % shape.columns];
  if (shape.letter) return letterOf(shape, column) + (shape.rows - row);
  const words = word(shape, 'place');
  return words.replace('{row}', row + shape.origin).replace('{column}', column + shape.origin);
}

function lines(shape) {
  const group = element('svg:g', { class: 'grid' });
  for (const [from, to] of shape.graph?.edges ?? []) {
    const [[x1, y1], [x2, y2]] = [centreOf(shape, from), centreOf(shape, to)];
    group.append(element('svg:line', { x1, y1, x2, y2 }));
  }
  if (!isSquare(shape) || (shape.holes?.length && !shape.crossings)) {
    for (let at = 0; at < shape.rows * shape.columns; at++)
      if (isPlace(shape, at)) group.append(outlineOf(shape, at, 0, shape.graph ? { class: 'point' } : {}));
    return group;
  }
  if (shape.holes?.length) {
    // Lines lead from crossing to crossing.
    for (let at = 0; at < shape.rows * shape.columns; at++) {
      const column = at % shape.columns;
      for (const next of [column + 1 < shape.columns ? at + 1 : -1, at + shape.columns]) {
        if (next < 0 || next >= shape.rows * shape.columns || !isPlace(shape, at) || !isPlace(shape, next)) continue;
        const [[x1, y1], [x2, y2]] = [centreOf(shape, at), centreOf(shape, next)];
        group.append(element('svg:line', { x1, y1, x2, y2 }));
      }
    }
    return group;
  }
  const inset = shape.crossings ? CELL / 2 : 0;
  const [left, top] = [BORDER + inset, BORDER + inset];
  const [rows, columns] = seenSize(shape);
  const [right, bottom] = [BORDER + columns * CELL - inset, BORDER + rows * CELL - inset];
  const line = (x1, y1, x2, y2) => group.append(element('svg:line', { x1, y1, x2, y2 }));
  for (let y = top; y <= bottom; y += CELL) line(left, y, right, y);
  for (let x = left; x <= right; x += CELL) line(x, top, x, bottom);
  return group;
}

const letterOf = (shape, column) => String.fromCharCode(shape.letter.charCodeAt(0) + (column % 26));

/// The names of rows and columns of hexagons and triangles: before the first place of a row, below the last one of a
/// column of hexagons, above the first one of a column of triangles.
function beside(shape) {
  const group = element('svg:g', { class: 'labels' });
  const placeIn = (row, column) => isPlace(shape, row * shape.columns + column);
  const rows = Array.from({ length: shape.rows }, (_, row) => row);
  const columns = Array.from({ length: shape.columns }, (_, column) => column);
  for (const row of rows) {
    const column = columns.find((column) => placeIn(row, column));
    if (column === undefined) continue;
    const [x, y] = centreOf(shape, row * shape.columns + column);
    group.append(text(x - CELL / 2 - 10, y + 4, shape.letter ? shape.rows - row : row + shape.origin));
  }
  for (const column of columns) {
    const named = rows.filter((row) => placeIn(row, column));
    const row = shape.hexagons ? named.at(-1) : named[0];
    if (row === undefined) continue;
    const [x, y] = centreOf(shape, row * shape.columns + column);
    const [right, down] = shape.hexagons ? [12, 32] : [0, -CELL / 2 - 10];
    group.append(text(x + right, y + down, shape.letter ? letterOf(shape, column) : column + shape.origin));
  }
  return group;
}

function labels(shape) {
  if (shape.graph) return element('svg:g');
  if (!isSquare(shape)) return beside(shape);
  const group = element('svg:g', { class: 'labels' });
  const middle = (n) => BORDER + n * CELL + CELL / 2;
  const [rows, columns] = seenSize(shape);
  const [right, bottom] = [BORDER + columns * CELL, BORDER + rows * CELL];
  const judged = shape.both || !shape.letter;
  const aside = ((shape.turned ?? 0) & 4) !== 0;
  /// The two names of a line of places, by one of them: those of its row, or of its column.
  const names = (seen, isRow) => {
    const index = placeAt(shape, seen);
    if (isRow) {
      const row = Math.floor(index / shape.columns);
      return [row + shape.origin, shape.letter ? shape.rows - row : null];
    }
    const column = index % shape.columns;
    return [column + shape.origin, shape.letter ? letterOf(shape, column) : null];
  };
  for (let row = 0; row < rows; row++) {
    const [number, people] = names([row, 0], !aside);
    group.append(text(BORDER / 2 + (shape.both ? 0 : 3), middle(row) + 4, judged ? number : people));
    if (shape.both && shape.letter) group.append(text(right + BORDER / 2, middle(row) + 4, people));
  }
  for (let column = 0; column < columns; column++) {
    const [number, people] = names([0, column], aside);
    if (judged) group.append(text(middle(column), BORDER - 10, number));
    if (shape.letter) group.append(text(middle(column), bottom + 18, people));
  }
  return group;
}

/// What of the drawing is seen: its left and top, width and height. All margins are equal.
function frame(shape) {
  const edge = BORDER - (shape.both ? 0 : 6);
  const [left, top, right, bottom] = extentOf(shape);
  return [left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge];
}

/// One place. A mark names the colour that it lies on, so that its contrast can be measured.
function place(shape, [owner, glyph, weight, joins, mark, stack], index) {
  const group = element('svg:g');
  if (!isPlace(shape, index)) return group;
  const put = (name, attributes) => group.append(element('svg:' + name, attributes));
  const [x, y] = centreOf(shape, index);
  const [left, top] = [x - CELL / 2, y - CELL / 2];
  const piece = owner ? colour(shape, owner - 1) : '';
  const tinted = !shape.crossings && !joins && TINTED.includes(mark);
  if (tinted) group.append(outlineOf(shape, index, 1, { class: `tint ${mark}` }));
  if (owner && joins) {
    const [down, right] = seenStep(shape, joins);
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
  } else if (stack) {
    // As it is seen from the side, the undermost piece at the bottom.
    const step = Math.min(8, (CELL * 0.7) / stack.length);
    const bottom = y + (step * stack.length) / 2;
    stack.forEach((piece, at) => {
      const size = { width: CELL * 0.6, height: step > 3 ? step - 1 : step, rx: Math.min(2, step / 2) };
      put('rect', { x: x - CELL * 0.3, y: bottom - step * (at + 1), ...size, class: colour(shape, piece - 1) });
    });
  } else if (owner) {
    const deep = shape.rows * shape.columns <= WALKED;
    if (deep) put('circle', { cx: x + 1, cy: y + 2, r: CELL * 0.41, class: 'shade' });
    put('circle', { cx: x, cy: y, r: CELL * 0.42, class: piece });
    if (deep) put('circle', { cx: x, cy: y, r: CELL * 0.4, class: 'shine', fill: `url(#${shape.lights}${owner})` });
  }
  if (tinted && mark === 'placed')
    group.append(outlineOf(shape, index, 2, { class: 'mark line', 'data-on': 'placed' }));
  if (shape.crossings && mark === 'placed')
    put('circle', { cx: x, cy: y, r: 6, class: `mark last${owner}`, 'data-on': piece });
  if (mark === 'won' && owner) {
    const ring = shape.crossings ? `won${owner}` : 'light';
    put('circle', { cx: x, cy: y, r: CELL * 0.33, class: `mark line ${ring}`, 'data-on': piece });
  }
  // Around the letter of its side.
  if (mark === 'captured' && owner)
    put('circle', { cx: x, cy: y, r: CELL * 0.33, class: 'mark line light', 'data-on': piece });
  if (mark === 'vacated') put('circle', { cx: x, cy: y, r: 12, class: 'mark line dashed', 'data-on': 'vacated' });
  if (mark === 'forbidden' || mark === 'barred') {
    const cross = `M${x - 7} ${y - 7}l14 14m0 -14l-14 14`;
    put('path', { d: cross, class: `mark line forbidden ${mark}`, 'data-on': 'wood' });
  }
  if (mark === 'burst') {
    const straight = `M${x} ${y - 19}v9m0 20v9M${x - 19} ${y}h9m20 0h9`;
    const oblique = `M${x - 14} ${y - 14}l6 6m16 16l6 6M${x + 14} ${y - 14}l-6 6m-16 16l-6 6`;
    put('path', { d: straight + oblique, class: 'mark line', 'data-on': 'burst' });
  }
  if (mark === 'corpse') put('circle', { cx: x, cy: y, r: 8, class: 'mark line', 'data-on': 'corpse' });
  if (mark === 'star' && !owner) put('circle', { cx: x, cy: y, r: 4, class: 'star' });
  const single = owner && !shape.crossings && !joins && !stack;
  const digits = weight ?? (single && /^[0-9?]$/.test(glyph) ? glyph : null);
  const seat = single ? (shape.seats?.[owner - 1] ?? '') : '';
  const face = digits ?? (seat.length === 1 ? seat : null);
  if (face !== null) group.append(text(x, y + 5, face, 'number ' + (owner ? 'on-' + piece : '')));
  const written = lettering([owner, glyph, weight, joins, mark]);
  if (written) group.append(text(x, y + 8, written, 'number glyph'));
  if (shape.graph && !owner && face === null && !written) {
    const name = shape.graph.names[index];
    group.append(text(x, y + 4, name, name.length > 4 ? 'name long' : 'name'));
  }
  return group;
}

/// The character that stands in a place without a piece or a number, as rules of any game may write it there.
export const lettering = ([owner, glyph, weight, , mark]) =>
  owner || weight !== null || glyph === '.' || ['corpse', 'burst', 'star'].includes(mark) ? null : glyph;

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

/// The light on pieces, from above.
function shines(lights) {
  const light = (side, strength) => {
    const stop = (offset, opacity) => element('svg:stop', { offset, 'stop-color': '#fff', 'stop-opacity': opacity });
    const shine = { id: lights + side, cx: 0.36, cy: 0.28, r: 0.55 };
    return element('svg:radialGradient', shine, stop(0, strength), stop(1, 0));
  };
  return element('svg:defs', {}, light(1, 0.38), light(2, 0.5));
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

/// The move that playing a card makes: the one whose text it is, if it is in the hand of who is to move. Rows with a
/// name are what lies on the table.
const playOf = (hand, card, { moves, turn }) =>
  hand.owner === turn && !hand.name ? moves.find((move) => !move.to.length && move.move === card) : undefined;

/// Those of the moves that no card makes.
export const withoutCards = (moves, hands = [], turn = null) =>
  moves.filter((move) => !hands.some((hand) => hand.cards.some((card) => playOf(hand, card, { moves: [move], turn }))));

/// Rows of cards; those that can be played are buttons.
function cardRows(shape, state, made) {
  return state.hands.map((hand) => {
    const seat = hand.owner === null ? '' : shape.seats[hand.owner];
    const label = [seat, hand.name].filter(Boolean).join(': ');
    const owner = hand.owner === null ? '' : ` ${colour(shape, hand.owner)}`;
    const cards = hand.cards.map((card) => {
      const move = playOf(hand, card, state);
      const down = card === '?';
      const face = element(move ? 'button' : 'span', { class: `card${down ? ' down' : ''}` });
      if (down) face.append(element('span', { class: 'hidden' }, word(shape, 'facedown')));
      else face.append(card);
      if (/[♥♦]/.test(card)) face.classList.add('red');
      if (move) {
        face.type = 'button';
        face.addEventListener('click', () => made(move));
      }
      return element('li', {}, face);
    });
    const list = element('ul', label ? { 'aria-label': label } : {}, ...cards);
    return element('div', { class: `hand${owner}` }, element('span', { class: 'faint' }, label), list);
  });
}

/// Puts a board into an element. Its state; `set` takes any part of it:
///   label    what it shows, in words
///   hands    [cards…] beside the board
///   turn     the side that is to move, whose cards can be played
///   cells    [place…]
///   moves    [move…] that can be made on it now; none on a board to look at
///   dots     whether the targets of all of them are shown, those `near` the pointer, or only those of the piece that
///            is picked up
///   confirm  whether a touch shows a move first, and a second one makes it
///   shapes   what is drawn above, as in shapes.js
///   ghosts   [[index, place]…] drawn pale
///   drawing  whether a press draws, instead of making a move
///   marked   gets what is drawn by the right button, or while `drawing`: two places, maybe the same, and the event
///   missed   gets a place that is chosen although nothing can be done there, and that of the piece that was to go
///            there
///   painted  where a drag draws: gets each place that it comes over, and whether that is the first
/// `made` gets the move that a person makes.
export function board(host, form, made = () => {}) {
  boards += 1;
  const shape = { ...form, lights: `light${boards}-` };
  const state = {
    label: 'board', cells: [], hands: [], turn: null, moves: [], dots: false, confirm: false, shapes: [], ghosts: [],
    drawing: false,
    marked: null, missed: null, painted: null,
  };
  const seen = frame(shape);
  const svg = element('svg:svg', { viewBox: seen.join(' '), role: 'img' });
  const places = element('svg:g');
  const groups = Object.fromEntries(
    ['hits', 'targets', 'ghosts', 'shapes', 'held', 'cursor'].map((name) => [name, element('svg:g', { class: name })]),
  );
  const [x, y, width, height] = seen;
  const ground = element('svg:rect', { x, y, width, height, class: shape.crossings ? 'wood' : 'paper' });
  svg.append(shines(shape.lights), ground, lines(shape), labels(shape), places);
  svg.append(...Object.values(groups));
  const drawHits = layer(groups.hits);
  const drawTargets = layer(groups.targets);
  const drawGhosts = layer(groups.ghosts);
  const drawShapes = layer(groups.shapes);
  const drawCursor = layer(groups.cursor);
  const count = shape.rows * shape.columns;
  const announcer = element('p', { class: 'hidden', 'aria-live': 'polite' });

  const centre = (index) => centreOf(shape, index);
  const middle = (cells) => middleOf(shape, cells);

  // What can be done now: moves from the hand by target, moves of a piece by source and target.
  let hand = new Map();
  /// The moves from the hand that cover a place.
  let covers = new Map();
  let pieces = new Map();
  let selected = null;
  /// The move that is shown before it is made.
  let shown = null;
  /// Whether it waits for a second touch.
  let waiting = false;
  /// The moves from the hand around the pointer.
  let near = [];
  let cursor = null;
  /// Whether the cursor is shown: while keys move it.
  let framed = false;
  let press = null;
  let bounds = null;
  let [drawnCells, drawnHands] = [[], null];
  const table = element('div', { class: 'hands', hidden: '' });
  /// Whether the press before a click has done something.
  let acted = false;

  function index() {
    [hand, covers, pieces] = [new Map(), new Map(), new Map()];
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
    for (const move of placed) {
      for (const at of move.to) {
        if (!hand.has(at)) hand.set(at, move);
        if (!covers.has(at)) covers.set(at, []);
        covers.get(at).push(move);
      }
    }
  }

  const moveAt = (at) => (selected === null ? hand : pieces.get(selected))?.get(at) ?? null;

  /// The move that is meant by a point: of several that cover its place, the one whose middle is nearest.
  function moveOn({ x, y, at }) {
    const several = selected === null ? (covers.get(at) ?? []) : [];
    if (several.length < 2) return moveAt(at);
    const distance = (move) => {
      const [cx, cy] = middle(move.to);
      return Math.hypot(x - cx, y - cy);
    };
    // About as far from two: as for the keys.
    const nearest = Math.min(...several.map(distance));
    const near = several.filter((move) => distance(move) - nearest < CELL / 8);
    return near.includes(moveAt(at)) ? moveAt(at) : near[0];
  }

  function words(at) {
    const [owner, , weight, , mark, stack] = state.cells[at] ?? [0];
    const parts = [`${placeName(shape, at)}: ${owner ? shape.seats[owner - 1] : word(shape, 'empty')}`];
    if (stack) parts.push(word(shape, 'stacked').replace('{count}', stack.length));
    const points = word(shape, 'points');
    if (weight !== null && weight !== undefined) parts.push(points.replace('{count}', weight));
    if (MARKS[mark]) parts.push(word(shape, mark));
    if (at === selected) parts.push(word(shape, 'picked'));
    else if (moveAt(at)) parts.push(word(shape, 'playable'));
    else if (pieces.has(at)) parts.push(word(shape, 'movable'));
    return parts.join(', ');
  }

  // The grid for readers and keys: a place a cell, one of them in the tab order.
  const walked = count <= WALKED;
  const label = word(shape, 'places');
  const grid = element('div', { class: 'hidden', role: 'grid', 'aria-label': label });
  const walk = [];
  if (walked) {
    for (let row = 0; row < shape.rows; row++) {
      const line = element('div', { role: 'row' });
      for (let column = 0; column < shape.columns; column++) {
        const known = isPlace(shape, walk.length);
        const reached = { role: 'gridcell', tabindex: -1, 'data-at': walk.length };
        const cell = element('div', known ? reached : { hidden: '' });
        walk.push(cell);
        line.append(cell);
      }
      grid.append(line);
    }
    const middle = Math.floor(shape.rows / 2) * shape.columns + Math.floor(shape.columns / 2);
    if (count) walk[isPlace(shape, middle) ? middle : walk.findIndex((_, at) => isPlace(shape, at))].tabIndex = 0;
  }

  function draw() {
    if (state.cells.length && !drawnCells.length) {
      places.replaceChildren(...state.cells.map((cell, at) => place(shape, cell, at)));
    } else {
      const came = [];
      state.cells.forEach((cell, at) => {
        if (same(cell, drawnCells[at])) return;
        const node = place(shape, cell, at);
        if (cell[4] === 'placed' && !drawnCells[at][0]) came.push([at, node]);
        places.children[at].replaceWith(node);
      });
      moveIn(came);
    }
    drawnCells = state.cells.slice();
    svg.setAttribute('aria-label', state.label);
    const square = (at, inset, attributes) => outlineOf(shape, at, inset, attributes);
    const touchable = new Set([...hand.keys(), ...pieces.keys(), ...(pieces.get(selected)?.keys() ?? [])]);
    drawHits([...touchable].map((at) => [at, () => square(at, 0, { class: 'hit' })]));
    const open = state.dots === 'near' ? near : state.dots ? [...hand.values()] : [];
    const targets = new Set(selected === null ? open : pieces.get(selected).values());
    drawTargets([
      ...(selected === null ? [] : [[['selected', selected], () => square(selected, 2, { class: 'selected' })]]),
      ...[...targets].map((move) => [
        move.to,
        () => {
          const [cx, cy] = middle(move.to);
          // A leap leaves its place; a piece that divides stays there.
          const leaps = move.effect?.some(([, cell]) => cell[4] === 'vacated');
          return element('svg:circle', { cx, cy, r: 5, class: leaps ? 'target leap' : 'target' });
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
    drawShapes(state.shapes.map((one) => [one, (known) => drawnShape(shape, known)]));
    drawCursor(cursor === null || !framed ? [] : [[cursor, () => square(cursor, 1, { class: 'cursor' })]]);
    if (walked) walk.forEach((cell, at) => cell.setAttribute('aria-label', words(at)));
    table.hidden = !state.hands.length;
    const held = [state.hands, state.turn, state.moves.map((move) => move.move)];
    if (!same(held, drawnHands)) table.replaceChildren(...cardRows(shape, state, make));
    drawnHands = held;
  }

  /// A piece that has come glides from where it has been, or appears.
  function moveIn(came) {
    if (came.length !== 1 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const [[at, node]] = came;
    const left = state.cells.findIndex((cell) => cell[4] === 'vacated');
    const [[x, y], [x0, y0]] = [centre(at), centre(left < 0 ? at : left)];
    const start = left < 0 ? { opacity: 0.2 } : { transform: `translate(${x0 - x}px, ${y0 - y}px)` };
    node.animate([start, { opacity: 1, transform: 'none' }], { duration: 130, easing: 'ease-out' });
  }

  function choose(at) {
    [selected, shown, waiting] = [at, null, false];
    if (at !== null) {
      const targets = word(shape, 'targets').replace('{count}', pieces.get(at).size);
      say(targets.replace('{place}', placeName(shape, at)));
    }
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

  /// What a tap, or Enter, means at a place; `move` is the one that can be made there. Returns whether it means
  /// anything.
  function tap(at, move, careful) {
    if (move) {
      if (careful && !(waiting && shown === move)) {
        preview(move, true);
        say(word(shape, 'again').replace('{place}', placeName(shape, at)));
      } else make(move);
      return true;
    }
    const next = pieces.has(at) && at !== selected ? at : null;
    if (next === null && selected === null && !waiting) return false;
    const from = selected;
    choose(next);
    if (next === null && from !== null && from !== at) state.missed?.(at, from);
    return true;
  }

  /// The place at a point that is no square: the one whose middle is nearest.
  function nearest(x, y) {
    let [best, least] = [null, CELL * (shape.triangles ? 0.9 : 0.58)];
    for (let at = 0; at < count; at++) {
      const [cx, cy] = centre(at);
      const distance = Math.hypot(x - cx, y - cy);
      if (distance < least && isPlace(shape, at)) [best, least] = [at, distance];
    }
    return best;
  }

  function spot(event) {
    bounds ??= svg.getBoundingClientRect();
    const scale = seen[2] / bounds.width;
    const [x, y] = [seen[0] + (event.clientX - bounds.left) * scale, seen[1] + (event.clientY - bounds.top) * scale];
    if (!isSquare(shape)) return { x, y, at: nearest(x, y) };
    const [column, row] = [Math.floor((x - BORDER) / CELL), Math.floor((y - BORDER) / CELL)];
    const [rows, columns] = seenSize(shape);
    const inside = column >= 0 && row >= 0 && column < columns && row < rows;
    const at = inside ? placeAt(shape, [row, column]) : null;
    return { x, y, at: at !== null && isPlace(shape, at) ? at : null };
  }

  /// Shows the targets around the pointer, or none.
  function hover(point) {
    if (state.dots !== 'near') return;
    const around = (move) => {
      const [cx, cy] = middle(move.to);
      return Math.hypot(point.x - cx, point.y - cy) < NEAR;
    };
    const next = point ? [...new Set(hand.values())].filter(around) : [];
    if (next.length === near.length && next.every((move, n) => move === near[n])) return;
    near = next;
    draw();
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

  /// Draws along a drag; a fast one comes over places between two events.
  function paint(event) {
    if (!press.dragging) {
      [press.dragging, press.at] = [true, press.from];
      state.painted(press.from, true);
    }
    const way = event.getCoalescedEvents?.() ?? [];
    for (const { at } of [...way, event].map(spot)) {
      if (at === null || at === press.at) continue;
      press.at = at;
      state.painted(at, false);
    }
  }

  svg.addEventListener('pointerdown', (event) => {
    if (press) {
      // A second finger means no move.
      release();
      choose(null);
      return;
    }
    const { at, x, y } = spot(event);
    const move = moveOn({ x, y, at });
    acted = false;
    if (framed) {
      framed = false;
      draw();
    }
    if (state.marked && at !== null && (event.button === 2 || (state.drawing && event.button === 0))) {
      event.preventDefault();
      acted = true;
      press = { id: event.pointerId, from: at, marks: true };
      svg.setPointerCapture(event.pointerId);
      return;
    }
    if (event.button !== 0 || !state.moves.length) return;
    if (at === null || !(move || pieces.has(at) || selected !== null || waiting)) return;
    // A text or a picture is not to be dragged.
    event.preventDefault();
    press = { id: event.pointerId, from: at, x: event.clientX, y: event.clientY, dragging: false, before: selected };
    svg.setPointerCapture(event.pointerId);
    if (!move && pieces.has(at)) {
      if (selected !== at) choose(at);
      press.piece = at;
    } else if (event.pointerType !== 'mouse' && !waiting) preview(move);
    press.point = [x, y];
  });

  svg.addEventListener('pointermove', (event) => {
    if (!press) {
      if (event.pointerType !== 'mouse' || !state.moves.length || waiting) return;
      hover(spot(event));
      preview(moveOn(spot(event)));
      return;
    }
    if (event.pointerId !== press.id) return;
    if (press.marks) {
      const to = spot(event).at;
      const drags = to !== null && to !== press.from;
      groups.held.replaceChildren(...(drags ? [arrow(centre(press.from), centre(to), 6, 'tone-best')] : []));
      return;
    }
    if (!press.dragging && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
    const { at, x, y } = spot(event);
    if (state.painted) {
      paint(event);
      return;
    }
    if (!press.dragging) {
      press.dragging = true;
      waiting = false;
      if (press.piece !== undefined) hold();
    }
    press.point = [x, y];
    preview(moveOn({ x, y, at }));
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
    const { at, x, y } = spot(event);
    const { dragging, piece, before, from, marks } = press;
    release();
    if (marks) {
      if (at !== null) state.marked(from, at, event);
      return;
    }
    acted = true;
    const careful = state.confirm && event.pointerType !== 'mouse';
    if (dragging && state.painted) return;
    if (dragging) {
      const move = at === null ? null : moveOn({ x, y, at });
      if (move && careful) preview(move, true);
      else if (move) make(move);
      else {
        choose(null);
        if (piece !== undefined && at !== null && at !== piece) state.missed?.(at, piece);
      }
      return;
    }
    // The press has picked the piece up already; pressed once more it is put down.
    if (piece !== undefined) {
      if (before === piece) choose(null);
      return;
    }
    if (at === from) tap(at, moveOn({ x, y, at }), careful);
  });
  svg.addEventListener('contextmenu', (event) => state.marked && event.preventDefault());
  svg.addEventListener('click', (event) => {
    const { at } = spot(event);
    if (!acted && at !== null) state.missed?.(at);
    acted = false;
  });
  for (const name of ['pointercancel', 'lostpointercapture'])
    svg.addEventListener(name, (event) => {
      if (!press || event.pointerId !== press.id) return;
      release();
      choose(null);
    });
  svg.addEventListener('pointerleave', () => {
    if (!press && !waiting) preview(null);
    hover(null);
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
    framed = event.target.matches(':focus-visible');
    if (framed && (selected !== null || hand.size)) shown = moveAt(cursor);
    draw();
  });
  grid.addEventListener('focusout', () => {
    // The place stays in the tab order.
    [cursor, framed, shown] = [null, false, null];
    grid.querySelectorAll('[tabindex="0"]').forEach((cell, n) => n && (cell.tabIndex = -1));
    draw();
  });
  grid.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || cursor === null) return;
    framed = true;
    const [rows, columns] = seenSize(shape);
    const [row, column] = seenAt(shape, cursor);
    /// The first place from there on in this direction, over those that the board does not have.
    const along = (from, [down, right]) => {
      for (let [r, c] = from; r >= 0 && c >= 0 && r < rows && c < columns; [r, c] = [r + down, c + right])
        if (isPlace(shape, placeAt(shape, [r, c]))) return placeAt(shape, [r, c]);
      return cursor;
    };
    /// The point of a graph that is nearest in a direction, those aside counting as farther away.
    const towards = ([right, down]) => {
      const [x, y] = centre(cursor);
      let [best, least] = [cursor, Infinity];
      for (let at = 0; at < count; at++) {
        const [dx, dy] = [centre(at)[0] - x, centre(at)[1] - y];
        const [along, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
        if (along > 1 && along + 3 * aside < least) [best, least] = [at, along + 3 * aside];
      }
      return best;
    };
    const to = shape.graph ? {
      ArrowLeft: () => towards([-1, 0]),
      ArrowRight: () => towards([1, 0]),
      ArrowUp: () => towards([0, -1]),
      ArrowDown: () => towards([0, 1]),
      Home: () => 0,
      End: () => count - 1,
    }[event.key] : {
      ArrowLeft: () => along([row, column - 1], [0, -1]),
      ArrowRight: () => along([row, column + 1], [0, 1]),
      ArrowUp: () => along([row - 1, column], [-1, 0]),
      ArrowDown: () => along([row + 1, column], [1, 0]),
      Home: () => along([row, 0], [0, 1]),
      End: () => along([row, columns - 1], [0, -1]),
    }[event.key];
    if (to) stand(to());
    else if (event.key === 'Enter' || event.key === ' ') {
      if (state.drawing && state.marked) state.marked(cursor, cursor, event);
      else if (!tap(cursor, moveAt(cursor), false)) state.missed?.(cursor);
    }
    else if (event.key === 'Escape' && selected !== null) choose(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function say(words) {
    announcer.textContent = words;
  }

  // A game of cards alone has no board.
  host.replaceChildren(...(count ? [svg, ...(walked ? [grid] : [])] : []), table, announcer);
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
        near = near.filter((move) => state.moves.includes(move));
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
  const { rows, columns, origin, letter, crossings, hexagons, triangles, graph, holes, turned } = shape;
  const form = [rows, columns, origin, letter, crossings, hexagons, triangles, holes, turned];
  const key = form.join() + JSON.stringify(graph ?? null);
  if (known?.key === key) return known;
  known?.end();
  const squares = element('div');
  host.replaceChildren(squares, element('div', { class: 'gauges' }));
  return Object.assign(board(squares, shape, made), { key });
}
