// Shows recorded games, step by step. The page holds the positions as changes from one to the next, so nothing here
// knows the rules of any game. Colours are those of the style sheet.
//
// A game: { seats, names, rows, columns, origin, letter, crossings, unit, facts, result, failures, failing?, places,
// cells, gauges, amounts, steps }; its number is that of its script, and #game=NUMBER&ply=PLY leads to a position.
// A place: [owner 0|1|2, glyph, weight|null, joins [rows, columns]|null, mark]; a cell is the number of a place.
// A step: { side, ply, move, ms, cells: [index, place, …], gauges: [[first, second]…], clocks: [ms, ms],
// refused?, remarks?, stderr?, eval?: { text, share from -1 to 1 for the first seat }, loss?: text,
// judged?: share of the position after it, as an analysis sees it }
// Where it failed: { ply, side, answer|null, letters|null, cells: [index…], stderr|null }
// A failure: { title, reason: [line…], parts: [{ title, lines }…] }

import { bars, board, chip, element } from './board.js';

function failure({ title, reason, parts }) {
  const box = element('section', { class: 'failure' }, element('h3', {}, title), element('pre', {}, reason.join('\n')));
  for (const part of parts) box.append(element('h4', {}, part.title), element('pre', {}, part.lines.join('\n')));
  return box;
}

/// What both players thought of their own moves as two lines, above the middle where the first seat is ahead; nothing
/// where no scores are known.
function scores(game) {
  const [width, height] = [600, 100];
  const draw = (name, attributes) => element(`svg:${name}`, attributes);
  const x = (step) => ((step / Math.max(1, game.steps.length)) * width).toFixed(1);
  const y = (share) => ((1 - share) * (height / 2 - 4) + 4).toFixed(1);
  const lines = [0, 1].map((side) => game.steps
    .flatMap(({ side: mover, eval: said }, at) => (said && mover === side ? [[x(at + 1), said.share]] : []))
    .map(([place, share]) => `${place},${y(share)}`));
  const judged = game.steps
    .flatMap(({ judged: share }, at) => (share === undefined ? [] : [`${x(at + 1)},${y(share)}`]));
  if (lines.every((points) => points.length === 0) && !judged.length) return null;
  const label = judged.length ? 'the evaluation of an analysis by move' : 'scores of both players by move';
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, class: 'scores', role: 'img', 'aria-label': label });
  const now = draw('line', { y1: 0, y2: height, class: 'now' });
  svg.append(
    draw('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    ...lines.map((points, side) => draw('polyline', { points: points.join(' '), class: `by${side + 1}` })),
    ...(judged.length ? [draw('polyline', { points: judged.join(' '), class: 'judged' })] : []),
    now,
  );
  return { svg, at: (step) => ['x1', 'x2'].forEach((name) => now.setAttribute(name, x(step))) };
}

