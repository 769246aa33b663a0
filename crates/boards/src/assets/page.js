// A page that changes by itself: the server says that something may look different, the page is asked for again, and
// the parts that differ are put into place. A part that is in use is left alone.

/// How long until a change is shown, at random, so that not all browsers ask at once.
const SPREAD = 1500;

let [stream, timer, asked] = [null, null, false];
const followers = [];

/// Whether a part is in use: it has the focus.
const busy = (part) => part.contains(document.activeElement) && document.activeElement !== document.body;

/// Asks for the page again and shows what differs. Focus, scroll and open details stay.
export async function refresh() {
  if (asked) return;
  asked = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (!answer.ok) return;
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const part of document.querySelectorAll('[data-part]')) {
      const other = next.querySelector(`[data-part="${part.dataset.part}"]`);
      if (!other || busy(part) || part.dataset.kept === other.innerHTML) continue;
      // A game that is watched is not taken away before its end, and a board that moves by itself is as new as can be.
      if (part.dataset.playing !== undefined) continue;
      if (part.dataset.of && part.dataset.of === other.dataset.of) continue;
      part.dataset.kept = other.innerHTML;
      if (part.innerHTML === other.innerHTML) continue;
      const open = [...part.querySelectorAll('details')].map((details) => details.open);
      if (other.dataset.of) part.dataset.of = other.dataset.of;
      part.replaceChildren(...other.childNodes);
      part.querySelectorAll('details').forEach((details, n) => (details.open = open[n] ?? details.open));
      part.dispatchEvent(new CustomEvent('refreshed', { bubbles: true }));
    }
    for (const follower of followers) follower(next);
  } catch {
    // The next notice asks again.
  } finally {
    asked = false;
  }
}

/// What else is done with a page that was asked for again.
export const onRefresh = (follower) => followers.push(follower);

function later() {
  clearTimeout(timer);
  timer = setTimeout(refresh, Math.random() * SPREAD);
}

/// Follows the page, and a game on it: `listen` gets the stream before anything comes.
export function follow(game, listen) {
  stream?.close();
  stream = new EventSource(game ? `/changes?game=${game}` : '/changes');
  stream.addEventListener('changed', later);
  listen?.(stream);
  return stream;
}

// A browser has few connections: a hidden page gives its own back.
let again = null;
export const onShown = (act) => (again = act);
document.addEventListener('visibilitychange', () => {
  if (document.hidden) stream?.close();
  else {
    refresh();
    again?.();
  }
});
addEventListener('pagehide', () => stream?.close());

if (document.querySelector('[data-part]') && !document.querySelector('[data-game]')) {
  onShown(() => follow());
  follow();
}
