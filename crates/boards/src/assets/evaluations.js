// What an engine's messages are worth, and how they are drawn. Nothing here asks or shows anything.

import { shown } from './tree.js';
import { t } from './words.js';

/// Shares of the bar by which a move is a slip, a mistake, a blunder.
const SHARES = [[0.3, '??', 'blunder'], [0.17, '?', 'mistake'], [0.08, '?!', 'slip']];
/// What they are called.
export const MISTAKES = { blunder: t('blunder'), mistake: t('mistake'), slip: t('slip') };

/// The first side's share of the bar, in a game whose values have this scale.
export function share(value, scale) {
  if (!value) return 0.5;
  if (value.mate) return value.mate === 'first' ? 1 : 0;
  return 1 / (1 + Math.exp(-value.first / (scale / 1.6)));
}

/// What a line is worth for the side to move: `+1.25`, `wins in 7`.
function worthText(data) {
  if (data.wins_in != null) return t('wins in {count}', { count: data.wins_in });
  if (data.loses_in != null) return t('loses in {count}', { count: data.loses_in });
  return data.text;
}

/// What a line is worth, from the first side's view.
export function worth(data) {
  const sign = data.side === 0 ? 1 : -1;
  const mate = data.wins_in != null ? sign : data.loses_in != null ? -sign : 0;
  return { first: data.first, text: worthText(data), mate: mate === 0 ? null : mate > 0 ? 'first' : 'second' };
}

/// The same of all moves of a game that is solved; `seats` are the names of the sides.
export function worthOfValues(data, seats) {
  const first = data.lead + data.estimate;
  const seen = data.turn === seats[0] ? first : -first;
  const value = `${seen > 0 ? '+' : ''}${seen}`;
  const text = data.value == null ? t('{value} estimated', { value }) : t('{value} proved', { value });
  return { first, text, mate: data.winner === 'draw' ? null : data.winner };
}

/// How bad a move was, by what the bar has lost from its maker's view: [least, sign, name], or null.
export function mistake(node, scale) {
  if (!node.value || !node.parent?.value) return null;
  const lost = (share(node.parent.value, scale) - share(node.value, scale)) * (node.side === 0 ? 1 : -1);
  return SHARES.find(([least]) => lost >= least) ?? null;
}

/// Moves of the answer to a mistake that are named.
const ANSWER = 3;

/// What a marked move has cost, in words, what punishes it, and what would have been better: `Black’s winning chances
/// fall from 62 % to 14 %. The answer is J9 K8. Better was L9 K8.`
export function mistakeText(node, scale, seats) {
  const of = ({ value }) => Math.round(100 * (node.side === 0 ? share(value, scale) : 1 - share(value, scale)));
  const values = { move: shown(node.letters), seat: seats[node.side], before: of(node.parent), after: of(node) };
  const words = t('{move}: {mistake}. {seat}’s winning chances fall from {before} % to {after} %.', {
    ...values, mistake: MISTAKES[mistake(node, scale)[2]],
  });
  const lineOf = ({ best, line = [best] }, most) => line.filter(Boolean).slice(0, most).map(shown).join(' ');
  const [answer, better] = [lineOf(node, ANSWER), lineOf(node.parent)];
  return [
    words,
    ...(answer ? [t('The answer is {line}.', { line: answer })] : []),
    ...(better && node.parent.best !== node.letters ? [t('Better was {line}.', { line: better })] : []),
  ].join(' ');
}

/// What each side lost over a line: [{ moves, accuracy, wrong: { slip, mistake, blunder } } of both sides]. The
/// accuracy is what a side has kept of the bar on average, in per cent; null where no move of it is known.
export function report(nodes, scale) {
  return [0, 1].map((side) => {
    const wrong = { slip: 0, mistake: 0, blunder: 0 };
    let [moves, lost] = [0, 0];
    for (const one of nodes) {
      if (one.side !== side || !one.value || !one.parent?.value) continue;
      const loss = (share(one.parent.value, scale) - share(one.value, scale)) * (side === 0 ? 1 : -1);
      moves += 1;
      lost += Math.max(0, loss);
      const found = mistake(one, scale);
      if (found) wrong[found[2]] += 1;
    }
    return { moves, accuracy: moves ? 100 * (1 - lost / moves) : null, wrong };
  });
}

