// Games as files, links and texts.

import { writeGame } from './server.js';

/// Offers a text, or bytes, as a file.
export function download(name, text, kind = 'text/plain') {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const link = document.createElement('a');
  [link.href, link.download] = [address, name];
  link.click();
  URL.revokeObjectURL(address);
}

/// Writes a game in a format and offers it.
export async function save(question, names, format, more) {
  download(`agon-${question.game}.${format}`, await writeGame(question, names, format, more));
}

/// Copies a text, and says whether that worked.
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that come without TLS from another machine have no clipboard.
    return false;
  }
}

/// The question of a game as the part of an address after `#`.
export function toHash(question, more = {}) {
  const words = new URLSearchParams();
  if (question.position) words.set('position', question.position);
  for (const [name, value] of Object.entries(question.parameters ?? {})) words.set(name, value);
  if (question.seed) words.set('seed', question.seed);
  if (question.moves.length) words.set('moves', question.moves.map((move) => move.replaceAll(' ', '.')).join('/'));
  for (const [name, value] of Object.entries(more)) words.set(name, value);
  // What needs no escape here is read more easily without.
  return `#${words.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

const PARAMETERS = ['rows', 'columns', 'largest', 'bonus', 'board', 'opening', 'rules', 'opening-rule'];
/// The other words of an address. A game of one's own, whose name has the digest of its rules, has any parameters.
const OTHERS = ['game', 'position', 'seed', 'moves', 'ply', 'first', 'second', 'chapter', 'clock'];

/// The question in such an address, and the rest of its words; nothing if it has none.
export function fromHash(game, hash) {
  const words = new URLSearchParams(hash.slice(1));
  if (![...words.keys()].length) return null;
  const own = (words.get('game') ?? game).includes('@');
  const given = own
    ? [...new Set(words.keys())].filter((name) => !OTHERS.includes(name))
    : PARAMETERS.filter((name) => words.has(name));
  const parameters = Object.fromEntries(given.map((name) => [name, words.get(name)]));
  // Points with letters may have blanks between them, as people write moves.
  const text = words.get('moves') ?? '';
  const moves = text.split(!text.includes('/') && /[a-z]/i.test(text) ? ' ' : '/').filter(Boolean);
  return {
    words,
    question: {
      game: words.get('game') ?? game,
      position: words.get('position'),
      parameters,
      seed: Number(words.get('seed') ?? 0) || 0,
      moves: moves.map((move) => move.replaceAll('.', ' ')),
    },
  };
}
