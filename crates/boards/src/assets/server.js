// What boards ask: positions, moves of engines, files. The server answers, or for searches engines in this browser; on
// pages without a server they answer everything.

import { alone, askHere, giveUp, named, searchesHere, stated } from './here.js';
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

/// Asks the engines here. What they refuse is an error as the server's.
async function here(request, signal) {
  try {
    return await askHere(request, { signal });
  } catch (error) {
    if (error.name === 'Refused') throw new Refused({ detail: error.message, at: error.at });
    throw error;
  }
}

/// A search: here if that is wanted and works, or else by what asks the server.
export async function searched(request, game, signal, askServer) {
  if (searchesHere(game)) {
    try {
      return await here(request, signal);
    } catch (error) {
      if (error instanceof Refused || error.name === 'AbortError' || !giveUp()) throw error;
    }
  }
  return askServer();
}

/// A found move with its score in the language of the page: engines here know English only.
function scored(found) {
  const { key, arguments: values } = found.message ?? {};
  if (key === 'worth-wins') return { ...found, score: t('wins in {count}', { count: values.plies }) };
  if (key === 'worth-loses') return { ...found, score: t('loses in {count}', { count: values.plies }) };
  return found;
}

const known = new Map();
const KEPT = 400;
/// A move that this side may not see, in any language.
const HIDDEN = '(hidden)';

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
  stacked: t('{count} pieces'),
  facedown: t('a card face down'),
};

/// A position of the engines here in the language of the page.
function translated(view) {
  const { result } = view;
  return {
    ...view,
    seats: view.seats.map(named),
    gauges: view.gauges.map(named),
    forbidden: view.forbidden.map((point) => ({ ...point, reason: stated(point.message) })),
    explained: view.explained.map((point) => ({
      ...point,
      steps: point.steps.map((step) => ({ ...step, text: stated(step.message) })),
    })),
    result: result && { ...result, reason: stated(result.message) },
  };
}

/// Marks the places that are forbidden to the side that is not to move: it is well to see them.
function withBarred(view) {
  view.words = PLACES;
  for (const played of view.moves) if (played.letters === HIDDEN) played.letters = t('(hidden)');
  for (const { at, side } of view.forbidden)
    if (side !== view.turn && !view.cells[at][0]) view.cells[at][4] = 'barred';
  return view;
}

/// A position, and what can be done there. One that has been asked for is known.
export async function position(question) {
  const key = JSON.stringify(question);
  if (!known.has(key)) {
    if (known.size >= KEPT) known.delete(known.keys().next().value);
    const answer = alone
      ? here({ do: 'position', question }).then(translated)
      : ask('/api/v1/position', question).then((response) => response.json());
    known.set(key, answer.then(withBarred));
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
  const asked = { ...question, engine, ...time };
  const found = await searched({ do: 'move', question: asked }, question.game, signal, async () =>
    (await ask('/api/v1/move', { ...asked, client: CLIENT }, signal)).json());
  return scored(found);
}

/// An opening by an opening rule, and the champion's decision in it if the question wants that.
export const opening = (question) =>
  searched({ do: 'opening', question }, question.game, undefined, async () => ({
    ...(await (await ask('/api/v1/opening', { ...question, client: CLIENT })).json()),
    spoken: true,
  })).then(({ position: view, next, spoken, ...rest }) => ({
    ...rest,
    // A server has said it in the language of the page.
    next: next && (spoken ? next : { ...next, text: stated(next.message) }),
    position: withBarred(spoken ? view : translated(view)),
  }));

/// What is known of a position without a search.
export async function knownOf(question) {
  if (alone) return here({ do: 'known', question });
  return (await ask('/api/v1/known', { ...question, client: CLIENT })).json();
}

/// What was played from a position in the games that come with Agon: { games, moves, examples }.
export async function playedOf(question) {
  if (alone) return here({ do: 'played', question });
  return (await ask('/api/v1/played', question)).json();
}

/// The list of puzzles of a game.
export const puzzleList = (game) =>
  alone ? here({ do: 'puzzle-list', game }) : get(`/api/v1/puzzles/${game}/list`);

/// A puzzle: `query` is { number }, { day } or { seed }.
export const puzzleOf = (game, query) =>
  alone
    ? here({ do: 'puzzle', game, ...query }).then((found) => ({ ...found, text: stated(found.message) }))
    : get(`/api/v1/puzzles/${game}?${new URLSearchParams(query)}`);

let judged = new AbortController();

/// What the last move of an attempt at a puzzle is worth. A later question ends an earlier one.
export async function puzzleMove(attempt) {
  judged.abort();
  judged = new AbortController();
  const { signal } = judged;
  return searched({ do: 'puzzle-move', attempt }, attempt.game, signal, async () =>
    (await ask('/api/v1/puzzle-move', { ...attempt, client: CLIENT }, signal)).json());
}

/// The puzzles that a game has missed.
export const missedIn = (question) =>
  searched({ do: 'missed', question }, question.game, undefined, async () =>
    (await ask('/api/v1/missed', { ...question, client: CLIENT })).json());

/// A dish, run by the engines here as a game for the viewer.
export async function runDish(question, own) {
  const game = await here({ do: 'dish', question, own });
  return { ...game, seats: game.seats.map(named), gauges: game.gauges.map(named) };
}

async function get(path) {
  const response = await fetch(path, { headers: { 'accept-language': language } });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer);
  return answer;
}

/// The game in a text.
export async function readGame(text, game) {
  if (alone) return here({ do: 'read', file: { text, game } });
  return (await ask('/board/read', { text, game })).json();
}

/// All games of a file, with what it says of them: { games, left_out }. What is read: { text } or { base64 }, { name }.
export async function readGames(what, game) {
  const file = { ...what, game, all: true };
  const answer = alone ? await here({ do: 'read', file }) : await (await ask('/board/read', file)).json();
  // A line of moves is one game.
  return answer.games ? answer : { games: [answer], left_out: [] };
}

/// Formats that are no text.
const BINARY = ['lib', 'pos'];

/// A game in a format, as a text or as bytes. What is known besides:
/// { engines: [is one, is one], end: { winner, termination }, variations, header, notes }.
export async function writeGame(question, names, format, more = {}) {
  const game = { question, names, format, ...more };
  const isBinary = BINARY.includes(format);
  if (!alone) return (await ask('/board/write', game))[isBinary ? 'blob' : 'text']();
  const text = await here({ do: 'write', game });
  // The engines here give each byte as a character.
  return isBinary ? Uint8Array.from(text, (byte) => byte.charCodeAt(0)) : text;
}
