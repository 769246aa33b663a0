// What boards ask of the server: positions, moves of engines, files. No rule of any game is known in the browser.

import { language, t } from './words.js';

export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? t('the server refuses this'));
    this.at = problem.at;
  }
}

/// Posts a question and returns the answer. What is refused is an error in the server's words.
export async function ask(path, question, signal) {
  let response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(question),
      signal,
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refused({ detail: t('The server does not answer.') });
  }
  if (!response.ok) {
    const detail = t('The server answers {status}.', response);
    throw new Refused(await response.json().catch(() => ({ detail })));
  }
  return response;
}

const known = new Map();
const KEPT = 400;

/// What a board says of its places.
const PLACES = {
  places: t('places of the board'),
  place: t('row {row}, column {column}'),
  empty: t('empty'),
  points: t('{count} points'),
  placed: t('last move'),
  captured: t('just captured'),
  vacated: t('just left'),
  won: t('part of the winning row'),
  forbidden: t('forbidden'),
  barred: t('forbidden to the other side'),
  corpse: t('corpse'),
  burst: t('burst'),
  picked: t('picked up'),
  playable: t('can be played'),
  movable: t('can move'),
  targets: t('{place} picked up, {count} targets'),
  again: t('{place}: once more to play'),
};

/// Marks the places that are forbidden to the side that is not to move: it is well to see them.
function withBarred(view) {
  view.words = PLACES;
  for (const { at, side } of view.forbidden)
    if (side !== view.turn && !view.cells[at][0]) view.cells[at][4] = 'barred';
  return view;
}

/// A position, and what can be done there. One that has been asked for is known.
export async function position(question) {
  const key = JSON.stringify(question);
  if (!known.has(key)) {
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    known.set(
      key,
      ask('/api/v1/position', question)
        .then((response) => response.json())
        .then(withBarred),
    );
    // What failed once is asked again.
    known.get(key).catch(() => known.delete(key));
  }
  return known.get(key);
}

/// A word by which the server knows this tab: a new search of it ends the one before.
export const CLIENT = crypto.getRandomValues(new Uint32Array(2)).join('');

/// The move of an agent of the user: { move, letters, score, ms, stderr, fault, opened }.
export async function agentMove(question, engine, time, signal) {
  const asked = { ...question, engine, client: CLIENT };
  if (time.clock) asked.clock = time.clock;
  return (await ask('/board/agent', asked, signal)).json();
}

/// The move of an engine, within `{ ms }`, or by its clock: `{ clock: [milliseconds left, for each move] }`.
export async function engineMove(question, engine, time, signal) {
  return (await ask('/api/v1/move', { ...question, engine, ...time, client: CLIENT }, signal)).json();
}

/// The game in a text.
export async function readGame(text, game) {
  return (await ask('/board/read', { text, game })).json();
}

/// All games of a file, with what it says of them: { games, left_out }. What is read: { text } or { base64 }, { name }.
export async function readGames(what, game) {
  const answer = await (await ask('/board/read', { ...what, game, all: true })).json();
  // A line of moves is one game.
  return answer.games ? answer : { games: [answer], left_out: [] };
}

/// The text of a game in a format. What is known besides:
/// { engines: [is one, is one], end: { winner, termination }, variations, header, notes }.
export async function writeGame(question, names, format, more = {}) {
  return (await ask('/board/write', { question, names, format, ...more })).text();
}
