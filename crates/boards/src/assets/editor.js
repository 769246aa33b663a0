// A position that is put together by hand: what a press does to it, and the text of it. Whether it can be is for the
// server to say.
//
// { game, rows, columns, cells: [place…], turn: 0|1, bonus, stars: [index…] }; a place as board.js has it.

/// How each game writes a position. `pieces` are the letters of the sides in the rows, `turns` those of the side to
/// move; `count` is whether empty places are counted.
const NOTATIONS = {
  renju: { pieces: ['B', 'W'], turns: ['B', 'W'], rest: '' },
  bacteria: { pieces: ['x', 'o'], turns: ['x', 'o'], rest: ' 0 1' },
  domineering: { dominoes: true, turns: ['H', 'V'] },
};

/// Whether positions of a game can be put together here.
export const editable = (game) => Object.hasOwn(NOTATIONS, game);
export const hasDominoes = (game) => NOTATIONS[game]?.dominoes === true;

/// The position of a view, to be changed.
export function fromView(view) {
  const cells = view.cells.map(([owner, glyph, weight, joins]) => [owner, glyph, weight, joins, null]);
  // The bonus of the second side is a field of its own where there are weights.
  const bonus = hasDominoes(view.game) ? view.position.split(' ')[4] : null;
  const stars = view.cells.flatMap((cell, at) => (cell[4] === 'star' ? [at] : []));
  return { game: view.game, rows: view.rows, columns: view.columns, cells, turn: view.turn ?? 0, bonus, stars };
}

/// The places as a board draws them: with the dots that are printed on it.
export function drawnCells({ cells, stars }) {
  return cells.map((cell, at) => (!cell[0] && stars.includes(at) ? [...cell.slice(0, 4), 'star'] : cell));
}

const empty = (weight) => [0, weight === null ? '.' : String(weight), weight, null, null];

/// The other half of the domino on a place; the place itself if there is none.
function half(position, at) {
  const joins = position.cells[at][3];
  return joins ? at + joins[0] * position.columns + joins[1] : at;
}

/// What a tool does to a place: [[place, cell]…], nothing where it cannot be put. Tools: `piece 0`, `piece 1`,
/// `erase`, `weight 7`.
export function painted(position, tool, at) {
  const { game, columns, rows, cells } = position;
  const [kind, number] = tool.split(' ');
  const changes = new Map();
  const clear = (place) => {
    for (const one of [place, half(position, place)]) changes.set(one, empty(cells[one][2]));
  };
  if (kind === 'weight') {
    const [owner, , , joins] = cells[at];
    return [[at, [owner, String(number), Number(number), joins, null]]];
  }
  if (kind === 'erase') {
    clear(at);
    return [...changes];
  }
  const side = Number(number);
  const glyph = NOTATIONS[game].turns[side];
  if (!hasDominoes(game)) {
    // Once more takes it away.
    return [[at, cells[at][0] === side + 1 ? empty(cells[at][2]) : [side + 1, glyph, cells[at][2], null, null]]];
  }
  const other = side === 0 ? at + 1 : at + columns;
  const fits = side === 0 ? at % columns < columns - 1 : at < (rows - 1) * columns;
  if (!fits) return [];
  clear(at);
  clear(other);
  const step = side === 0 ? [0, 1] : [1, 0];
  const back = side === 0 ? [0, -1] : [-1, 0];
  changes.set(at, [side + 1, glyph, cells[at][2], step, null]);
  changes.set(other, [side + 1, glyph, cells[other][2], back, null]);
  return [...changes];
}

/// What a tool does to a place that a drag comes over: once there is enough, and a domino covers no other one.
export function stroke(position, tool, at) {
  const effect = painted(position, tool, at);
  const [kind, number] = tool.split(' ');
  const taken = ([owner, glyph, , joins]) => Boolean(owner || joins || glyph === '#');
  if (kind === 'erase') return taken(position.cells[at]) ? effect : [];
  if (kind !== 'piece') return effect;
  if (hasDominoes(position.game)) return effect.some(([place]) => taken(position.cells[place])) ? [] : effect;
  return position.cells[at][0] === Number(number) + 1 ? [] : effect;
}

/// The tool that a drag goes on with: one that begins on a piece of its own takes pieces away.
export function brush(position, tool, at) {
  const [kind, number] = tool.split(' ');
  const own = kind === 'piece' && !hasDominoes(position.game) && position.cells[at][0] === Number(number) + 1;
  return own ? 'erase' : tool;
}

/// The same as moves of a board, which previews them and takes them by keys, too.
export function presses(position, tool) {
  const press = (at) => {
    const effect = painted(position, tool, at);
    return { move: `${tool} ${at}`, letters: tool, from: [], to: [at], effect };
  };
  return position.cells.map((_, at) => press(at)).filter((one) => one.effect.length);
}

/// The position with places changed.
export function changed(position, effect) {
  const cells = [...position.cells];
  for (const [at, cell] of effect) cells[at] = cell;
  return { ...position, cells };
}

/// The position without a piece on it.
export const cleared = (position) => ({ ...position, cells: position.cells.map((cell) => empty(cell[2])) });

/// The position on a board of another size; what lies outside is lost.
export function resized(position, rows, columns) {
  const cells = [];
  for (let row = 0; row < rows; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const there = row < position.rows && column < position.columns;
      const cell = there ? position.cells[row * position.columns + column] : empty(0);
      const joins = cell[3];
      const cut = joins && (row + joins[0] >= rows || column + joins[1] >= columns);
      cells.push(cut ? empty(cell[2]) : cell);
    }
  return { ...position, rows, columns, cells };
}

function inRows(position, sign) {
  const rows = [];
  for (let row = 0; row < position.rows; row += 1)
    rows.push(position.cells.slice(row * position.columns, (row + 1) * position.columns).map(sign).join(''));
  return rows.join('/');
}

/// The position in the notation of its game.
export function toText(position) {
  const { game, turn, bonus, cells } = position;
  const { pieces, turns, rest } = NOTATIONS[game];
  if (!hasDominoes(game)) {
    const rows = inRows(position, ([owner]) => (owner ? pieces[owner - 1] : '.'));
    return `${rows.replace(/\.+/g, (run) => run.length)} ${turns[turn]}${rest}`;
  }
  const weights = inRows(position, ([, , weight]) => (weight > 9 ? `(${weight})` : weight));
  const halves = { '0,1': '<', '0,-1': '>', '1,0': '^', '-1,0': 'v' };
  const cover = inRows(position, ([owner, glyph, , joins]) =>
    joins ? halves[joins.join()] : owner || glyph === '#' ? '#' : '.',
  );
  const dominoes = cells.filter((cell) => cell[3] && cell[3][0] + cell[3][1] > 0).length;
  return `${weights} ${cover} ${turns[turn]} 0 ${bonus ?? 2.5} ${dominoes}`;
}
