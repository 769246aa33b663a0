// The replay of a game, and under it what the champion thinks of every position, for whoever wants to see it.

import './viewer.js';
import { curve } from './curve.js';

const box = document.getElementById('evaluation');
const host = document.getElementById('game');
const words = document.createElement('p');
words.className = 'faint';
words.setAttribute('role', 'status');
const button = document.createElement('button');
button.type = 'button';
button.textContent = 'Evaluate every position';
box.append(button, words);

const ply = () => Number.parseInt(new URLSearchParams(location.hash.slice(1)).get('ply'), 10) || 0;
let shown = ply();
let drawn = null;
host.addEventListener('ply', (event) => {
  shown = event.detail;
  drawn?.at(shown);
});

button.addEventListener('click', () => {
  button.disabled = true;
  words.textContent = 'The champion thinks.';
  const events = new EventSource(box.dataset.events);
  const place = document.createElement('div');
  let found = 0;
  events.addEventListener('meaning', (event) => {
    const { meaning } = JSON.parse(event.data);
    box.replaceChildren(place, words);
    words.textContent = meaning;
    found = 0;
    drawn = curve(place, { label: 'evaluation by ply', show: (to) => (location.hash = `#ply=${to}`) });
    drawn.at(shown);
  });
  events.addEventListener('point', (event) => {
    found += 1;
    drawn.add(JSON.parse(event.data));
  });
  events.addEventListener('end', () => events.close());
  const broken = () => {
    events.close();
    box.replaceChildren(...(found > 0 ? [place] : []), button, words);
    button.disabled = false;
    words.textContent = 'The evaluation was broken off. Try again in a minute.';
  };
  events.addEventListener('gone', broken);
  events.addEventListener('error', broken);
  addEventListener('pagehide', () => events.close(), { once: true });
});
