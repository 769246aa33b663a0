// What is drawn above a board: arrows, rings, numbers, values and marks, each an element of SVG.
//
// A shape: { kind: 'arrow', from, to, width, tone, text }, { kind: 'ring', at, width, tone, text, pill },
// { kind: 'bar', cells, text, tone }, { kind: 'pill', cells, text, tone, best }, { kind: 'number', at, text, side },
// { kind: 'mark', at, mark: 'circle'|'square'|'triangle'|'cross', tone }, { kind: 'label', at, text, tone },
// { kind: 'count', cells, text, side }, the number of a piece that stands there, { kind: 'line', from, to, tone } over
// pieces, { kind: 'dot', at, tone }.

const SVG = 'http://www.w3.org/2000/svg';
export const CELL = 40;
export const BORDER = 30;
/// How far apart the rows of hexagons are, and how far their corners are from the middle.
const STEP = (CELL * Math.sqrt(3)) / 2;
const RADIUS = CELL / Math.sqrt(3);
/// How far the tips of triangles are apart along a row; their corners are CELL from the middle.
const TIP = (CELL * Math.sqrt(3)) / 2;
/// The circle that a point of a graph is.
const POINT = CELL * 0.45;

/// Whether a board is rows and columns of squares or crossings.
export const isSquare = (shape) => !shape.hexagons && !shape.triangles && !shape.graph;

/// Whether a triangle has its tip at the top.
const pointsUp = (shape, index) =>
  ((Math.floor(index / shape.columns) + (index % shape.columns)) % 2 === 0) === (shape.triangles === 'up');

