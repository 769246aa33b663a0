// Shows recorded games, step by step. The page holds the positions as changes from one to the next, so nothing here
// knows the rules of any game. Colours are those of the style sheet.
//
// A game: { seats, names, rows, columns, origin, letter, crossings, unit, opening, facts, result, failures, failing?,
// places, cells, hands, gauges, amounts, steps }, and what else a board may have (board.js); its number is that of its
// script, and #game=NUMBER&ply=PLY leads to a position.
// A place is one of board.js; a cell is the number of a place.
// A step: { side, ply, move, ms, cells: [index, place, …], hands?, gauges: [[first, second]…], clocks: [ms, ms],
// refused?, remarks?, stderr?, eval?: { text, share from -1 to 1 for the first seat }, loss?: text,
// judged?: share of the position after it, as an analysis sees it, better?: shapes of moves that were better }
// A game that is being played has besides { clocks: [ms, ms] at its start, live: true }.
// Where it failed: { ply, side, answer|null, letters|null, cells: [index…], stderr|null }
// A failure: { title, reason: [line…], remedy: text|null, parts: [{ title, lines }…] }

import { bars, board, chip, element } from './board.js';
import { clocksDuring, playback } from './playback.js';

/// A text whose quotations in backticks are code; an unpaired one stays.
function coded(text) {
  const parts = text.split('\x60');
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, at) => (at % 2 ? element('code', {}, part) : part));
}

const bare = (text) => text.replaceAll('\x60', '');

function failure({ title, reason, remedy, parts }) {
  const why = element('pre', {}, ...coded(reason.join('\n')));
  const box = element('section', { class: 'failure' }, element('h2', {}, title), why);
  if (remedy) box.append(element('p', { class: 'remedy' }, ...coded(remedy)));
  for (const part of parts) box.append(element('h3', {}, part.title), element('pre', {}, part.lines.join('\n')));
  return box;
}