/// Puts a game into an element, with buttons, a slider and keys to go through it. `link` makes the address of a ply,
/// and `moved` gets every ply shown. Returns functions: `show` shows the position after a ply, `add` takes the
/// next step of a game that is being played, `end` its result.
export function mount(host, game, link, moved) {
  let at = 0;
  const positions = [{ cells: game.cells, gauges: game.amounts }];
  const ply = (step) => game.steps[step - 1]?.ply ?? 0;
  const last = () => positions.length - 1;
  const who = [0, 1].map((side) => `${game.seats[side]} ${game.names[side]}`);
  const players = element('p', { class: 'players' });
  const [first, second] = [0, 1].map((side) => ` ${game.names[side]} (${game.seats[side]})`);
  players.append(chip(game, 0), `${first} – `, chip(game, 1), second);
  const result = element('div', { class: 'result' });
  const squares = element('div');
  const drawn = board(squares, { ...game, both: true });
  const quantities = element('div');
  const frame = element('div', { class: 'board' }, squares, quantities);
  const status = element('p', { class: 'status', role: 'status' });
  const stderr = element('pre', { class: 'stderr', tabindex: 0, 'aria-label': 'error stream of this move' });
  const slider = element('input', { type: 'range', min: 0, max: 0, 'aria-label': game.unit });
  const moves = element('ol', { class: 'moves', 'aria-label': `${game.unit}s` });

  function take(step) {
    const cells = positions.at(-1).cells.slice();
    for (let n = 0; n < step.cells.length; n += 2) cells[step.cells[n]] = step.cells[n + 1];
    positions.push({ cells, gauges: step.gauges });
    const seat = element('span', { class: 'hidden' }, `${game.seats[step.side]} `);
    const mark = step.loss === undefined ? '' : ' ?';
    const words = [chip(game, step.side), ' ', seat, step.move, mark];
    moves.append(element('li', {}, element('a', { href: link(step.ply), tabindex: -1 }, ...words)));
    slider.max = last();
  }

  function stepText() {
    const step = game.steps[at - 1];
    if (!step && game.result === undefined) return 'the start';
    if (!step) return `the start, ${last()} ${game.unit}${last() === 1 ? '' : 's'} to come`;
    const clocks = step.clocks.map((ms) => (ms / 1000).toFixed(2) + ' s').join(' and ');
    const refused = step.refused ? `; ${step.refused} refused: ${step.remarks.join('; ')}` : '';
    const name = game.unit === 'move' ? 'clocks' : 'used';
    const score = (step.eval ? `, score ${step.eval.text}` : '') + (step.loss ? `; ${step.loss}` : '');
    const move = `${game.seats[step.side]} ${step.move} in ${step.ms} ms`;
    return `${at} of ${last()}: ${move}${score}, ${name} ${clocks}${refused}`;
  }

  /// The position in which an agent failed, and what it answered there.
  const fails = () => game.failing && at === positions.findLastIndex((_, step) => ply(step) <= game.failing.ply);
  function failText() {
    if (!fails()) return '';
    const { side, answer, letters } = game.failing;
    const places = letters ? ` (${letters})` : '';
    return `. Here ${game.seats[side]} ${answer === null ? 'gave no answer' : `answered ${answer}${places}`}`;
  }

  function show(next) {
    at = Math.max(0, Math.min(last(), next));
    const { cells, gauges } = positions[at];
    const words = stepText() + failText();
    const marked = fails() ? game.failing.cells : [];
    const counted = gauges.map(([first, second], n) => `, ${game.gauges[n]} ${first} to ${second}`).join('');
    drawn.set({
      cells: cells.map((cell) => game.places[cell]),
      label: `board, ${words}${counted}`,
      shapes: marked.map((place) => ({ kind: 'ring', at: place, tone: 'failed', width: 4 })),
    });
    quantities.replaceChildren(...bars(game, game.gauges, gauges));
    stderr.textContent = (fails() && game.failing.stderr) || (game.steps[at - 1]?.stderr ?? '');
    slider.value = at;
    slider.setAttribute('aria-valuetext', words);
    status.textContent = at === last() && game.result !== undefined ? `${words}. ${game.result}` : words;
    [...moves.children].forEach((item, index) => {
      const [a, now] = [item.firstChild, index === at - 1];
      a.classList.toggle('now', now);
      a.tabIndex = now || (at === 0 && index === 0) ? 0 : -1;
      if (now) a.setAttribute('aria-current', 'step');
      else a.removeAttribute('aria-current');
    });
    const now = moves.children[at - 1];
    moves.scrollTop = now ? now.offsetTop - moves.clientHeight / 2 : 0;
    thought?.at(at);
    moved(ply(at));
    host.dispatchEvent(new CustomEvent('ply', { detail: ply(at) }));
  }

  const buttons = [
    ['«', 'start', () => show(0)],
    ['‹', 'back', () => show(at - 1)],
    ['›', 'on', () => show(at + 1)],
    ['»', 'end', () => show(last())],
  ].map(([sign, title, act]) => {
    const button = element('button', { type: 'button', title, 'aria-label': title }, sign);
    button.addEventListener('click', act);
    return button;
  });
  slider.addEventListener('input', () => show(Number(slider.value)));
  host.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === slider) return;
    const steps = { ArrowRight: 1, ArrowLeft: -1, ' ': 1, PageDown: 10, PageUp: -10, Home: -last(), End: last() };
    if (!(event.key in steps) || (event.key === ' ' && event.target.matches('button'))) return;
    event.preventDefault();
    show(at + steps[event.key]);
  };
  const outcome = () => result.replaceChildren(game.result ?? '', ...(game.failures ?? []).map(failure));
  game.steps.forEach(take);
  const thought = scores(game);
  outcome();
  host.setAttribute('aria-label', `${who[0]} – ${who[1]}`);
  host.replaceChildren(
    players,
    element('p', { class: 'faint facts' }, game.facts.join(' · ')),
    result,
    frame,
    element('div', { class: 'controls' }, ...buttons, slider),
    status,
    ...(game.failing?.stderr || game.steps.some((step) => step.stderr !== undefined) ? [stderr] : []),
    ...(thought ? [thought.svg] : []),
    moves,
  );
  return {
    failing: game.failing?.ply ?? game.opens ?? 0,
    show: (wanted) => show(positions.findLastIndex((_, step) => ply(step) <= wanted)),
    /// Whoever looks at the newest position sees the next one; whoever has gone back stays there.
    add(step) {
      const follows = at === last();
      game.steps.push(step);
      take(step);
      show(follows ? last() : at);
    },
    end(outcomeOf) {
      Object.assign(game, outcomeOf);
      outcome();
      show(at);
    },
  };
}

