// The searches that a page asks for: one at a time, as events.

import { askHere, forHere, giveUp, searchesHere } from './here.js';
import { CLIENT } from './server.js';
import { t } from './words.js';

const EVENTS = ['line', 'best', 'win', 'values', 'end'];

/// Follows a search of a question: `receive` gets every event. Returns what closes it.
export function search(question, lines, limits, receive) {
  return searchesHere(question.game)
    ? searchHere(question, lines, limits, receive)
    : searchOnServer(question, lines, limits, receive);
}

/// Memory of the tables, in MiB, that a telephone gives that has refused more.
const SMALL_HASH = 4;

/// A search in this browser; if it cannot run here even with small tables and one thread, the server's takes its place.
function searchHere(question, lines, limits, receive) {
  const stop = new AbortController();
  let other = null;
  const event = (name, data) => stop.signal.aborted || receive(name, data);
  const begin = (asked) => askHere({ do: 'analysis', question: asked }, { signal: stop.signal, event });
  const asked = { ...forHere({ ...question, ...limits }), lines };
  const smaller = (error) => {
    if (stop.signal.aborted || error.name === 'Refused') throw error;
    const { threads, ...alone } = asked;
    return begin({ ...alone, hash: SMALL_HASH });
  };
  begin(asked).catch(smaller).then(
    (end) => event('end', end),
    (error) => {
      if (stop.signal.aborted) return;
      if (error.name !== 'Refused' && giveUp()) other = searchOnServer(question, lines, limits, receive);
      else event('end', { reason: 'lost' });
    },
  );
  return {
    close() {
      stop.abort();
      other?.close();
    },
  };
}

function searchOnServer(question, lines, limits, receive) {
  const request = { ...question, lines, ...limits, client: CLIENT };
  const events = new EventSource(`/api/v1/analysis?request=${encodeURIComponent(JSON.stringify(request))}`);
  const close = () => events.close();
  for (const name of EVENTS)
    events.addEventListener(name, (event) => {
      if (name === 'end') close();
      receive(name, JSON.parse(event.data));
    });
  events.addEventListener('error', () => {
    close();
    receive('end', { reason: 'lost' });
  });
  return events;
}

/// Which moves a text wants to be looked at: `H9 G7` only these, `-G7` all but this one. `legal` are the moves of the
/// position. Gives { only, without } in the judge's words, and `unknown` with what is not a move here.
export function considered(text, legal) {
  const wish = { only: [], without: [], unknown: [] };
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const name = word.replace(/^[-−]/, '');
    const found = legal.find(({ letters }) => letters.toLowerCase() === name.toLowerCase());
    if (!found) wish.unknown.push(name);
    else (name === word ? wish.only : wish.without).push(found.move);
  }
  return wish;
}

/// What is said when a search has ended, and whether it can go on.
export function endWords(reason) {
  return {
    time: [t('The time of one search is up.'), true],
    crowded: [t('Too many analyse now: try again soon.'), true],
    lost: [t('The engine does not answer.'), true],
    stopping: [t('The server stops.'), true],
  }[reason] ?? ['', false];
}

/// What was found of a position.
export const nothing = () => ({ found: [], opening: null, values: null, win: null, depth: 0 });

/// What was found, with another event.
export function received(known, name, data) {
  if (name === 'line') {
    const found = [...known.found];
    found[data.rank - 1] = data;
    return { ...known, found, depth: data.depth };
  }
  if (name === 'values') return { ...known, values: data };
  if (name === 'best' && !known.found.length) return { ...known, opening: data };
  if (name === 'win') return { ...known, win: data.win };
  return known;
}
