// Texts as trees: what a file says, and what of it the rules take.

import { carry, leftOut, nodesOfLines, remarksOf, toChapter } from './gamefiles.js';
import { position, readGames } from './server.js';
import { sameStart } from './studies.js';
import * as tree from './tree.js';

/// Where a chapter begins that is given nothing else.
export const EMPTY = { game: 'renju', position: null, parameters: {}, seed: 0 };
/// The line before the moves of a text that says where they begin: as games of one's own have it, whose rules only this
/// page knows, and as earlier releases wrote it for all.
const HEAD = /^agon (\S+)\s*\n/;

/// The moves of a tree as a text that other programs read, too. Where they do not begin as their game does, a header of
/// PGN says where: `position` is the text of the first position.
export function written(root, start, position) {
  const moves = `${tree.toText(root)}\n`;
  if (start.game.includes('@')) return `agon ${encodeURIComponent(JSON.stringify(start))}\n${moves}`;
  return sameStart(start, { ...EMPTY, game: start.game }) ? moves : `[FEN "${position}"]\n\n${moves}`;
}

/// The tree of moves that are not known to be legal, line by line as the rules take them: what they refuse is left out,
/// and named. What the nodes say goes with them.
export async function proved(from, unproved) {
  const made = tree.newRoot();
  const refused = [];
  carry(unproved, made);
  for (const nodes of nodesOfLines(unproved)) {
    const line = nodes.map((one) => one.move);
    const take = (answer) =>
      answer.moves.reduce((into, move, n) => {
        const next = tree.add(into, move);
        carry(nodes[n], next);
        return next;
      }, made);
    try {
      take(await position({ ...from, moves: line }));
    } catch (error) {
      // What the rules refuse is one move; anything else is no matter of this tree.
      if (error.at === undefined) throw error;
      refused.push(error.message);
      if (error.at > 0) take(await position({ ...from, moves: line.slice(0, error.at) }));
    }
  }
  return { made, refused };
}

/// The bytes of a file, as the server takes them.
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

/// What a text or a file is: its chapters, { name, start, root, facts, whole }, what of it is left out, and what one
/// should know. `whole` is whether it is a tree more than a game, which is shown from its start.
export async function understood({ text, name, file }, game, start) {
  const head = text.match(HEAD);
  const one = (from, moves) => {
    const chapter = { name, start: from, root: tree.fromText(moves), facts: {}, whole: true };
    return { chapters: [chapter], rest: [], remarks: [] };
  };
  if (head) return one(JSON.parse(decodeURIComponent(head[1])), text.slice(head[0].length));
  // Moves with variations in brackets: `H8 H9 (G8 I7) I9`.
  if (/^\w[^;{]*\([^;]*\)/.test(text.trim()))
    return one(start.game === game && start.position === null ? start : { ...EMPTY, game }, text);
  const read = await readGames(file ? { base64: await base64(file), name: file.name } : { text }, game);
  const chapters = read.games.map((each) => toChapter(each, name));
  return { chapters, rest: leftOut(read), remarks: remarksOf(read) };
}

const plainName = (file) => file.name.replace(/\.\w+$/, '');

/// Lets texts and files come by the form, by dropping them on the page, or by pasting: `load` gets a text, a name and
/// the file.
export function bindFiles(form, page, load) {
  const ofFile = async (file) => load(await file.text(), plainName(file), file);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    load(form.elements.text.value);
  });
  form.elements.file.addEventListener('change', async () => {
    const [file] = form.elements.file.files;
    if (file) await ofFile(file);
    form.elements.file.value = '';
  });
  page.addEventListener('dragover', (event) => event.preventDefault());
  page.addEventListener('drop', (event) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) ofFile(file);
    else load(event.dataTransfer.getData('text'));
  });
  addEventListener('paste', (event) => {
    if (!event.target.matches?.('input, textarea')) load(event.clipboardData.getData('text'));
  });
}