export function element(name, attributes, ...children) {
  const node = name.startsWith('svg:')
    ? document.createElementNS(SVG, name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export const text = (x, y, content, name) =>
  element('svg:text', name ? { x, y, class: name } : { x, y }, String(content));
export const colour = (shape, side) => (shape.crossings ? 'stone' : 'side') + side;

/// Rows and columns as they are seen: a board that is turned by a quarter has them the other way round.
export const seenSize = ({ rows, columns, turned = 0 }) => (turned & 4 ? [columns, rows] : [rows, columns]);

/// Where a place is seen, [row, column]: bit 2 of `turned` swaps rows and columns, then bit 0 mirrors the rows, bit 1
/// the columns.
export function seenAt(shape, index) {
  const { columns, turned = 0 } = shape;
  const [rows, across] = seenSize(shape);
  let [row, column] = [Math.floor(index / columns), index % columns];
  if (turned & 4) [row, column] = [column, row];
  return [turned & 1 ? rows - 1 - row : row, turned & 2 ? across - 1 - column : column];
}

/// The place that is seen in a row and a column.
export function placeAt(shape, [seenRow, seenColumn]) {
  const { columns, turned = 0 } = shape;
  const [rows, across] = seenSize(shape);
  const row = turned & 1 ? rows - 1 - seenRow : seenRow;
  const column = turned & 2 ? across - 1 - seenColumn : seenColumn;
  return turned & 4 ? column * columns + row : row * columns + column;
}

/// A step over the board as it is seen, [rows, columns].
export function seenStep({ turned = 0 }, [rows, columns]) {
  const [down, right] = turned & 4 ? [columns, rows] : [rows, columns];
  return [turned & 1 ? -down : down, turned & 2 ? -right : right];
}

/// One way of turning after another.
export function turnedOn(first, second) {
  const swapped = second & 4 ? ((first & 1) << 1) | ((first & 2) >> 1) : first & 3;
  return ((first ^ second) & 4) | (swapped ^ (second & 3));
}

/// The middle of a place in the drawing.
export function centreOf(shape, index) {
  if (shape.graph) return shape.graph.points[index].map((along) => BORDER + along * CELL);
  const [row, column] = seenAt(shape, index);
  if (shape.hexagons) return [BORDER + (column + row / 2) * CELL + CELL / 2, BORDER + row * STEP + RADIUS];
  if (shape.triangles) {
    const down = pointsUp(shape, index) ? 1 : 0.5;
    return [BORDER + (column + 1) * TIP, BORDER + (row * 1.5 + down) * CELL];
  }
  return [BORDER + column * CELL + CELL / 2, BORDER + row * CELL + CELL / 2];
}

/// Whether the board has this place.
export const isPlace = (shape, index) => !shape.holes?.includes(index);

/// The corners of a place that is a polygon, seen from its middle, with its edges this far within.
function cornersOf(shape, index, inset) {
  const count = shape.hexagons ? 6 : 3;
  const radius = (shape.hexagons ? RADIUS : CELL) - inset / Math.cos(Math.PI / count);
  const first = shape.triangles && !pointsUp(shape, index) ? Math.PI / 2 : -Math.PI / 2;
  return Array.from({ length: count }, (_, corner) => {
    const angle = first + (2 * Math.PI * corner) / count;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

/// The edge of a place, this far within it, as an element with these attributes.
export function outlineOf(shape, index, inset, attributes) {
  const [x, y] = centreOf(shape, index);
  if (shape.graph) return element('svg:circle', { cx: x, cy: y, r: POINT - inset, ...attributes });
  if (isSquare(shape)) {
    const side = CELL - 2 * inset;
    return element('svg:rect', { x: x - side / 2, y: y - side / 2, width: side, height: side, ...attributes });
  }
  const seen = ([right, down]) => `${(x + right).toFixed(2)},${(y + down).toFixed(2)}`;
  const corners = cornersOf(shape, index, inset).map(seen);
  return element('svg:polygon', { points: corners.join(' '), ...attributes });
}

/// What the places of a board take up in its drawing: left, top, right, bottom.
export function extentOf(shape) {
  if (isSquare(shape) && !shape.holes?.length) {
    const [rows, columns] = seenSize(shape);
    return [BORDER, BORDER, BORDER + columns * CELL, BORDER + rows * CELL];
  }
  const square = [-CELL / 2, CELL / 2].map((half) => [half, half]);
  const all = Array.from({ length: shape.rows * shape.columns }, (_, at) => at).filter((at) => isPlace(shape, at));
  const points = all.flatMap((at) => {
    const [x, y] = centreOf(shape, at);
    const corners = isSquare(shape) || shape.graph ? square : cornersOf(shape, at, 0);
    return corners.map(([right, down]) => [x + right, y + down]);
  });
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/// The middle of several places.
export function middleOf(shape, cells) {
  const all = cells.map((at) => centreOf(shape, at));
  return [0, 1].map((axis) => all.reduce((sum, at) => sum + at[axis], 0) / all.length);
}

/// An arrow between two points of the drawing.
export function arrow([x1, y1], [x2, y2], width, name, ...more) {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = 8 + width;
  const [ex, ey] = [x2 - dx * head, y2 - dy * head];
  const points = [
    [x2, y2],
    [ex - dy * head * 0.7, ey + dx * head * 0.7],
    [ex + dy * head * 0.7, ey - dx * head * 0.7],
  ];
  return element(
    'svg:g',
    { class: `shape ${name}` },
    element('svg:line', { x1: x1 + dx * 8, y1: y1 + dy * 8, x2: ex, y2: ey, 'stroke-width': width }),
    element('svg:polygon', { points: points.map((point) => point.join(',')).join(' ') }),
    ...more,
  );
}

/// A value on a ground of its own.
function pill(x, y, words) {
  const width = 7 + 6.4 * words.length;
  const ground = element('svg:rect', { x: x - width / 2, y: y - 8, width, height: 16, rx: 5 });
  return [ground, text(x, y + 4, words, 'value on-pill')];
}

/// A text on its ground: a disc, or for more than two letters what they need.
function label(cx, cy, words) {
  const length = [...words].length;
  if (length < 3) return [element('svg:circle', { cx, cy, r: 12 }), text(cx, cy + 5, words, 'value on-pill')];
  const [step, name] = length < 6 ? [6.8, 'long'] : [4.8, 'longest'];
  const width = 8 + step * length;
  const ground = element('svg:rect', { x: cx - width / 2, y: cy - 9, width, height: 18, rx: 6 });
  return [ground, text(cx, cy + 4, words, `value on-pill ${name}`)];
}

/// The outline of a mark around a point.
function outline(kind, x, y) {
  if (kind === 'square') return element('svg:rect', { x: x - 12, y: y - 12, width: 24, height: 24 });
  if (kind === 'triangle') return element('svg:path', { d: `M${x} ${y - 14}l13 22h-26z` });
  if (kind === 'cross') return element('svg:path', { d: `M${x - 10} ${y - 10}l20 20m0 -20l-20 20` });
  return element('svg:circle', { cx: x, cy: y, r: 13 });
}

/// The element of a shape on a board of this form.
export function drawnShape(shape, one) {
  const tone = `tone-${one.tone ?? 'best'}`;
  const centre = (index) => centreOf(shape, index);
  const middle = (cells) => middleOf(shape, cells);
  const group = (name, ...children) => element('svg:g', { class: `shape ${name}` }, ...children);
  if (one.kind === 'arrow') {
    const [from, to] = [centre(one.from), centre(one.to)];
    const value = one.text ? [element('svg:g', { class: 'pill' }, ...pill(to[0], to[1], one.text))] : [];
    return arrow(from, to, one.width ?? 6, tone, ...value);
  }
  if (one.kind === 'bar') {
    const all = one.cells.map(centre);
    const [left, top] = [0, 1].map((axis) => Math.min(...all.map((at) => at[axis])));
    const [right, bottom] = [0, 1].map((axis) => Math.max(...all.map((at) => at[axis])));
    const inset = one.text ? 12 : 5;
    const [x, y] = middle(one.cells);
    const area = {
      x: left - CELL / 2 + inset,
      y: top - CELL / 2 + inset,
      width: right - left + CELL - 2 * inset,
      height: bottom - top + CELL - 2 * inset,
      rx: 5,
    };
    // Without a text it is a frame: what stands on the places stays readable.
    if (!one.text) return group(`span frame ${tone}`, element('svg:rect', area));
    return group(`span ${tone}`, element('svg:rect', area), text(x, y + 4, one.text, 'value on-pill'));
  }
  if (one.kind === 'pill') {
    const [x, centreY] = middle(one.cells);
    // Between two places of a row it stands below what is written there.
    const [first, last] = [one.cells[0], one.cells.at(-1)].map((at) => seenAt(shape, at)[0]);
    const y = one.cells.length > 1 && first === last ? centreY + 13 : centreY;
    return group(`pill ${one.best ? 'best' : ''} ${tone}`, ...pill(x, y, one.text));
  }
  if (one.kind === 'count') {
    const [x, y] = middle(one.cells);
    return group('counts', text(x, y + 5, one.text, `count number on-${colour(shape, one.side)}`));
  }
  if (one.kind === 'line') {
    const [[x1, y1], [x2, y2]] = [centre(one.from), centre(one.to)];
    const ends = { x1, y1, x2, y2 };
    const casing = element('svg:line', { ...ends, class: 'casing', 'stroke-width': 9 });
    return group(`row ${tone}`, casing, element('svg:line', { ...ends, 'stroke-width': 5 }));
  }
  const [cx, cy] = centre(one.at);
  if (one.kind === 'dot') return group(`dot ${tone}`, element('svg:circle', { cx, cy, r: 6.5 }));
  if (one.kind === 'number') {
    const stone = element('svg:circle', { cx, cy, r: CELL * 0.4, class: colour(shape, one.side) });
    return group('stones', stone, text(cx, cy + 5, one.text, `number on-${colour(shape, one.side)}`));
  }
  if (one.kind === 'mark') {
    const casing = outline(one.mark, cx, cy);
    casing.setAttribute('class', 'casing');
    return group(`sign ${tone}`, casing, outline(one.mark, cx, cy));
  }
  if (one.kind === 'label') return group(`label ${tone}`, ...label(cx, cy, one.text));
  const value = one.pill ? [element('svg:g', { class: 'pill' }, ...pill(cx, cy, one.pill))] : [];
  return group(
    `ring ${tone}`,
    element('svg:circle', { cx, cy, r: CELL * 0.36, 'stroke-width': one.width ?? 3 }),
    ...(one.text ? [text(cx, cy + 4, one.text, 'value')] : []),
    ...value,
  );
}
