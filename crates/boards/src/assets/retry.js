// A mistake is tried again: the side that has made it looks for a better move, and the engine judges it.

import { share } from './evaluations.js';
import { t } from './words.js';

/// What of the bar a move may lose that counts as good.
const GOOD_LOSS = 0.05;
/// The search that judges a move: as that of a review.
const LIMITS = { nodes: 300000, seconds: 30 };

/// How good a move is, by its side's winning chances before and after it, in per cent: { good, before, after }.
export function judged(before, after, side, scale) {
  const of = (value) => (side === 0 ? share(value, scale) : 1 - share(value, scale));
  const [from, to] = [of(before), of(after)];
  return { good: from - to <= GOOD_LOSS, before: Math.round(100 * from), after: Math.round(100 * to) };
}

/// What is said of a move: `H9 is as good as G7, the best.`
export function verdictText(letters, best, { good, before, after }) {
  const values = { move: letters, best, before, after };
  if (good && letters === best) return t('{move}: the best move.', values);
  if (good) return best ? t('{move} is good; best was {best}.', values) : t('{move} is good.', values);
  return t('{move}: winning chances fall from {before} % to {after} %. Try again, or step on.', values);
}

/// Lets mistakes be tried again. `owner` has: go(node), ask(node, move) for the question after a move,
/// search(question, limits, valued, done), scale(), say(words), shown(letters).
export function retrier(owner) {
  let node = null;
  let end = null;

  function stop() {
    end?.();
    [node, end] = [null, null];
  }

  return {
    active: () => node !== null,
    stop,
    /// Begins before a move that lost something.
    async begin(wrong) {
      stop();
      await owner.go(wrong.parent);
      node = wrong.parent;
      owner.say(t('{move} was played here. Find a better move.', { move: owner.shown(wrong.letters) }));
    },
    /// Judges a move that is made. Returns whether it was for this.
    judge(move, side) {
      if (!node) return;
      end?.();
      const here = node;
      owner.say(`${owner.shown(move.letters)} …`);
      let value = null;
      end = owner.search(owner.ask(here, move), LIMITS, (found) => (value = found ?? value), () => {
        if (node !== here) return;
        const found = value ? judged(here.value, value, side, owner.scale()) : { good: true };
        owner.say(verdictText(owner.shown(move.letters), here.best && owner.shown(here.best), found));
        if (found.good) stop();
      });
    },
  };
}
