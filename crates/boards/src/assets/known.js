// What is known of a position without a search: proofs and books of the server, and the games in the studies here.

import { element } from './board.js';
import { openingName } from './openings.js';
import { knownOf, playedOf } from './server.js';
import { eachKey, keyAfter, movesHere } from './symmetry.js';
import { shown } from './tree.js';
import { t } from './words.js';

/// Who has won a game by the fact RE of its file: 0, 1, 'draw', or null where that is not said.
export function winnerOf(facts) {
  const text = facts?.RE ?? '';
  if (/^(B|Black)\b|^B\+|^1-0/i.test(text)) return 0;
  if (/^(W|White)\b|^W\+|^0-1/i.test(text)) return 1;
  return /^(0|draw|jigo|1\/2)/i.test(text) ? 'draw' : null;
}

/// What was played from the position of this key in chapters:
/// [{ move, letters, games, wins: [of the first side, of the second], draws }…], the most frequent first.
export function played(chapters, key) {
  const found = new Map();
  for (const { rows, facts } of chapters) {
    const here = new Set(rows.flatMap(([, , , , more], n) => (more.key === key ? [n] : [])));
    if (!here.size) continue;
    const winner = winnerOf(facts);
    const moves = new Map(rows.filter(([parent]) => here.has(parent)).map(([, move, letters]) => [move, letters]));
    for (const [move, letters] of moves) {
      const one = found.get(move) ?? { move, letters, games: 0, wins: [0, 0], draws: 0 };
      one.games += 1;
      if (winner === 'draw') one.draws += 1;
      else if (winner !== null) one.wins[winner] += 1;
      found.set(move, one);
    }
  }
  return [...found.values()].sort((one, other) => other.games - one.games);
}

/// What was played in a chapter of renju, by the keys of its positions however they are turned:
/// { winner, byKey: { key: [[move, way]…] } }.
function indexed({ rows, start, facts }) {
  const [keys, ways] = [new Float64Array(rows.length), new Uint8Array(rows.length)];
  eachKey(rows, start, (n, key, way) => ([keys[n], ways[n]] = [key, way]));
  const byKey = new Map();
  for (const [parent, move] of rows) {
    if (parent < 0) continue;
    const list = byKey.get(keys[parent]);
    if (list) list.push([move, ways[parent]]);
    else byKey.set(keys[parent], [[move, ways[parent]]]);
  }
  return { winner: winnerOf(facts), byKey };
}

/// What was played in chapters of renju from a position however it is turned, as it stands here: rows as of `played`.
/// `indexes` keeps what has been indexed, by chapter.
export function playedTurned(chapters, { key, ways }, indexes = new Map()) {
  const found = new Map();
  for (const chapter of chapters.filter((one) => one.start.game === 'renju')) {
    const known = indexes.get(chapter.id);
    const index = known?.revision === chapter.revision ? known : { ...indexed(chapter), revision: chapter.revision };
    indexes.set(chapter.id, index);
    const moves = new Map();
    for (const [move, way] of index.byKey.get(key) ?? [])
      for (const one of movesHere(move, way, ways)) moves.set(one.move, one.letters);
    for (const [move, letters] of moves) {
      const one = found.get(move) ?? { move, letters, games: 0, wins: [0, 0], draws: 0 };
      one.games += 1;
      if (index.winner === 'draw') one.draws += 1;
      else if (index.winner !== null) one.wins[index.winner] += 1;
      found.set(move, one);
    }
  }
  return [...found.values()].sort((one, other) => other.games - one.games);
}

/// Moves of several sources in one list, rows as of `played`.
export function joined(lists) {
  const found = new Map();
  for (const one of lists.flat()) {
    const before = found.get(one.move);
    const wins = before?.wins ?? [0, 0];
    found.set(one.move, {
      ...one,
      games: one.games + (before?.games ?? 0),
      wins: one.wins.map((count, side) => count + wins[side]),
      draws: one.draws + (before?.draws ?? 0),
    });
  }
  return [...found.values()].sort((one, other) => other.games - one.games);
}

/// The rows of the explorer: what the server knows, with what was played: the most frequent moves first, then those
/// that are not decided, proved ones at the end.
export function merged(known, games, seats) {
  const rows = new Map(known.moves.map((one) => [one.move, { ...one, games: 0, wins: [0, 0], draws: 0 }]));
  for (const one of games) rows.set(one.move, { by: null, winner: null, ...rows.get(one.move), ...one });
  const words = ({ by, winner, positions }) => {
    if (by === 'proved') return t('proved: {seat} wins', { seat: seats[winner] });
    if (by === 'practised') return t('held in practice');
    if (by !== 'open') return '';
    return positions ? t('undecided ({count})', { count: positions }) : t('undecided');
  };
  const rank = { open: 1, practised: 2, proved: 4 };
  return [...rows.values()]
    .map((one) => ({ ...one, words: words(one) }))
    .sort((one, other) => other.games - one.games || (rank[one.by] ?? 3) - (rank[other.by] ?? 3));
}

/// The rows without those that mirror one before: `keyOf` gives a move what its position has however it is turned.
export function distinct(rows, keyOf) {
  const found = new Map(rows.toReversed().map((one) => [keyOf(one.move), one]));
  return rows.filter((one) => found.get(keyOf(one.move)) === one);
}

/// What is known where the games of the engines are not asked for.
const NONE = { games: 0, moves: [], examples: [] };

