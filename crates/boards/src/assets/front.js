// The front page: the board of the game most worth watching moves by itself, and so does all around it.

import { board } from './board.js';
import { CELL } from './shapes.js';
import { follow, onRefresh, onShown, refresh } from './page.js';

/// What of a drawn board is cut off: the labels around it.
const CUT = 22;
const EDGE = 16;
/// How long the end of a game stays, in milliseconds.
const STAYS = 5000;

const stage = document.querySelector('.stage');
let shown = null;

const seconds = (ms) => `${(Math.max(0, ms) / 1000).toFixed(1)} s`;

function watch(id) {
  const host = stage.querySelector('.board.mini');
  let [game, drawn, cells, arrived, timer] = [null, null, [], 0, null];
  const { label } = host.dataset;
  const players = [...stage.querySelectorAll('.player')];
  const alive = () => shown === id && host.isConnected;

  function clocks(step) {
    clearTimeout(timer);
    if (!alive() || game.result !== undefined) return;
    const known = step?.clocks ?? game.clocks;
    const running = game.unit === 'move' ? (step ? 1 - step.side : 0) : null;
    players.forEach((player, side) => {
      const spent = side === running ? performance.now() - arrived : 0;
      player.querySelector('.clock').textContent = known ? seconds(known[side] - spent) : '';
      player.classList.toggle('to-move', side === running);
    });
    if (running !== null) timer = setTimeout(clocks, 100, step);
  }

  function show(step) {
    drawn.set({ cells: cells.map((cell) => game.places[cell]), label });
    arrived = performance.now();
    const plies = stage.querySelector('.plies');
    if (plies) plies.textContent = step ? `${step.ply}. ${step.move}` : plies.dataset.begins;
    clocks(step);
  }

  return (stream) => {
    stream.addEventListener('start', (event) => {
      if (!alive()) return;
      game = JSON.parse(event.data);
      cells = game.cells.slice();
      drawn = board(host, { ...game, both: false, words: JSON.parse(host.dataset.words ?? '{}') });
      drawn.svg.setAttribute('viewBox', `${CUT} ${CUT} ${game.columns * CELL + EDGE} ${game.rows * CELL + EDGE}`);
      show(null);
    });
    stream.addEventListener('step', (event) => {
      if (!alive() || !game) return;
      const step = JSON.parse(event.data);
      game.places.push(...step.places);
      for (let n = 0; n < step.cells.length; n += 2) cells[step.cells[n]] = step.cells[n + 1];
      show(step);
    });
    stream.addEventListener('end', (event) => {
      if (!alive() || !game) return;
      game.result = JSON.parse(event.data).result;
      const plies = stage.querySelector('.plies');
      if (plies) plies.textContent = game.result;
      setTimeout(refresh, STAYS);
    });
    stream.addEventListener('gone', () => alive() && setTimeout(refresh, 1000));
  };
}

/// Follows the game that the page shows, if that is another one than before.
function begin() {
  shown = stage.dataset.game || null;
  follow(shown, shown ? watch(shown) : null);
}

onRefresh((next) => {
  const other = next.querySelector('.stage')?.dataset.game || null;
  if (other === shown) return;
  stage.dataset.game = other ?? '';
  begin();
});
onShown(begin);
begin();
