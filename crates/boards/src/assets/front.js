// The front page: the board of the game most worth watching moves by itself, and so does all around it.

import { play, steps, watch } from './broadcast.js';
import './follow.js';
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

/// Shows the game of this number, which comes with the stream of the page.
function live(id) {
  card().dataset.playing = '';
  return (stream) => watch(card(), stream, { wanted: () => shown === id, over: (ended) => free(ended ? STAYS : 1000) });
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
  follow(shown, shown ? live(shown) : null);
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
