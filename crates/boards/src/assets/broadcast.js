// A game that has been played, on a small board, at a pace that people can follow.

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

/// The address of the finished game of a card.
export const steps = (card) => card?.querySelector('[data-steps]')?.dataset.steps;

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