/// The same for people: `Black: accuracy 93 %, 1 blunder. White: accuracy 99 %.`
export function reportText(both, seats) {
  const of = ({ accuracy, wrong }, side) => {
    const { blunder, mistake: mistakes, slip } = wrong;
    const parts = [t('accuracy {share} %', { share: Math.round(accuracy) })];
    if (blunder) parts.push(blunder > 1 ? t('{count} blunders', { count: blunder }) : t('1 blunder'));
    if (mistakes) parts.push(mistakes > 1 ? t('{count} mistakes', { count: mistakes }) : t('1 mistake'));
    if (slip) parts.push(slip > 1 ? t('{count} slips', { count: slip }) : t('1 slip'));
    return `${seats[side]}: ${parts.join(', ')}.`;
  };
  return both.flatMap((one, side) => (one.moves ? [of(one, side)] : [])).join(' ');
}

const grouped = (n) => Math.round(n).toLocaleString('en');

/// What a search has cost so far: `1,234,567 nodes, 410 k/s, 3.0 s, hash 12 %`.
export function effort({ nodes, ms, hashfull = null }) {
  const rate = ms > 50 ? `, ${grouped(nodes / ms)} k/s` : '';
  const hash = hashfull === null ? '' : `, ${t('hash {share} %', { share: Math.round(hashfull / 10) })}`;
  return `${t('{count} nodes', { count: grouped(nodes) })}${rate}, ${(ms / 1000).toFixed(1)} s${hash}`;
}

/// What a move leads to for the side to move, where only the winner is proved: a sign that leaves the digits of a board
/// free, nothing where that is open.
function outcomeSign(winner, turn) {
  if (!winner) return '';
  if (winner === 'draw') return '=';
  return (winner === 'first') === (turn === 0) ? '+' : '−';
}

