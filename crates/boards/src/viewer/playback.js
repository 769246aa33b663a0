// Plays a game by itself, at a fixed pace or as it was played, and finds the moves at which it turned.

import { element } from './board.js';

/// Milliseconds of a move at the pace 1, and the least that one is shown: a forced move is to be seen too.
const USUAL = 1000;
const LEAST = 700;

/// Moves a second, `played` for the times of the game, and `broadcast` for a whole game in one to three minutes.
const PACES = ['0.5', '1', '2', '4', '8', '16', 'played', 'broadcast'];

/// How long a game lasts whose pace is `broadcast`.
const SHORTEST = 60000;
const LONGEST = 180000;

/// How many changed cells one that changes hands counts as.
const FIGHT = 16;

/// How far an evaluation from -1 to 1 swings for a turning point, and how many a game has at most.
const SWING = 0.3;
const MOST = 3;

/// Milliseconds for which the position before a step is shown.
export function pause(step, pace) {
  return pace === 'played' ? Math.max(LEAST, step.ms) : USUAL / Number(pace);
}

/// The clocks while a step is thought about, after this share of its time; those of turns of all count what was used.
export function clocksDuring(step, unit, share) {
  if (unit !== 'move') return step.clocks;
  return step.clocks.map((ms, side) => (side === step.side ? ms + step.ms * (1 - share) : ms));
}

/// How much each step of a game changes: cells, and many times as much those that go from one side to the other or are
/// emptied, which is where the fights are.
export function changes({ steps, cells = [], places = [] }) {
  const now = cells.slice();
  const owner = (cell) => places[cell]?.[0] ?? 0;
  return steps.map(({ cells: changed = [] }) => {
    let sum = 0;
    for (let n = 0; n < changed.length; n += 2) {
      const [before, after] = [owner(now[changed[n]]), owner(changed[n + 1])];
      sum += before !== 0 && after !== before ? FIGHT : 1;
      now[changed[n]] = changed[n + 1];
    }
    return sum;
  });
}

/// A game in one to three minutes: which steps are shown, as the number of steps that have been made then, and for how
/// many milliseconds the position before each is. What a move took in the game, it takes in proportion. Of a game with
/// more moves than fit, those are shown that change the board most.
export function broadcast(game) {
  const { steps } = game;
  const most = Math.floor(LONGEST / LEAST);
  const size = steps.length > most ? changes(game) : [];
  // The last one leads to the end.
  if (size.length) size[size.length - 1] = Infinity;
  const all = steps.map((step, at) => ({ to: at + 1, ms: step.ms, size: size[at] }));
  const largest = all.slice().sort((a, b) => b.size - a.size || a.to - b.to).slice(0, most);
  const shown = steps.length <= most ? all : largest.sort((a, b) => a.to - b.to);
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const natural = sum(shown.map(({ ms }) => Math.max(LEAST, ms)));
  const spare = Math.min(LONGEST, Math.max(SHORTEST, natural)) - LEAST * shown.length;
  const thought = sum(shown.map(({ ms }) => ms));
  const share = ({ ms }) => (thought > 0 ? ms / thought : 1 / shown.length);
  return shown.map((step) => ({ to: step.to, pause: LEAST + spare * share(step) }));
}

/// The places in `steps` of the largest swings, in their order. An analysis sees every position; of what the players
/// thought, each one's own is compared.
export function turningPoints(steps) {
  const before = [null, null];
  const swings = steps.map(({ side, judged, eval: said }, at) => {
    const [share, whose] = judged === undefined ? [said?.share, side] : [judged, 0];
    if (share === undefined) return { at, swing: 0 };
    const swing = before[whose] === null ? 0 : Math.abs(share - before[whose]);
    before[whose] = share;
    return { at, swing };
  });
  const largest = swings.filter(({ swing }) => swing >= SWING).sort((a, b) => b.swing - a.swing || a.at - b.at);
  const chosen = [];
  for (const { at } of largest) {
    // The answer to a turn swings by as much.
    if (chosen.length < MOST && chosen.every((other) => Math.abs(other - at) > 1)) chosen.push(at);
  }
  return chosen.sort((a, b) => a - b);
}

/// Remembered by the browser where it can.
const PACE_KEY = 'agon-pace';
function rememberedPace() {
  try {
    return PACES.includes(localStorage[PACE_KEY]) ? localStorage[PACE_KEY] : '1';
  } catch {
    return '1';
  }
}

/// The buttons that play a game. `place` is the number of its steps that are shown, `show` shows another number;
/// `ticked` is called when it begins or stops; `say` has the words. Returns the elements and functions: `pause`,
/// `toggle`, `play` at a pace with what is done at the end of a game that was not stopped, `turn` for the next turning
/// point, `share` of the time that the position is shown (`null` unless it plays), and `mark` after the game has
/// changed, which returns the places of the turning points.
export function playback({ game, place, show, ticked = () => {}, say }) {
  const { steps } = game;
  let [timer, since, turns, plan, done] = [null, [0, 1], [], [], null];
  const button = element('button', { type: 'button', 'data-act': 'play' });
  const pace = element('select', { 'aria-label': say.pace });
  for (const value of PACES) {
    const words = { played: say.played, broadcast: say.broadcast }[value] ?? `${value}×`;
    pace.append(element('option', { value }, words));
  }
  pace.value = rememberedPace();
  const named = { type: 'button', 'data-act': 'turn', 'aria-label': say.turning };
  const turning = element('button', named, say.turning);

  function picture() {
    const [sign, title] = timer === null ? ['\u25b6\ufe0e', say.play] : ['\u2016', say.pause];
    button.textContent = sign;
    button.title = title;
    button.setAttribute('aria-label', title);
  }
  function halt() {
    clearTimeout(timer);
    [timer, done] = [null, null];
    picture();
    ticked();
  }
  const share = () => (timer === null ? null : Math.min(1, (performance.now() - since[0]) / since[1]));
  function wait() {
    const at = place();
    if (at === steps.length) {
      const then = done;
      halt();
      return then?.();
    }
    const usual = { to: at + 1, pause: pause(steps[at], pace.value) };
    // A step that has come since is in no plan.
    const next = pace.value === 'broadcast' ? (plan.find(({ to }) => to > at) ?? { ...usual, pause: LEAST }) : usual;
    since = [performance.now(), next.pause];
    timer = setTimeout(() => {
      show(next.to);
      wait();
    }, next.pause);
    picture();
    ticked();
  }
  function toggle() {
    if (timer !== null) return halt();
    if (place() === steps.length) show(0);
    wait();
  }
  function play(value, then) {
    halt();
    [pace.value, done] = [value, then];
    wait();
  }
  function turn() {
    halt();
    const next = turns.find((at) => at + 1 > place()) ?? turns[0];
    if (next !== undefined) show(next + 1);
  }
  function mark() {
    turns = turningPoints(steps);
    plan = broadcast(game);
    turning.hidden = turns.length === 0;
    button.disabled = steps.length === 0;
    return turns;
  }
  pace.addEventListener('change', () => {
    try {
      localStorage[PACE_KEY] = pace.value;
    } catch {
      // It is not remembered.
    }
    if (timer === null) return;
    clearTimeout(timer);
    wait();
  });
  button.addEventListener('click', toggle);
  turning.addEventListener('click', turn);
  picture();
  return { button, pace, turning, pause: halt, toggle, play, turn, share, mark };
}
