// Games for a projector: each card plays its game, and is then replaced by that of the next.

import './again.js';
import { events, play, steps, watch } from './broadcast.js';

/// How long the end of a game stays, in milliseconds.
const STAYS = 8000;
/// How many games are remembered: an address has an end.
const MAX_SHOWN = 60;

const wall = document.querySelector('.wall');
/// How long until a card without a game asks again, in milliseconds.
const WAITS = 1000 * Number(wall?.dataset.waits ?? 30);
const sleep = (ms) => new Promise((on) => setTimeout(on, ms));
const number = (card) => card.dataset.of?.split(' ')[0];

let cards = [...(wall?.querySelectorAll('.featured') ?? [])];
/// The games that were shown and those that are, the last ones last.
const shown = cards.map(number).filter(Boolean);

async function next(card) {
  try {
    const address = new URL(wall.dataset.next, location.href);
    address.searchParams.set('boards', '1');
    address.searchParams.set('shown', shown.join('.'));
    address.searchParams.set('beside', cards.filter((other) => other !== card).map(number).join('.'));
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const other = page.querySelector('.wall .featured');
    if (!steps(other) && !events(other)) return card;
    shown.push(number(other));
    shown.splice(0, Math.max(0, shown.length - MAX_SHOWN));
    card.replaceWith(other);
    cards = cards.map((one) => (one === card ? other : one));
    return other;
  } catch {
    return card;
  }
}

/// Follows a game to its end. True once it has ended.
function follow(card) {
  const stream = new EventSource(events(card));
  return new Promise((over) => {
    watch(card, stream, { over });
    stream.addEventListener('error', () => over(false));
  }).finally(() => stream.close());
}

async function show(card) {
  if (steps(card)) return play(card);
  return events(card) ? follow(card) : false;
}

async function run(first) {
  for (let card = first; ; ) {
    await sleep((await show(card).catch(() => false)) ? STAYS : WAITS);
    card = await next(card);
  }
}

for (const card of cards) run(card);
