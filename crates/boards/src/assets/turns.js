// How a board is looked at: turned and mirrored, kept in this browser for each game.

import { isSquare, turnedOn } from './shapes.js';
import { settings, storeSettings } from './table.js';

/// Ways of turning, as shapes.js has them.
const [QUARTER, HALF, MIRROR] = [6, 3, 2];
/// Games that know rows and columns apart are not turned by a quarter.
const UPRIGHT = ['domineering'];

const wayOf = (game) => settings.turned?.[game] ?? 0;

/// The buttons that turn and mirror.
let shownButtons = [];

/// A board of a game as it is looked at, for `fitted`. Only boards of squares and crossings are turned.
export function turned(view, game) {
  for (const button of shownButtons) button.hidden = !isSquare(view) || !view.rows;
  return { ...view, turned: isSquare(view) ? wayOf(game) : 0 };
}

/// Lets the board be turned and mirrored by two buttons; `game` names its game, `changed` is called after each change.
/// Returns what the keys do.
export function bindTurns(buttons, game, changed) {
  const by = (way) => () => {
    settings.turned = { ...settings.turned, [game()]: turnedOn(wayOf(game()), way()) };
    storeSettings();
    changed();
  };
  const acts = { turn: by(() => (UPRIGHT.includes(game()) ? HALF : QUARTER)), mirror: by(() => MIRROR) };
  for (const [name, act] of Object.entries(acts)) buttons[name]?.addEventListener('click', act);
  shownButtons = Object.values(buttons).filter(Boolean);
  return acts;
}
