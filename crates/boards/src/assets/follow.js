// What a visitor without an account follows. The list and the times of visits stay in this browser.

import './page.js';

const KEY = 'agon-following';

/// Milliseconds without a page after which the next one begins another visit.
const PAUSE = 3 * 3600 * 1000;

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
    return { of: Array.isArray(kept.of) ? kept.of : [], seen: kept.seen ?? 0, before: kept.before ?? 0 };
  } catch {
    return { of: [], seen: 0, before: 0 };
  }
}

function keep(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
    return true;
  } catch {
    return false; // The browser keeps nothing.
  }
}

/// Notes that the visitor is here; what is returned has the end of the visit before.
function visit() {
  const state = read();
  const now = Date.now();
  if (now - state.seen > PAUSE) state.before = state.seen;
  state.seen = now;
  if (state.of.length) keep(state);
  return state;
}

/// The page of what this browser follows, with its news.
function page(state) {
  const query = new URLSearchParams({ of: state.of.join(',') });
  if (state.before) query.set('since', Math.floor(state.before / 1000));
  return `/following?${query}`;
}

for (const button of document.querySelectorAll('[data-follow]')) {
  const { follow: address, begin, stop, full, most } = button.dataset;
  const all = button.nextElementSibling;
  const show = () => {
    const follows = read().of.includes(address);
    button.textContent = follows ? stop : begin;
    button.setAttribute('aria-pressed', follows);
    all.hidden = !follows;
  };
  button.addEventListener('click', () => {
    const state = read();
    const at = state.of.indexOf(address);
    if (at >= 0) state.of.splice(at, 1);
    else if (state.of.length < Number(most)) state.of.push(address);
    else return void (button.textContent = full);
    if (!state.seen) state.seen = Date.now();
    keep(state);
    show();
  });
  show();
  button.hidden = false;
}

const state = visit();
const place = document.querySelector('[data-following]');
const all = document.querySelector('[data-following-all]');
if (all && state.of.length && !new URLSearchParams(location.search).has('of')) location.replace(page(state));
if (place && state.of.length) {
  fetch(page(state), { headers: { accept: 'text/html' } })
    .then((answer) => (answer.ok ? answer.text() : ''))
    .then((text) => {
      const next = new DOMParser().parseFromString(text, 'text/html');
      const [title, news] = [next.querySelector('h1'), next.querySelector('[data-following-all]')];
      if (!news?.querySelector('li')) return;
      const [heading, link] = [document.createElement('h2'), document.createElement('a')];
      link.href = '/following';
      link.textContent = title.textContent;
      heading.append(link);
      place.replaceChildren(heading, ...news.childNodes);
      place.hidden = false;
    })
    .catch(() => {}); // The front page is complete without it.
}
