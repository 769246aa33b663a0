// A board larger than the window, for fingers: it is scrolled, and the button shows all of it again.

import { settings, storeSettings } from './table.js';

/// Boards with more columns than this have places too small for a finger on a telephone.
const COLUMNS = 9;
/// Where the button is shown; board.css says the same. On a wide window the board is large enough.
const FINGERS = matchMedia('(pointer: coarse), (max-width: 40rem)');

/// Lets the board in `host` be enlarged by a button, which is hidden where that has no use.
export function bindZoom(button, host) {
  const large = () => Number(host.querySelector('[role=grid]')?.firstChild?.children.length ?? 0) > COLUMNS;
  const show = () => {
    button.hidden = !large();
    const on = settings.zoom === true && large() && FINGERS.matches;
    host.classList.toggle('zoomed', on);
    button.setAttribute('aria-pressed', String(on));
    if (on) centre(host);
  };
  button.addEventListener('click', () => {
    settings.zoom = settings.zoom !== true;
    storeSettings();
    show();
  });
  new MutationObserver(show).observe(host, { childList: true });
  FINGERS.addEventListener('change', show);
  show();
}

/// Scrolls to what was played last, or else to the middle.
function centre(host) {
  const scroll = host.firstChild;
  const last = host.querySelector('.mark:is(.last1, .last2)') ?? host.querySelector('svg');
  const [seen, here] = [scroll.getBoundingClientRect(), last.getBoundingClientRect()];
  scroll.scrollBy(
    here.left + here.width / 2 - seen.left - seen.width / 2,
    here.top + here.height / 2 - seen.top - seen.height / 2,
  );
}