/// From how many proved moves on they are folded away.
const MANY = 4;

/// The rows that are seen at once, and those that are folded away: proved moves that no game has, where there are many
/// of them and others, too.
export function folded(rows) {
  const isPlain = (one) => one.by === 'proved' && !one.games;
  const [seen, away] = [rows.filter((one) => !isPlain(one)), rows.filter(isPlain)];
  return seen.length && away.length >= MANY ? { seen, away } : { seen: rows, away: [] };
}

/// In one line: `proved: Black wins`, `218 of 224 answers are proved lost for White`; nothing of an unknown position.
export function headline(known, seats) {
  if (known.winner !== null) return t('proved: {seat} wins', { seat: seats[known.winner] });
  const proved = known.moves.filter((one) => one.by === 'proved');
  if (!proved.length) return '';
  return t('{proved} of {count} answers are proved to lose', { proved: proved.length, count: known.moves.length });
}

/// The panel. `owner` has: everything() for the chapters of the browser, entered(moves), row(game), opened(game) for a
/// game of the engines: { name, parameters, moves }; settings, and stored() to keep them.
export function knownPanel(owner) {
  const at = (id) => document.getElementById(id);
  let asked = 0;
  let last = null;
  const indexes = new Map();

  function move(letters, moves) {
    const button = element('button', { type: 'button', class: 'quiet' }, shown(letters));
    button.addEventListener('click', () => owner.entered(moves));
    return button;
  }

  function head(known, seats) {
    const words = headline(known, seats);
    at('known').hidden = !words;
    const line = element('span', { class: 'pv' });
    known.letters.forEach((letters, n) => line.append(move(letters, known.line.slice(0, n + 1)), ' '));
    at('known').replaceChildren(element('strong', {}, words), ' ', line);
  }

  /// A row of the table; `named` gives a move the name of the opening that it makes.
  function lineOf(one, named) {
    const cell = (...inside) => element('td', {}, ...inside);
    const ended = one.wins[0] + one.wins[1] + one.draws;
    const part = (n) => (ended ? `${Math.round((100 * n) / ended)} %` : '');
    const words = [named(one.move), one.words].filter(Boolean).join(', ');
    const line = element('tr', {}, cell(move(one.letters, [one.move])), cell(words));
    line.append(cell(one.games || ''), cell(part(one.wins[0])), cell(part(one.wins[1])));
    return line;
  }

  async function explored(known, question, view) {
    const mine = asked;
    const of = at('explore-engines').checked ? await playedOf(question).catch(() => NONE) : NONE;
    const chapters = at('explore-own').checked ? await owner.everything() : [];
    if (mine !== asked) return;
    const turned = owner.row(question.game).files ? keyAfter(question, question.moves) : null;
    const own = turned ? playedTurned(chapters, turned, indexes) : played(chapters, view.key);
    const all = merged(known, joined([of.moves, own]), view.seats);
    const rows = turned ? distinct(all, (one) => keyAfter(question, [...question.moves, one]).key) : all;
    const named = (one) => (question.moves.length === 2 ? openingName(question, [...question.moves, one]) : '');
    const head = [t('Move'), t('Known'), t('Played'), view.seats[0], view.seats[1]];
    const heads = () => element('tr', {}, ...head.map((name) => element('th', { scope: 'col' }, name)));
    const table = (list) => element('table', {}, heads(), ...list.map((one) => lineOf(one, named)));
    const { seen, away } = folded(rows);
    if (!rows.length) {
      at('explored').replaceChildren(
        element('p', { class: 'faint' }, t('Nothing is known or was played here: load games.')),
      );
      return;
    }
    const words = t('{count} moves: {words}', { count: away.length, words: away[0]?.words });
    const more = away.length ? [element('details', {}, element('summary', {}, words), table(away))] : [];
    at('explored').replaceChildren(table(seen), ...more, ...examples(of.examples, view));
  }

  /// Games of the engines with the position, to be opened.
  function examples(games, view) {
    if (!games.length) return [];
    const list = element('ul', { class: 'plain' });
    for (const { levels: [first, second], winner, parameters, moves } of games) {
      const result = winner === null ? t('draw') : t('{seat} wins', { seat: view.seats[winner] });
      const values = { first, second, result, count: moves.length };
      const name = t('Level {first} – level {second}: {result}, {count} moves', values);
      const button = element('button', { type: 'button', class: 'quiet' }, name);
      button.addEventListener('click', () => owner.opened({ name, parameters, moves }));
      list.append(element('li', {}, button));
    }
    return [element('p', { class: 'faint' }, t('Games with this position')), list];
  }

  async function show(question, view) {
    last = [question, view];
    const mine = ++asked;
    let known = { winner: null, line: [], letters: [], moves: [] };
    if (!view.result) known = await knownOf(question).catch(() => known);
    if (mine !== asked) return;
    head(known, view.seats);
    if (at('explorer').open) await explored(known, question, view);
  }
  for (const [id, name] of [['explore-engines', 'exploreEngines'], ['explore-own', 'exploreOwn']]) {
    at(id).checked = owner.settings[name] !== false;
    at(id).addEventListener('change', () => {
      owner.settings[name] = at(id).checked;
      owner.stored();
      if (last) show(...last);
    });
  }
  at('explorer').addEventListener('toggle', () => at('explorer').open && last && show(...last));
  return { show };
}
