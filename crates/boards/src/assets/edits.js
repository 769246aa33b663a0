// Changes of a tree that can be taken back: { words, redo, undo }, each returning the node to go to.

import { add, shown } from './tree.js';
import { t } from './words.js';

/// Moves made from a node: `line` has { move, letters, side, key } each. What the tree has already is only gone to.
export function growing(from, line) {
  let known = from;
  let count = 0;
  for (const made of line) {
    const next = known.children.find((child) => child.move === made.move);
    if (!next) break;
    next.key ??= made.key ?? null;
    [known, count] = [next, count + 1];
  }
  const more = line.slice(count);
  if (!more.length) return { end: known, change: null };
  let first = null;
  let end = known;
  for (const made of more) {
    const parent = end;
    if (parent === known) {
      // The first one is put into the tree by the change itself.
      first = add({ children: [] }, made);
      first.parent = known;
      end = first;
    } else end = add(parent, made);
  }
  const change = {
    words: t('move {move}', { move: shown(first.letters) }),
    grows: true,
    redo: () => {
      known.children.push(first);
      return end;
    },
    undo: () => {
      known.children.splice(known.children.indexOf(first), 1);
      return from;
    },
  };
  return { end, change };
}

/// A node taken away with all that follows.
export function removing(node) {
  const { parent } = node;
  let place = -1;
  return {
    words: t('delete {name}', { name: shown(node.letters) }),
    shrinks: true,
    redo: () => {
      place = parent.children.indexOf(node);
      parent.children.splice(place, 1);
      return parent;
    },
    undo: () => {
      parent.children.splice(place, 0, node);
      return node;
    },
  };
}

/// The children of nodes in another order: [[parent, children]…].
function ordering(words, node, orders) {
  const before = orders.map(([parent]) => [parent, [...parent.children]]);
  const put = (all) => {
    for (const [parent, children] of all) parent.children.splice(0, parent.children.length, ...children);
    return node;
  };
  return { words, redo: () => put(orders), undo: () => put(before) };
}

/// The line of a node as the main line; nothing to do is null.
export function promoting(node) {
  const orders = [];
  for (let at = node; at.parent; at = at.parent) {
    const { children } = at.parent;
    if (children[0] !== at) orders.push([at.parent, [at, ...children.filter((child) => child !== at)]]);
  }
  return orders.length ? ordering(t('main line {move}', { move: shown(node.letters) }), node, orders) : null;
}

/// The variation that a node belongs to, one place further up; nothing to do is null.
export function raising(node) {
  let at = node;
  while (at.parent && at.parent.children[0] === at) at = at.parent;
  if (!at.parent) return null;
  const children = [...at.parent.children];
  const place = children.indexOf(at);
  [children[place - 1], children[place]] = [children[place], children[place - 1]];
  return ordering(t('move {move} up', { move: shown(at.letters) }), node, [[at.parent, children]]);
}

/// A part of a node set to another value.
export function setting(node, field, value, words) {
  const before = node[field];
  const put = (to) => {
    node[field] = to;
    return node;
  };
  return { words, redo: () => put(value), undo: () => put(before) };
}
