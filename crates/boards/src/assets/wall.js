// Several games at once, for a projector: each card plays its game, and is then replaced by that of the next.

import { play, steps } from './broadcast.js';

/// How long the end of a game stays, and until a card without a game asks again, in milliseconds.
const STAYS = 8000;
const WAITS = 30000;
/// How many games are remembered: an address has an end.
const MAX_SHOWN = 60;

const wall = document.querySelector('.wall');
const sleep = (ms) => new Promise((on) => setTimeout(on, ms));

const cards = [...wall.querySelectorAll('.featured')].filter(steps);
/// The games that were shown and those that are, the last ones last.
const shown = cards.map((card) => card.dataset.of);

async function next(card) {
  try {
    const address = new URL(wall.dataset.next, location.href);
    address.searchParams.set('boards', '1');
    address.searchParams.set('shown', shown.join('.'));
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const other = page.querySelector('.wall .featured');
    if (!steps(other)) return card;
    shown.push(other.dataset.of);
    shown.splice(0, Math.max(0, shown.length - MAX_SHOWN));
    card.replaceWith(other);
    return other;
  } catch {
    return card;
  }
}

async function run(first) {
  for (let card = first; ; ) {
    await sleep((await play(card).catch(() => false)) ? STAYS : WAITS);
    card = await next(card);
  }
}

for (const card of cards) run(card);
