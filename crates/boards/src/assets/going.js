// The first page of the boards: what this browser has begun, to go on with.

import { element } from './board.js';
import { t } from './words.js';

const host = document.getElementById('going');
const read = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    // A browser that keeps nothing has begun nothing.
    return null;
  }
};

/// The games that have moves and no end, and the chapter that was analysed last: [[address, words]…].
function begun() {
  const cards = [...document.querySelectorAll('.choices a')];
  const games = cards.flatMap((card) => {
    const address = card.getAttribute('href');
    const name = address.replace(/^.*\//, '').replace('.html', '');
    const game = read(`agon.board.${name}`);
    const count = game?.question?.moves?.length ?? 0;
    const title = card.querySelector('strong').textContent;
    return count && !game.ended ? [[address, t('{title}, move {count}', { title, count: count + 1 })]] : [];
  });
  const analysis = cards.find((card) => /analysis/.test(card.getAttribute('href')));
  const last = analysis && read('agon.analysis.at');
  return last ? [...games, [analysis.getAttribute('href'), t('Last analysis')]] : games;
}

const links = begun().map(([href, words]) => element('li', {}, element('a', { href, class: 'button' }, words)));
host.hidden = !links.length;
host.querySelector('ul').replaceChildren(...links);