/// The games of the page: the address names one, and a ply of it; without one it is the first, at its start.
const host = document.getElementById('game');
const kept = new Map([...document.querySelectorAll('script[data-game]')].map((node) => [node.dataset.game, node]));
let [shown, show, failing, saved] = [null, null, 0, null];

function turnTo(focus) {
  const words = new URLSearchParams(location.hash.slice(1));
  const asked = words.get('game');
  const number = kept.has(asked) ? asked : shown ?? [...kept.keys()][0];
  if (number === undefined) return;
  const link = (ply) => (kept.size > 1 ? `#game=${number}&ply=${ply}` : `#ply=${ply}`);
  if (number !== shown) {
    // The address follows what is shown, but not at every step: browsers limit how often it may change.
    const moved = (ply) => {
      clearTimeout(saved);
      if (shown !== null) saved = setTimeout(() => history.replaceState(null, '', link(ply)), 250);
    };
    shown = null;
    ({ show, failing } = mount(host, JSON.parse(kept.get(number).textContent), link, moved));
  }
  const ply = Number.parseInt(words.get('ply'), 10);
  // A game that failed is opened where it did.
  show(ply >= 0 ? ply : failing);
  shown = number;
  for (const a of document.querySelectorAll('a[href^="#game="]:not(.game a)')) {
    const current = a.hash === `#game=${number}`;
    if (current) a.setAttribute('aria-current', 'true');
    else a.removeAttribute('aria-current');
  }
  if (!focus) return;
  if (!host.contains(document.activeElement)) host.focus({ preventScroll: true });
  const { top, bottom } = host.querySelector('.board').getBoundingClientRect();
  if (location.hash !== '' && (top < 0 || bottom > innerHeight)) host.scrollIntoView({ block: 'start' });
}

addEventListener('hashchange', () => turnTo(true));
// A game that is chosen again, or whose address has not changed, is shown again.
document.addEventListener('click', (event) => {
  const a = event.target.closest?.('a[href^="#game="], a[href^="#ply="]');
  if (a && a.hash === location.hash) turnTo(true);
});
// The arrow keys work from anywhere in the page where they have no other use.
document.addEventListener('keydown', (event) => {
  if (event.target === document.body && ['ArrowLeft', 'ArrowRight'].includes(event.key)) host.onkeydown?.(event);
});
turnTo(location.hash !== '' || kept.size === 1);
