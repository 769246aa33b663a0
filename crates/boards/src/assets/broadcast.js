// A game on a small board: one that has been played at a pace that people can follow, or one in progress.

import { mini } from './mini.js';
import { broadcast, clocksDuring } from './playback.js';

/// How often the clocks move, in milliseconds.
const TICK = 100;

/// The first side's share as far as it is known after this many steps: what an analysis saw, or what the side that
/// moved thought.
export function leadAfter(steps, at) {
  for (let n = at - 1; n >= 0; n--) {
    const { judged, eval: said } = steps[n];
    if (judged !== undefined) return judged;
    if (said) return said.share;
  }
  return undefined;
}

/// The address of the finished game of a card, and that of the events of one that is being played.
export const steps = (card) => card?.querySelector('[data-steps]')?.dataset.steps;
export const events = (card) => card?.querySelector('[data-events]')?.dataset.events;

/// Shows the game of a stream on a card as long as it is wanted; `over` is called when it has ended, or with `false`
/// when it was broken off.
export function watch(card, stream, { wanted = () => card.isConnected, over }) {
  const screen = mini(card);
  let [game, cells, arrived, timer] = [null, [], 0, null];

  function clocks(step) {
    clearTimeout(timer);
    if (!wanted() || game.result !== undefined) return;
    const known = step?.clocks ?? game.clocks;
    const running = game.unit === 'move' ? (step ? 1 - step.side : 0) : null;
    screen.clocks(known?.map((ms, side) => ms - (side === running ? performance.now() - arrived : 0)), running);
    if (running !== null) timer = setTimeout(clocks, TICK, step);
  }

  function show(step) {
    screen.show(cells, step);
    arrived = performance.now();
    clocks(step);
  }

  stream.addEventListener('start', (event) => {
    if (!wanted()) return;
    game = JSON.parse(event.data);
    cells = game.cells.slice();
    screen.begin(game);
    show(null);
  });
  stream.addEventListener('step', (event) => {
    if (!wanted() || !game) return;
    const step = JSON.parse(event.data);
    game.places.push(...step.places);
    for (let n = 0; n < step.cells.length; n += 2) cells[step.cells[n]] = step.cells[n + 1];
    show(step);
  });
  stream.addEventListener('end', (event) => {
    if (!wanted() || !game) return;
    game.result = JSON.parse(event.data).result;
    screen.end(game.result);
    over(true);
  });
  stream.addEventListener('gone', () => {
    if (wanted()) over(false);
  });
}

/// Plays the finished game of a card from the start to its end. True once it has ended, false if it cannot be shown or
/// is no longer wanted.
export async function play(card, wanted = () => card.isConnected) {
  const answer = await fetch(steps(card));
  if (!answer.ok) return false;
  const game = await answer.json();
  if (!wanted() || !game.steps.length) return false;
  const screen = mini(card);
  screen.begin(game);
  const cells = game.cells.slice();
  screen.show(cells);
  screen.lead();
  let made = 0;
  for (const { to, pause } of broadcast(game)) {
    const [step, began] = [game.steps[to - 1], performance.now()];
    const alone = to === made + 1;
    for (;;) {
      const gone = performance.now() - began;
      if (gone >= pause) break;
      screen.clocks(clocksDuring(step, game.unit, gone / pause), alone && game.unit === 'move' ? step.side : null);
      await new Promise((on) => setTimeout(on, Math.min(TICK, pause - gone)));
      if (!wanted()) return false;
    }
    for (; made < to; made++) {
      const { cells: changes } = game.steps[made];
      for (let n = 0; n < changes.length; n += 2) cells[changes[n]] = changes[n + 1];
    }
    screen.clocks(step.clocks, null);
    screen.show(cells, step);
    screen.lead(leadAfter(game.steps, made));
  }
  screen.end(game.result);
  return true;
}
