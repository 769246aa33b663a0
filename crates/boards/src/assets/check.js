// Follows the check of a version, and loads the page again whenever it has come further.

const check = document.getElementById('check');
const events = new EventSource(check.dataset.events);
const words = check.querySelector('.words');
let bout = null;

events.addEventListener('progress', (event) => {
  const progress = JSON.parse(event.data);
  words.textContent = progress.words;
  const compiled = progress.bout !== null;
  const place = progress.state === 'queued' ? 0 : compiled ? 2 : 1;
  [...check.querySelectorAll('.stages li')].forEach((item, index) => {
    item.className = index < place ? 'done' : index === place ? 'now' : '';
  });
  if (compiled && bout !== progress.bout) {
    bout = progress.bout;
    const links = check.querySelector('.links');
    let link = links.querySelector('a[href^="/game/"]');
    if (!link) {
      link = document.createElement('a');
      links.prepend(link, ' · ');
    }
    link.href = `/game/${bout}`;
    link.textContent = check.dataset.watch;
  }
});
events.addEventListener('settled', () => {
  events.close();
  location.reload();
});
addEventListener('pagehide', () => events.close());
