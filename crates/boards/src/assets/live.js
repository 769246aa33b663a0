// A game while it is played: the server sends the start, every step, and the end.

import './share.js';
import { mount } from './viewer.js';

const host = document.getElementById('live');
const events = new EventSource(host.dataset.events);
let shown = null;
let game = null;

events.addEventListener('start', (event) => {
  game = { ...JSON.parse(event.data), live: true };
  shown = mount(host, game, (ply) => `#ply=${ply}`, () => {});
  shown.show(0);
});
events.addEventListener('step', (event) => {
  const step = JSON.parse(event.data);
  game.places.push(...step.places);
  shown.add(step);
});
events.addEventListener('end', (event) => {
  events.close();
  shown?.end(JSON.parse(event.data));
  for (const mark of document.querySelectorAll('.live-mark')) mark.remove();
  // What leads on was in the page from its beginning.
  document.getElementById('over').hidden = false;
});
// Over before anybody followed it, or broken off: the page knows which.
events.addEventListener('gone', () => {
  events.close();
  setTimeout(() => location.reload(), 1000);
});
host.addEventListener('click', (event) => {
  const ply = event.target.closest?.('a[href^="#ply="]')?.hash.slice(5);
  if (ply === undefined) return;
  event.preventDefault();
  shown.show(Number(ply));
});
// A browser has few connections: a hidden page gives its own back.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && events.readyState === EventSource.CLOSED && game?.result === undefined) location.reload();
});
addEventListener('pagehide', () => events.close());
