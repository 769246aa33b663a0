// The worker in which engines search for a page. It gets { setup } once, then { id, request } one after another, and
// answers with { id, event, data }, then { id, answer }, { id, refused } or { id, failed }. Once it has loaded
// something, it sends { loaded }, so that the next worker need not load it again.

import { Refused, compile, loadFile, start } from './agon.js';

/// Requests that need the files of their game.
const SEARCHES = ['move', 'analysis', 'known', 'puzzle', 'missed', 'dish'];

let addresses = null;
let module = null;
let files = new Map();
let engines = null;
const handedIn = new Set();

async function started() {
  if (!module) {
    module = await compile(addresses.wasm);
    postMessage({ loaded: { module, files } });
  }
  engines ??= start(module);
  return engines;
}

/// Hands in the files of a game.
async function handIn(game) {
  const asked = await started();
  const needed = asked.answer({ do: 'files', game }).filter(({ number }) => !handedIn.has(number));
  const missing = needed.filter(({ name }) => !files.has(name));
  await Promise.all(missing.map(async ({ name }) => files.set(name, await loadFile(addresses.files[name]))));
  if (missing.length) postMessage({ loaded: { module, files } });
  for (const { number, name } of needed) {
    asked.data(number, files.get(name));
    handedIn.add(number);
  }
}

async function answer(id, request) {
  try {
    const asked = await started();
    const game = request.do === 'dish' ? 'petri' : request.game ?? request.question?.game ?? request.attempt?.game;
    if (SEARCHES.includes(request.do)) await handIn(game);
    if (request.do === 'warm') await handIn(game);
    else {
      const found = asked.answer(request, (event, data) => postMessage({ id, event, data }));
      postMessage({ id, answer: found });
    }
  } catch (error) {
    if (error instanceof Refused) postMessage({ id, refused: { detail: error.message, at: error.at } });
    else {
      // After a fault nothing in their memory is sure.
      engines = null;
      handedIn.clear();
      postMessage({ id, failed: error.message });
    }
  }
}

let last = Promise.resolve();
onmessage = ({ data: { setup, id, request } }) => {
  if (setup) ({ addresses, module, files } = setup);
  else last = last.then(() => answer(id, request));
};
