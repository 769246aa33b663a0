// What is known of a position without a search: proofs and books of the server, and the games in the studies here.

import { element } from './board.js';
import { knownOf } from './server.js';
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

/// The rows of the explorer: what the server knows, with what was played; proved moves first, then the most frequent.
export function merged(known, games, seats) {
  const rows = new Map(known.moves.map((one) => [one.move, { ...one, games: 0, wins: [0, 0], draws: 0 }]));
  for (const one of games) rows.set(one.move, { by: null, winner: null, ...rows.get(one.move), ...one });
  const words = ({ by, winner, positions }) => {
    if (by === 'proved') return t('proved: {seat} wins', { seat: seats[winner] });
    if (by === 'practised') return t('held in practice');
    if (by !== 'open') return '';
    return positions ? t('not decided, {count} positions open', { count: positions }) : t('not decided');
  };
  const rank = { proved: 1, practised: 2, open: 3 };
  return [...rows.values()]
    .map((one) => ({ ...one, words: words(one) }))
    .sort((one, other) => other.games - one.games || (rank[one.by] ?? 4) - (rank[other.by] ?? 4));
}

/// In one line: `proved: Black wins`, `218 of 224 answers are proved lost for White`; nothing of an unknown position.
export function headline(known, seats) {
  if (known.winner !== null) return t('proved: {seat} wins', { seat: seats[known.winner] });
  const proved = known.moves.filter((one) => one.by === 'proved');
  if (!proved.length) return '';
  return t('{proved} of {count} answers are proved to lose', { proved: proved.length, count: known.moves.length });
}

/// The panel. `owner` has: everything() for the chapters of the browser, entered(moves), previewed(moves | null).
export function knownPanel(owner) {
  const at = (id) => document.getElementById(id);
  let asked = 0;
  let last = null;

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

  async function explored(known, view) {
    const games = played(await owner.everything(), view.key);
    const rows = merged(known, games, view.seats);
    const cell = (...inside) => element('td', {}, ...inside);
    const made = rows.map((one) => {
      const ended = one.wins[0] + one.wins[1] + one.draws;
      const part = (n) => (ended ? `${Math.round((100 * n) / ended)} %` : '');
      const line = element('tr', {}, cell(move(one.letters, [one.move])), cell(one.words));
      line.append(cell(one.games || ''), cell(part(one.wins[0])), cell(part(one.wins[1])));
      return line;
    });
    const head = [t('Move'), t('Known'), t('Played'), view.seats[0], view.seats[1]];
    const table = element('table', {}, element('tr', {}, ...head.map((name) => element('th', { scope: 'col' }, name))));
    table.append(...made);
    at('explored').replaceChildren(
      rows.length ? table : element('p', { class: 'faint' }, t('Nothing is known or was played here: load games.')),
    );
  }

  async function show(question, view) {
    last = [question, view];
    const mine = ++asked;
    let known = { winner: null, line: [], letters: [], moves: [] };
    if (!view.result) known = await knownOf(question).catch(() => known);
    if (mine !== asked) return;
    head(known, view.seats);
    if (at('explorer').open) await explored(known, view);
  }
  at('explorer').addEventListener('toggle', () => at('explorer').open && last && show(...last));
  return { show };
}
