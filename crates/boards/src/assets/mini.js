// A small board with the players and clocks of a card: `.board.mini`, `.player` for each side, `.plies`, `.balance`.

import { board } from './board.js';
import { CELL } from './shapes.js';

/// What of a drawn board is cut off: the labels around it.
const CUT = 22;
const EDGE = 16;

/// A move with its number, which is counted from the start of the game, not from the end of its opening.
export const numbered = (game, step) => `${(game.opening ?? 0) + step.ply}. ${step.move}`;

const seconds = (ms) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`;

/// Draws games on a card. Functions: `begin` a game (as the viewer has it), `show` cells after a step, `end` with the
/// result, `clocks` with the milliseconds of both sides and the side that thinks, `lead` with the first side's share
/// from -1 to 1.
export function mini(card) {
  const host = card.querySelector('.board.mini');
  const { label = '' } = host.dataset;
  const [players, plies] = [[...card.querySelectorAll('.player')], card.querySelector('.plies')];
  let [game, drawn] = [null, null];
  return {
    begin(next) {
      game = next;
      drawn = board(host, { ...game, both: false, words: JSON.parse(host.dataset.words ?? '{}') });
      drawn.svg.setAttribute('viewBox', `${CUT} ${CUT} ${game.columns * CELL + EDGE} ${game.rows * CELL + EDGE}`);
    },
    show(cells, step) {
      drawn.set({ cells: cells.map((cell) => game.places[cell]), label });
      if (plies) plies.textContent = step ? numbered(game, step) : plies.dataset.begins ?? '';
    },
    end(result) {
      if (plies) plies.textContent = result;
    },
    clocks(known, running) {
      players.forEach((player, side) => {
        player.querySelector('.clock').textContent = known ? seconds(known[side]) : '';
        player.classList.toggle('to-move', side === running);
      });
    },
    lead(share) {
      const bar = card.querySelector('.balance');
      if (!bar) return;
      bar.hidden = share === undefined;
      if (share !== undefined) bar.style.setProperty('--share', `${(50 * (1 + share)).toFixed(1)}%`);
    },
  };
}
