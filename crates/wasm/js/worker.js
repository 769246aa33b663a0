// The worker in which engines search for a page. It gets { setup } once, then { id, request } one after another, and
// answers with { id, event, data }, then { id, answer }, { id, refused } or { id, failed }. Once it has loaded
// something, it sends { loaded }, so that the next worker need not load it again. For a search on several threads it
// starts helpers: workers with the same script, which get { help } and answer { helps }.

import { Refused, compile, help, loadFile, start } from './agon.js';

/// Requests that need the files of their game.
const SEARCHES = ['move', 'analysis', 'known', 'opening', 'puzzle', 'missed', 'dish'];

let addresses = null;
/// Number of threads of a search.
let threads = 1;
/// Memory that the page shares with this worker, if it can: its number is 1 once the worker is to stop.
let flag = null;
/// Compiled engines by their address: with one thread, and with several.
let modules = {};
let files = new Map();
let engines = null;
let helpers = [];
const handedIn = new Set();

/// Starts a helper of the engines; gives whether it runs.
function startHelper(needed) {
  const helper = new Worker(import.meta.url, { type: 'module' });
  helpers.push(helper);
  return new Promise((resolve) => {
    helper.onmessage = () => resolve(true);
    helper.onerror = (error) => {
      error.preventDefault();
      resolve(false);
    };
    helper.postMessage({ help: needed });
  });
}

/// Starts engines on this many threads.
async function begin(count) {
  const address = count > 1 ? addresses.threads : addresses.wasm;
  if (!modules[address]) {
    modules[address] = await compile(address);
    postMessage({ loaded: { modules, files } });
  }
  const begun = start(modules[address], flag ? { stopped: () => Atomics.load(flag, 0) } : {});
  if (count > 1) {
    const run = await Promise.all(Array.from({ length: count - 1 }, () => startHelper(begun.helper())));
    begun.helpers(run.filter(Boolean).length);
  }
  return begun;
}

async function started() {
  try {
    engines ??= await begin(threads);
  } catch (error) {
    if (threads === 1) throw error;
    // Less memory is asked for without threads.
    threads = 1;
    engines = await begin(threads);
  }
  return engines;
}

/// Hands in the files of a game: those of its engines, or its games.
async function handIn(game, games = false) {
  const asked = await started();
  const needed = asked.answer({ do: 'files', game, games }).filter(({ number }) => !handedIn.has(number));
  const missing = needed.filter(({ name }) => !files.has(name));
  await Promise.all(missing.map(async ({ name }) => files.set(name, await loadFile(addresses.files[name]))));
  if (missing.length) postMessage({ loaded: { modules, files } });
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
    if (request.do === 'played') await handIn(game, true);
    // As many threads as have started.
    if (request.question?.threads > 1) request.question.threads = Math.min(request.question.threads, asked.threads());
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
      for (const helper of helpers) helper.terminate();
      helpers = [];
      handedIn.clear();
      postMessage({ id, failed: error.message });
    }
  }
}

let last = Promise.resolve();
onmessage = ({ data: { setup, id, request, help: needed } }) => {
  if (setup) ({ addresses, threads, flag, modules, files } = setup);
  else if (needed) {
    postMessage({ helps: true });
    help(needed);
  } else last = last.then(() => answer(id, request));
};
