// The front page: the board of the game most worth watching moves by itself, and so does all around it.

import { play, steps } from './broadcast.js';
import './follow.js';
import { mini } from './mini.js';
import { follow, onRefresh, onShown, refresh } from './page.js';

/// How long the end of a game stays, in milliseconds.
const STAYS = 5000;

const stage = document.querySelector('.stage');
let shown = null;

/// The card of the stage; what it shows is not taken away before its game has ended.
const card = () => stage.querySelector('.featured');
function free(after) {
  delete card()?.dataset.playing;
  setTimeout(refresh, after);
}

function watch(id) {
  const screen = mini(card());
  let [game, cells, arrived, timer] = [null, [], 0, null];
  const alive = () => shown === id;
  card().dataset.playing = '';

  function clocks(step) {
    clearTimeout(timer);
    if (!alive() || game.result !== undefined) return;
    const known = step?.clocks ?? game.clocks;
    const running = game.unit === 'move' ? (step ? 1 - step.side : 0) : null;
    screen.clocks(known?.map((ms, side) => ms - (side === running ? performance.now() - arrived : 0)), running);
    if (running !== null) timer = setTimeout(clocks, 100, step);
  }

  function show(step) {
    screen.show(cells, step);
    arrived = performance.now();
    clocks(step);
  }

  return (stream) => {
    stream.addEventListener('start', (event) => {
      if (!alive()) return;
      game = JSON.parse(event.data);
      cells = game.cells.slice();
      screen.begin(game);
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
      screen.end(game.result);
      free(STAYS);
    });
    stream.addEventListener('gone', () => {
      if (alive()) free(1000);
    });
  };
}

/// Plays the last game of those most worth watching, where no game is being played.
async function replay() {
  const one = card();
  if (!steps(one) || one.dataset.playing !== undefined) return;
  one.dataset.playing = '';
  const { of } = one.dataset;
  const wanted = () => card()?.dataset.of === of && !shown;
  if (await play(one, wanted).catch(() => false)) free(STAYS);
  else if (wanted()) delete one.dataset.playing;
}

/// Follows the game that the page shows, if that is another one than before.
function begin() {
  shown = stage.dataset.game || null;
  follow(shown, shown ? watch(shown) : null);
  if (!shown) replay();
}

onRefresh((next) => {
  const other = next.querySelector('.stage')?.dataset.game || null;
  if (card()?.dataset.playing !== undefined) return;
  if (other === shown) return void (shown || replay());
  stage.dataset.game = other ?? '';
  begin();
});
onShown(begin);
begin();
