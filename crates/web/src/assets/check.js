// Follows the check of a version, and loads the page again whenever it has come further.

const check = document.getElementById('check');
const events = new EventSource(check.dataset.events);
const words = check.querySelector('.words');
let bout = null;

events.addEventListener('progress', (event) => {
  const told = JSON.parse(event.data);
  words.textContent = told.words;
  const compiled = told.bout !== null;
  const place = told.state === 'queued' ? 0 : compiled ? 2 : 1;
  [...check.querySelectorAll('.stages li')].forEach((item, index) => {
    item.className = index < place ? 'done' : index === place ? 'now' : '';
  });
  if (compiled && bout !== told.bout) {
    bout = told.bout;
    const link = document.createElement('a');
    link.href = `/game/${bout}`;
    link.textContent = 'Watch the check game';
    check.querySelector('.links').prepend(link, ' · ');
  }
});
events.addEventListener('settled', () => {
  events.close();
  location.reload();
});
addEventListener('pagehide', () => events.close());
