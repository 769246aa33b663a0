// The slips of a list of people: the button that prints them.

const button = document.querySelector('[data-print]');
button.addEventListener('click', () => globalThis.print());
button.hidden = false;