/// What both players thought of their own moves as two lines, above the middle where the first seat is ahead; nothing
/// where no scores are known.
function scores(game, say) {
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
  const label = judged.length ? say.judged : say.scores;
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, class: 'scores', role: 'img', 'aria-label': label });
  const now = draw('line', { y1: 0, y2: height, class: 'now' });
  svg.append(
    draw('line', { x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    ...lines.map((points, side) => draw('polyline', { points: points.join(' '), class: `by${side + 1}` })),
    ...(judged.length ? [draw('polyline', { points: judged.join(' '), class: 'judged' })] : []),
    now,
    // Who is ahead above the middle, and who below it.
    ...[14, height - 5].map((y, side) => element('svg:text', { x: 4, y }, game.seats[side])),
  );
  return { svg, at: (step) => ['x1', 'x2'].forEach((name) => now.setAttribute(name, x(step))) };
}

/// What is said of a game. A page in another language brings its own words in `data-words`; names in braces are values.
const SENTENCES = {
  start: 'the start',
  whole: 'the start, {count} to come',
  step: '{at} of {last}: {seat} {move} in {ms} ms',
  score: ', score {text}',
  clocks: ', clocks {first} and {second}',
  used: ', used {first} and {second}',
  refused: '; {count} refused: {remarks}',
  silent: '. Here {seat} gave no answer',
  answered: '. Here {seat} answered {answer}',
  board: 'board, {words}',
  against: '{first} to {second}',
  first: 'start',
  back: 'back',
  on: 'on',
  last: 'end',
  play: 'play',
  watch: 'Watch from the beginning',
  pause: 'pause',
  pace: 'pace: moves a second',
  played: 'as it was played',
  broadcast: 'in 1 to 3 minutes',
  turning: 'turning point',
  stderr: 'error stream of this move',
  move: '1 move',
  moves: '{count} moves',
  turn: '1 turn',
  turns: '{count} turns',
  scores: 'scores of both players by move',
  judged: 'the evaluation of an analysis by move',
};

/// A template with its values.
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/// A time left or used, as short as it can be read.
function seconds(ms) {
  if (ms >= 60000) return `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
  return `${(Math.max(0, ms) / 1000).toFixed(ms < 9995 ? 2 : 1)} s`;
}

/// A fact; a time is one that a page may show in the zone of its visitor.
function fact(text) {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC$/.exec(text) ?? [];
  return day ? element('time', { datetime: `${day}T${minute}:00Z` }, text) : text;
}

/// The time of a move.
const spent = (ms) => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : seconds(ms));

/// Puts a game into an element, with buttons, a slider and keys to go through it. `link` makes the address of a ply,
/// and `moved` gets every ply shown. Returns functions: `show` shows the position after a ply, `play` plays at a pace,
/// `add` takes the next step of a game that is being played, `end` its result.
export function mount(host, game, link, moved) {
  const say = { ...SENTENCES, ...JSON.parse(host.dataset.words ?? '{}') };
  host.dataset.opening = game.opening ?? 0;
  let at = 0;
  const positions = [{ cells: game.cells, gauges: game.amounts, hands: game.hands ?? [] }];
  const ply = (step) => game.steps[step - 1]?.ply ?? 0;
  const last = () => positions.length - 1;
  // Moves are numbered from the start of the game, not from the end of its opening.
  const numbered = (step) => Number(host.dataset.opening) + step;
  const who = [0, 1].map((side) => `${game.seats[side]} ${game.names[side]}`);
  const clocks = [0, 1].map(() => element('span', { class: 'clock' }));
  const seats = [0, 1].map((side) => {
    const seat = element('span', { class: 'seat-name' }, game.seats[side]);
    const name = element('span', { class: 'who' }, game.names[side]);
    return element('span', { class: 'player' }, chip(game, side), ' ', name, ' ', seat, ' ', clocks[side]);
  });
  const players = element('p', { class: 'players' }, ...seats);
  let [arrived, timer] = [performance.now(), null];
  const result = element('div', { class: 'result' });
  const squares = element('div');
  // Who looks for a fault reads the numbers of the judge beside the letters.
  const drawn = board(squares, { ...game, both: Boolean(game.failures?.length), words: say });
  const quantities = element('div');
  // Whoever follows a link to a game sees how it ended, and wants to see the game.
  const watch = element('button', { type: 'button', class: 'watch' }, `▶ ${say.watch}`);
  watch.addEventListener('click', () => {
    host.focus({ preventScroll: true });
    player.toggle();
  });
  const ended = game.opens && !game.failing;
  const seen = ended ? element('div', { class: 'ended' }, squares, watch) : squares;
  const frame = element('div', { class: 'board' }, seen, quantities);
  const status = element('p', { class: 'status', role: 'status' });
  const stderr = element('pre', { class: 'stderr', tabindex: 0, 'aria-label': say.stderr });
  const slider = element('input', { type: 'range', min: 0, max: 0, 'aria-label': say.slider ?? game.unit });
  const marks = element('span', { class: 'turns', 'aria-hidden': 'true' });
  const player = playback({ game, place: () => at, show: (next) => show(next), ticked: () => tick(), say });
  const moves = element('ol', { class: 'moves', start: numbered(1), 'aria-label': say.list ?? `${game.unit}s` });

  function take(step) {
    const cells = positions.at(-1).cells.slice();
    for (let n = 0; n < step.cells.length; n += 2) cells[step.cells[n]] = step.cells[n + 1];
    positions.push({ cells, gauges: step.gauges, hands: step.hands ?? positions.at(-1).hands });
    const seat = element('span', { class: 'hidden' }, `${game.seats[step.side]} `);
    const mark = step.loss === undefined ? '' : ' ?';
    const words = [chip(game, step.side), ' ', seat, step.move, mark];
    const place = element('a', { href: link(step.ply), tabindex: -1 }, ...words);
    const item = element('li', { class: `by${step.side}` }, place);
    item.append(element('span', { class: 'spent' }, ` ${spent(step.ms)}`));
    const said = [step.eval?.text, step.stderr?.split('\n')[0]].filter(Boolean).join(' · ');
    if (said) item.append(element('span', { class: 'said' }, said));
    moves.append(item);
    slider.max = last();
  }

  function stepText() {
    const step = game.steps[at - 1];
    if (!step && game.result === undefined) return say.start;
    if (!step && last() === 0) return say.start;
    const many = say[`${game.unit}${last() === 1 ? '' : 's'}`];
    if (!step) return fill(say.whole, { count: fill(many, { count: last() }) });
    const [first, second] = step.clocks.map((ms) => (ms / 1000).toFixed(2) + ' s');
    const refused = step.refused
      ? fill(say.refused, { count: step.refused, remarks: step.remarks.join('; ') })
      : '';
    const times = fill(game.unit === 'move' ? say.clocks : say.used, { first, second });
    const score = (step.eval ? fill(say.score, { text: step.eval.text }) : '') + (step.loss ? `; ${step.loss}` : '');
    const seat = game.seats[step.side];
    const move = fill(say.step, { at: numbered(at), last: numbered(last()), seat, move: step.move, ms: step.ms });
    return `${move}${score}${times}${refused}`;
  }

  /// The clocks beside the players: the one that runs, of a game that goes on or plays itself.
  function tick() {
    clearTimeout(timer);
    const [step, next, share] = [game.steps[at - 1], game.steps[at], player.share()];
    const goesOn = game.live && game.result === undefined && at === last();
    let [known, running] = [step?.clocks ?? game.clocks, null];
    if (game.unit === 'move' && goesOn) {
      running = step ? 1 - step.side : 0;
      const gone = performance.now() - arrived;
      known = known?.map((ms, side) => (side === running ? Math.max(0, ms - gone) : ms));
    } else if (game.unit === 'move' && next && share !== null) {
      running = next.side;
      known = clocksDuring(next, game.unit, share);
    }
    clocks.forEach((clock, side) => {
      clock.textContent = known ? seconds(known[side]) : '';
      seats[side].classList.toggle('to-move', side === running);
    });
    if (running !== null && host.isConnected) timer = setTimeout(tick, 100);
  }

  /// The position in which an agent failed, and what it answered there.
  const fails = () => game.failing && at === positions.findLastIndex((_, step) => ply(step) <= game.failing.ply);
  function failText() {
    if (!fails()) return '';
    const { side, answer, letters } = game.failing;
    const places = letters ? ` (${letters})` : '';
    const seat = game.seats[side];
    return answer === null ? fill(say.silent, { seat }) : fill(say.answered, { seat, answer: `${answer}${places}` });
  }

  function show(next) {
    at = Math.max(0, Math.min(last(), next));
    if (at < last()) watch.remove();
    const { cells, gauges, hands } = positions[at];
    const words = stepText() + failText();
    const marked = fails() ? game.failing.cells : [];
    const counts = ([first, second], n) => `, ${game.gauges[n]} ${fill(say.against, { first, second })}`;
    const counted = gauges.map(counts).join('');
    drawn.set({
      cells: cells.map((cell) => game.places[cell]),
      hands,
      label: fill(say.board, { words: `${bare(words)}${counted}` }),
      shapes: [
        ...marked.map((place) => ({ kind: 'ring', at: place, tone: 'failed', width: 4 })),
        ...(game.steps[at - 1]?.better ?? []),
      ],
    });
    quantities.replaceChildren(...bars(game, game.gauges, gauges));
    stderr.textContent = (fails() && game.failing.stderr) || (game.steps[at - 1]?.stderr ?? '');
    slider.value = at;
    slider.setAttribute('aria-valuetext', bare(words));
    status.replaceChildren(...coded(at === last() && game.result !== undefined ? `${words}. ${game.result}` : words));
    [...moves.children].forEach((item, index) => {
      const [a, now] = [item.firstChild, index === at - 1];
      a.classList.toggle('now', now);
      a.tabIndex = now || (at === 0 && index === 0) ? 0 : -1;
      item.classList.toggle('to-come', index >= at);
      if (now) a.setAttribute('aria-current', 'step');
      else a.removeAttribute('aria-current');
    });
    // How a broadcast ends is seen at its end.
    host.classList.toggle('broadcast', Boolean(host.dataset.next) && at < last());
    tick();
    const now = moves.children[at - 1];
    moves.scrollTop = now ? now.offsetTop - moves.clientHeight / 2 : 0;
    thought?.at(at);
    moved(ply(at));
    // For those who listen only later.
    host.dataset.shown = ply(at);
    host.dispatchEvent(new CustomEvent('ply', { detail: ply(at) }));
  }

  /// Whoever goes through the game by hand is not carried on.
  const go = (next) => {
    player.pause();
    show(next);
  };
  /// Where the game turned, as marks below the slider.
  function mark() {
    const places = player.mark().map((turn) => {
      const place = element('i');
      place.style.left = `${(100 * (turn + 1)) / Math.max(1, last())}%`;
      return place;
    });
    marks.replaceChildren(...places);
  }

  const [toFirst, back, on, toLast] = [
    ['«', say.first, () => go(0)],
    ['‹', say.back, () => go(at - 1)],
    ['›', say.on, () => go(at + 1)],
    ['»', say.last, () => go(last())],
  ].map(([sign, title, act]) => {
    const button = element('button', { type: 'button', title, 'aria-label': title }, sign);
    button.addEventListener('click', act);
    return button;
  });
  slider.addEventListener('input', () => go(Number(slider.value)));
  host.onkeydown = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target === slider) return;
    const acts = { p: player.toggle, t: player.turn };
    if (event.key in acts && !event.target.matches('select')) return acts[event.key]();
    const steps = { ArrowRight: 1, ArrowLeft: -1, ' ': 1, PageDown: 10, PageUp: -10, Home: -last(), End: last() };
    if (!(event.key in steps) || event.target.matches('select')) return;
    if (event.key === ' ' && event.target.matches('button')) return;
    event.preventDefault();
    go(at + steps[event.key]);
  };
  const faults = element('div', { class: 'failures' });
  const outcome = () => {
    result.replaceChildren(...coded(game.result ?? ''));
    faults.replaceChildren(...(game.failures ?? []).map(failure));
  };
  game.steps.forEach(take);
  mark();
  const thought = scores(game, say);
  outcome();
  host.setAttribute('aria-label', `${who[0]} – ${who[1]}`);
  host.replaceChildren(
    players,
    element('p', { class: 'faint facts' }, ...game.facts.flatMap((text) => [' · ', fact(text)]).slice(1)),
    result,
    frame,
    element(
      'div',
      { class: 'controls' },
      ...[toFirst, back, player.button, on, toLast],
      element('span', { class: 'track-of-moves' }, slider, marks),
    ),
    element('div', { class: 'pace' }, player.pace, player.turning),
    status,
    ...(game.failing?.stderr || game.steps.some((step) => step.stderr !== undefined) ? [stderr] : []),
    ...(thought ? [thought.svg] : []),
    moves,
    // Below the board, which stays in sight.
    faults,
  );
  document.dispatchEvent(new Event('renewed'));
  return {
    failing: game.failing?.ply ?? game.opens ?? 0,
    play: player.play,
    show: (wanted) => go(positions.findLastIndex((_, step) => ply(step) <= wanted)),
    /// Whoever looks at the newest position sees the next one; whoever has gone back stays there.
    add(step) {
      const follows = at === last();
      game.steps.push(step);
      take(step);
      arrived = performance.now();
      show(follows ? last() : at);
    },
    end(outcomeOf) {
      Object.assign(game, outcomeOf);
      outcome();
      mark();
      show(at);
    },
  };
}

/// The games of the page: the address names one, and a ply of it; without one it is the first, at its start.
const host = document.getElementById('game');
const kept = new Map([...document.querySelectorAll('script[data-game]')].map((node) => [node.dataset.game, node]));
let [shown, show, play, failing, saved] = [null, null, null, 0, null];

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
      const before = location.hash;
      // Whoever goes back in the meantime is not called here again.
      const save = () => location.hash === before && history.replaceState(null, '', link(ply));
      if (shown !== null) saved = setTimeout(save, 250);
    };
    shown = null;
    ({ show, play, failing } = mount(host, JSON.parse(kept.get(number).textContent), link, moved));
  }
  const ply = Number.parseInt(words.get('ply') ?? host.dataset.ply, 10);
  // A game that failed is opened where it did.
  show(ply >= 0 ? ply : failing);
  shown = number;
  for (const a of document.querySelectorAll('a[href^="#game="]:not(.game a)')) {
    const current = a.hash === `#game=${number}`;
    if (current) a.setAttribute('aria-current', 'true');
    else a.removeAttribute('aria-current');
  }
  if (!focus) return;
  // Keys work at once; a frame is drawn only after one was pressed.
  if (!host.contains(document.activeElement)) {
    host.classList.add('quiet');
    host.focus({ preventScroll: true });
  }
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
host?.addEventListener('keydown', () => host.classList.remove('quiet'), { capture: true });
turnTo(location.hash !== '' || kept.size === 1);
// A broadcast plays at a pace that can be followed, and goes on to the next game unless the visitor has touched it.
const [next, stays] = [host?.dataset.next, 8000];
if (next && play) {
  let leaves = null;
  play('broadcast', () => (leaves = setTimeout(() => location.replace(next), stays)));
  for (const kind of ['pointerdown', 'keydown', 'input']) host.addEventListener(kind, () => clearTimeout(leaves));
}
