// Renews a page that says how often: it is fetched, and its main part is put in the place of the old one. Where parts
// say that they are renewed, only these are; a page that has become another one is loaded anew.

const wait = document.querySelector("[data-again]")?.dataset.again;
const state = (root) => root.querySelector("[data-state]")?.dataset.state;
const parts = (root) => [...root.querySelectorAll("[data-renewed]")];
let kept = null;

function put(main, next) {
  if (state(main) !== state(next)) return location.reload();
  // A page that is read is left alone as long as it stays the same.
  if (next.innerHTML === kept) return;
  kept = next.innerHTML;
  if (parts(main).length) {
    const others = new Map(parts(next).map((part) => [part.dataset.renewed, part]));
    for (const part of parts(main)) part.replaceChildren(...(others.get(part.dataset.renewed)?.childNodes ?? []));
  } else {
    main.replaceChildren(...next.childNodes);
  }
  document.dispatchEvent(new Event("renewed"));
}

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return again();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const goes = page.querySelector("[data-again]");
    put(document.querySelector("main"), page.querySelector("main"));
    if (goes) again();
  } catch {
    // The site is away for a moment.
    again();
  }
}

function again() {
  setTimeout(renew, 1000 * wait);
}

if (wait) again();
