// The petri dish without a server: engines in this browser run what the form says.

import { runDish } from './server.js';
import { mount } from './viewer.js';

const form = document.getElementById('dish');
const host = document.getElementById('game');
const problem = document.getElementById('problem');
const button = form.querySelector('button.primary');

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  try {
    const game = await runDish(Object.fromEntries(new FormData(form)), form.dataset.own);
    problem.hidden = true;
    document.getElementById('shown').hidden = false;
    mount(host, game, (ply) => `#ply=${ply}`, () => {}).show(0);
    host.scrollIntoView({ block: 'start' });
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
  button.disabled = false;
});
