// Renews a page that says how often: its main part is fetched and put in the place of the old one.

const wait = document.querySelector("[data-again]")?.dataset.again;

async function renew() {
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return again();
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
    document.dispatchEvent(new Event("renewed"));
    if (document.querySelector("[data-again]")) again();
  } catch {
    // The site is away for a moment.
    again();
  }
}

function again() {
  setTimeout(renew, 1000 * wait);
}

if (wait) again();