/// A value short enough for a point of a board: `+1.2`, `win 7`.
export function shortValue(data) {
  if (data.wins_in != null) return t('wins');
  if (data.loses_in != null) return t('loses');
  const value = data.side === 0 ? data.first : -data.first;
  const digits = Math.abs(value) >= 10 ? 0 : 1;
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(digits)}`;
}

/// The places of a win that is drawn move by move, from rows and columns of the judge.
export const placesOf = (win, view) =>
  win.map(([row, column]) => (row - view.origin) * view.columns + column - view.origin);

/// The move to a place, as people write it, from another place or from the hand; null where a game writes its moves
/// otherwise.
export function moveTo(view, to, from = null) {
  const { columns, letter, origin, rows } = view;
  const name = (at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const file = letter && String.fromCharCode(letter.charCodeAt(0) + column);
    return letter ? `${file}${rows - row}` : `${row + origin} ${column + origin}`;
  };
  const known = view.legal.find((move) => move.to.length);
  if (!known?.letters.endsWith(name(known.to[0]))) return null;
  return [from, to].filter((at) => at !== null).map(name).join(letter ? '' : ' ');
}

/// The number of a move on the piece that it has put: [shape], or nothing if it has moved one or the piece is gone.
export function countOf(view, { move, side }, number) {
  const words = move.split(' ').map(Number);
  if (words.length !== 2 || words.some(Number.isNaN)) return [];
  const [place] = placesOf([words], view);
  const [owner, , , joins] = view.cells[place] ?? [0];
  // In the middle of what lies on two places.
  const cells = joins ? [place, place + joins[0] * view.columns + joins[1]] : [place];
  return owner ? [{ kind: 'count', cells, text: number, side }] : [];
}

/// A point with its numbers, as a reason names it for people and programs alike: `G8 (8,7)`.
const BOTH = /([A-Z])(\d+) \(\d+,\d+\)/g;

/// Why a game has ended, with points as the board has them: `G8` alone.
export const plainReason = (reason, view) => (view.letter ? reason.replace(BOTH, '$1$2') : reason);

/// What both sides have in the end where a game counts something, `39–10`; else nothing.
export const countText = ({ amounts }) => (amounts?.length ? amounts[0].join('–') : '');

/// What of a search is drawn on the board: { found: [line…], values, win }. `legal` finds a legal move by its words.
export function shapesOf({ found, values, win }, view, legal, scale) {
  if (win) {
    const count = (place, n) => ({ kind: 'number', at: place, text: n + 1, side: (view.turn + n) % 2 });
    // A pass, which any other move could stand for, lies on no place.
    return placesOf(win, view).map(count).filter((one) => one.at >= 0);
  }
  if (values) {
    const seen = view.turn === 0 ? 1 : -1;
    // What is not proved is what the champion would play.
    const known = values.moves.some((one) => one.best);
    return values.moves.flatMap((one) => {
      const move = legal(one.move.join(' '));
      if (!move?.to.length) return [];
      const lead = one.value == null ? null : seen * (values.lead + one.value);
      const text = lead == null ? outcomeSign(one.winner, view.turn) : `${lead > 0 ? '+' : ''}${lead}`;
      const tone = one.winner === 'draw' || !one.winner ? 'other' : one.winner;
      const guessed = !known && move.move === values.guess?.move;
      const sign = guessed && !text ? '≈' : text;
      if (!sign) return [];
      return [{ kind: 'pill', cells: move.to, text: sign, tone, best: one.best || guessed }];
    });
  }
  const best = found[0] && share(worth(found[0]), scale);
  return found.flatMap((data, rank) => {
    const move = data && legal(data.moves[0]);
    if (!move?.to.length) return [];
    const loss = Math.abs(best - share(worth(data), scale));
    const width = rank === 0 ? 9 : 7 - 24 * loss;
    // Nothing is known of the loss before the first line has come.
    if (!(width >= 2)) return [];
    const tone = rank === 0 ? 'best' : 'other';
    const text = shortValue(data);
    if (move.from.length === 1) return [{ kind: 'arrow', from: move.from[0], to: move.to[0], width, tone, text }];
    return [{ kind: 'ring', at: move.to[0], width: width / 2, pill: text, tone }];
  });
}

/// The best move that is known of a position, in the judge's words; nothing if there is none.
export function bestMove({ found, values, opening, win }) {
  if (win) return win[0].join(' ');
  if (values) {
    const proved = values.moves.find((one) => one.best)?.move ?? values.line[0];
    return proved?.join(' ') ?? values.guess?.move ?? null;
  }
  return found[0]?.moves[0] ?? opening?.best ?? null;
}

/// The lines of a search for people: [{ title, letters: [text…], moves: [word…] }…].
export function linesOf({ found, values, opening, win }, view) {
  const titled = (data) => ({ title: worthText(data), letters: data.letters, moves: data.moves });
  const lines = found.filter(Boolean).map(titled);
  if (opening)
    lines.unshift({ title: t('known opening, not searched'), letters: [opening.letters], moves: [opening.best] });
  if (win) {
    const file = (column) => String.fromCharCode(view.letter.charCodeAt(0) + column - view.origin);
    const place = ([row, column]) =>
      view.letter ? file(column) + (view.rows - row + view.origin) : `${row} ${column}`;
    const letters = win.map((move) => (placesOf([move], view)[0] < 0 ? 'PASS' : place(move)));
    lines.unshift({ title: t('proved: a forced win'), letters, moves: win.map((move) => move.join(' ')) });
  }
  if (values) {
    const guessed = !values.line.length && values.guess;
    const letters = guessed ? [values.guess.letters] : values.letters ?? values.line.map((move) => move.join(' '));
    const value = worthOfValues(values, view.seats);
    const exact = values.value != null;
    const level = values.winner ? t('drawn, proved') : value.text;
    const won = { seat: view.seats[value.mate === 'first' ? 0 : 1], by: Math.abs(value.first) };
    const wins = exact ? t('{seat} wins by {by}, proved', won) : t('{seat} wins', won);
    const title = value.mate ? wins : level;
    const moves = guessed ? [values.guess.move] : values.line.map((move) => move.join(' '));
    lines.unshift({ title, letters, moves });
  }
  return lines;
}
