// Positions of stones on points, however the board is turned or mirrored and in whatever order the stones were put:
// which nodes of trees are the same, and what was played from them, as the board stands here. Plain values, no page.
//
// Moves are those of renju: `8 8`, row and column from 1; a pass puts no stone.

const SIZE = 15;
const POINTS = SIZE * SIZE;

/// Where each point comes to lie, by the way of turning; the first way leaves all where they are.
const TURNS = Array.from({ length: 8 }, (_, way) =>
  Array.from({ length: POINTS }, (__, place) => {
    let [row, column] = [Math.floor(place / SIZE), place % SIZE];
    if (way & 4) [row, column] = [column, row];
    if (way & 1) row = SIZE - 1 - row;
    if (way & 2) column = SIZE - 1 - column;
    return row * SIZE + column;
  }));
/// The way that turns back.
const BACK = TURNS.map((turn) => TURNS.findIndex((other) => turn.every((to, place) => other[to] === place)));

/// Numbers of 32 bits that look drawn, the same on each page.
function* drawn(seed) {
  let state = seed;
  for (;;) {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    yield mixed ^ (mixed >>> 15);
  }
}
const numbers = drawn(15);
const words = () => Int32Array.from({ length: 2 * POINTS + 1 }, () => numbers.next().value);
/// The words of a stone, by side and place; the last ones are those of White's turn.
const [HIGH, LOW] = [words(), words()];

/// The place of a move; -1 of a pass.
export function placeOf(move) {
  const [row, column] = move.split(' ').map(Number);
  return row >= 1 && row <= SIZE && column >= 1 && column <= SIZE ? (row - 1) * SIZE + column - 1 : -1;
}
const moveAt = (place) => `${Math.floor(place / SIZE) + 1} ${(place % SIZE) + 1}`;
const lettersAt = (place) => String.fromCharCode(65 + (place % SIZE)) + (SIZE - Math.floor(place / SIZE));

/// The stones of a position in the notation of renju: [[side, place]…], and who is to move.
export function stonesOf(position) {
  const [rows, turn] = (position ?? '').split(' ');
  const stones = [];
  let place = 0;
  for (const [token] of rows.matchAll(/\d+|[BW.]/g)) {
    if (token === 'B' || token === 'W') stones.push([token === 'B' ? 0 : 1, place]);
    place += /\d/.test(token) ? Number(token) : 1;
  }
  return { stones, turn: turn === 'W' ? 1 : 0 };
}

/// The words of a position, two for each way of turning.
function beginning(start) {
  const at = new Int32Array(16);
  const { stones, turn } = stonesOf(start?.position);
  for (const [side, place] of stones) put(at, side, place);
  return { words: at, turn };
}

function put(at, side, place) {
  for (let way = 0; way < 8; way += 1) {
    const stone = side * POINTS + TURNS[way][place];
    at[2 * way] ^= HIGH[stone];
    at[2 * way + 1] ^= LOW[stone];
  }
}

/// The key of a position, a whole number, and the ways of turning that lead to it.
function keyOf(at, turn) {
  let [key, ways] = [Infinity, []];
  for (let way = 0; way < 8; way += 1) {
    const high = at[2 * way] ^ (turn ? HIGH[2 * POINTS] : 0);
    const low = at[2 * way + 1] ^ (turn ? LOW[2 * POINTS] : 0);
    // As many bits as a number has without loss.
    const found = (high >>> 11) * 4294967296 + (low >>> 0);
    if (found < key) [key, ways] = [found, [way]];
    else if (found === key) ways.push(way);
  }
  return { key, ways };
}

