// A tree of variations: plain nodes, and functions over them. It knows no game: moves are texts.
//
// A node: { move, letters, side, parent, children: [node…], value }; the root has no move. The first child goes on with
// the line.

export const newRoot = () => ({ move: null, letters: '', side: null, parent: null, children: [], value: null });

/// A move in a line of text: `3,1` of domineering is one word.
export const shown = (letters) => letters.replaceAll(' ', ',');

/// The child with this move, which is made if there is none. A made move: { move, letters, side }.
export function add(parent, { move, letters, side }) {
  const known = parent.children.find((child) => child.move === move);
  if (known) return known;
  const child = { move, letters, side, parent, children: [], value: null };
  parent.children.push(child);
  return child;
}

/// The nodes from the first move to this one.
export function path(node) {
  const nodes = [];
  for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
  return nodes;
}

export const moves = (node) => path(node).map((at) => at.move);

/// The nodes from the root on through this one to the end of its line.
export function line(node) {
  const nodes = path(node);
  for (let at = node.children[0]; at; at = at.children[0]) nodes.push(at);
  return nodes;
}

/// The moves of every line from the root to its end, as they stand in the tree.
export const lines = (root) => [...all(root)].filter((at) => !at.children.length).map(moves);

/// The tree of a main line and of variations, { shared, moves }: each begins with that many moves of the line before.
/// The moves are not known to be legal.
export function fromBranches(main, variations) {
  const root = newRoot();
  let nodes = [];
  for (const { shared, moves: more } of [{ shared: 0, moves: main }, ...variations]) {
    nodes = nodes.slice(0, shared);
    for (const move of more) nodes.push(add(nodes.at(-1) ?? root, { move, letters: move, side: null }));
  }
  return root;
}

/// Takes a move away with all that follows it, and returns the one before.
export function remove(node) {
  const { parent } = node;
  parent.children.splice(parent.children.indexOf(node), 1);
  return parent;
}

/// Makes the line of this node the main line.
export function promote(node) {
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent;
    children.unshift(...children.splice(children.indexOf(at), 1));
  }
}

const word = (letters) => letters.replaceAll(' ', '.');

/// The moves with variations in brackets, each behind the move that it replaces: `H8 H9 (G8 I7) I9`.
export function toText(root) {
  const words = [];
  function write(node) {
    const [first, ...others] = node.children;
    if (!first) return;
    words.push(word(first.letters));
    for (const other of others) {
      words.push('(', word(other.letters));
      write(other);
      words.push(')');
    }
    write(first);
  }
  write(root);
  return words.join(' ').replaceAll('( ', '(').replaceAll(' )', ')');
}

/// The tree of such a text. Its moves are as they stand there, and not known to be legal.
export function fromText(text) {
  const root = newRoot();
  const open = [];
  let at = root;
  for (const token of text.match(/[()]|[^\s()]+/g) ?? []) {
    if (token === '(') {
      if (!at.parent) throw new Error('a variation stands before the first move');
      open.push(at);
      at = at.parent;
    } else if (token === ')') {
      if (!open.length) throw new Error('a bracket is closed that is not open');
      at = open.pop();
    } else at = add(at, { move: token.replaceAll('.', ' '), letters: token.replaceAll('.', ' '), side: null });
  }
  if (open.length) throw new Error('a bracket is not closed');
  return root;
}

/// Every node below this one.
export function* all(node) {
  for (const child of node.children) {
    yield child;
    yield* all(child);
  }
}
