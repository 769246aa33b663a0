// Looking for mistakes: every position of a line is searched for a moment.

import { position } from './server.js';
import { t } from './words.js';

/// How long each one: nodes, so that a busy server gives the same marks, only later.
const LIMITS = { nodes: 300000, seconds: 30 };
/// How many moves of the best line are kept.
const LINE = 6;

/// What searches lines. `owner` has: question(node), search(question, limits, valued, done) returning what stops it,
/// progress(words), shown().
export function reviewer(owner) {
  let running = null;

  /// Searches the positions of nodes, and sets their values.
  async function run(nodes) {
    let [stopped, close] = [false, null];
    running = {
      stop() {
        stopped = true;
        close?.();
      },
    };
    for (const [ply, one] of nodes.entries()) {
      if (stopped) break;
      owner.progress(t('position {at} of {count}', { at: ply + 1, count: nodes.length }));
      const last = ply === nodes.length - 1 && (await position(owner.question(one))).result;
      if (last) {
        const mate = last.winner === null ? null : ['first', 'second'][last.winner];
        one.value = { first: 0, text: t('the end'), mate };
        break;
      }
      await new Promise((resolve) => {
        const valued = (value, line) => {
          one.value = value ?? one.value;
          // A best move alone says less than the line that begins with it.
          const known = one.best === line?.[0] && one.line?.length > line?.length;
          if (line?.[0] && !known) [one.best, one.line] = [line[0], line.slice(0, LINE)];
        };
        const end = owner.search(owner.question(one), LIMITS, valued, resolve);
        close = () => {
          end();
          resolve();
        };
      });
      if (!stopped) owner.shown();
    }
    running = null;
  }

  return { run, stop: () => running?.stop(), running: () => running !== null };
}