/// Calls `found(row, key, way)` for each row of a tree as tree.js keeps it: the key of its position, however it is
/// turned, and a way of turning that leads there.
export function eachKey(rows, start, found) {
  const kept = [];
  rows.forEach(([parent, move], n) => {
    const before = n === 0 ? null : kept[parent];
    const here = before ? { words: before.words, turn: 1 - before.turn } : beginning(start);
    const place = before ? placeOf(move) : -1;
    if (place >= 0) {
      here.words = Int32Array.from(before.words);
      put(here.words, before.turn, place);
    }
    kept.push(here);
    const { key, ways } = keyOf(here.words, here.turn);
    found(n, key, ways[0]);
  });
}

/// The position after moves: { key, ways }.
export function keyAfter(start, moves) {
  const here = beginning(start);
  for (const move of moves) {
    const place = placeOf(move);
    if (place >= 0) put(here.words, here.turn, place);
    here.turn = 1 - here.turn;
  }
  return keyOf(here.words, here.turn);
}

/// Where a place of a node that was turned by `way` lies on the board that is turned by these ways.
export const placesHere = (place, way, ways) => [...new Set(ways.map((here) => TURNS[BACK[here]][TURNS[way][place]]))];

/// A move of such a node as it is here: [{ move, letters, place }…], several where the position is symmetric.
export function movesHere(move, way, ways) {
  const place = placeOf(move);
  if (place < 0) return [{ move, letters: 'PASS', place }];
  return placesHere(place, way, ways).map((at) => ({ move: moveAt(at), letters: lettersAt(at), place: at }));
}

/// The nodes of a tree in memory by their positions. It follows what is added, and is made anew after what is taken
/// away.
export function treeIndex(root, start) {
  let byKey = null;
  let known = null;

  function add(node) {
    const open = [node];
    while (open.length) {
      const at = open.pop();
      const before = at.parent && known.get(at.parent);
      const here = before ? { words: before.words, turn: 1 - before.turn } : beginning(start);
      const place = before ? placeOf(at.move) : -1;
      if (place >= 0) {
        here.words = Int32Array.from(before.words);
        put(here.words, before.turn, place);
      }
      const { key, ways } = keyOf(here.words, here.turn);
      Object.assign(here, { key, ways });
      known.set(at, here);
      const same = byKey.get(key);
      if (same) same.push(at);
      else byKey.set(key, [at]);
      for (const child of at.children) open.push(child);
    }
  }

  function build() {
    [byKey, known] = [new Map(), new Map()];
    add(root);
  }

  return {
    /// What is in the tree has changed: a node was added, or, without one, something was taken away.
    changed(node = null) {
      if (!byKey) return;
      let at = node;
      while (at?.parent && !known.has(at.parent)) at = at.parent;
      if (!at) byKey = null;
      else if (!known.has(at)) add(at);
    },
    /// The key of a node's position, and all nodes with the same one.
    at(node) {
      if (!byKey || !known.has(node)) build();
      const { key, ways } = known.get(node);
      return { key, ways, nodes: byKey.get(key) };
    },
    /// What goes on from a node in all that are the same: [{ move, letters, place, nodes }…].
    next(node) {
      const { ways, nodes } = this.at(node);
      const found = new Map();
      for (const same of nodes)
        for (const child of same.children) {
          // The moves of this node itself stand as they are.
          for (const one of movesHere(child.move, known.get(same).ways[0], same === node ? [ways[0]] : ways)) {
            const row = found.get(one.move) ?? { ...one, nodes: [] };
            row.nodes.push(child);
            found.set(one.move, row);
          }
        }
      return [...found.values()];
    },
    /// The texts on points of the other nodes that are the same: shapes as the board stands here.
    texts(node) {
      const { ways, nodes } = this.at(node);
      const texts = new Map(node.shapes.filter((one) => one.kind === 'label').map((one) => [one.at, null]));
      for (const same of nodes) {
        if (same === node) continue;
        for (const shape of same.shapes) {
          if (shape.kind !== 'label') continue;
          for (const place of placesHere(shape.at, known.get(same).ways[0], ways))
            if (!texts.has(place)) texts.set(place, { ...shape, at: place });
        }
      }
      return [...texts.values()].filter(Boolean);
    },
  };
}
