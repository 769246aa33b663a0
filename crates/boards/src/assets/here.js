// Engines that search in this browser, where the page has them, and the choice between them and the server's.

import { Engines, maxThreads } from './engines.js';
import { t } from './words.js';

const brought = globalThis.document?.getElementById('engines');
/// What the page says of them: { wasm, worker, files, usual: 'here' | 'server' | 'only' }; null where it has none.
const offered = brought && globalThis.Worker ? JSON.parse(brought.textContent) : null;
const KEPT = 'agon.engine';
const KEPT_THREADS = 'agon.threads';
/// The most threads that an analysis here has unless the visitor chooses; half of those of the machine are left.
const USUAL_THREADS = 4;
/// The most memory of tables here, in MiB: a telephone refuses more.
const MAX_HASH = 256;

let failed = false;
let engines = null;

/// Whether there is no server behind the page.
export const alone = offered?.usual === 'only';

const wanted = () => globalThis.localStorage?.getItem(KEPT) ?? offered.usual;

/// A name that the engines give, in the language of the page as far as it brings the words.
export const named = (name) => offered?.said?.[name] ?? name;

/// A message of the engines in the language of the page, as far as it brings the words: { text, key, arguments }.
export function stated({ text, key, arguments: values = {} }) {
  const value = (of) => (typeof of === 'object' ? stated(of) : String(of));
  return offered?.said?.[key]?.replace(/\{(\w+)\}/g, (whole, name) => value(values[name] ?? whole)) ?? text;
}

/// The address of a board.
export const boardPage = (name) => (alone ? `${name}.html` : `/board/${name}`);

/// Whether searches of a game run in this browser. Rules that are a program run on the server only.
export const searchesHere = (game) =>
  alone || Boolean(offered && !failed && wanted() === 'here' && !game.includes('@'));

/// The most threads of an analysis here: more than one needs memory that workers share.
export const threadsHere = () => (offered?.threads ? maxThreads() : 1);

/// The threads that the visitor has chosen, of `most`.
export function chosenThreads(most, here) {
  const usual = here ? Math.min(USUAL_THREADS, most >> 1) : 1;
  return Math.max(1, Math.min(Number(globalThis.localStorage?.getItem(KEPT_THREADS) ?? usual), most));
}

export const chooseThreads = (count) => localStorage.setItem(KEPT_THREADS, count);

/// Whether this page lets threads be chosen.
const asksThreads = () => Boolean(globalThis.document?.getElementById('threads'));

/// A worker has another address than the page.
const absolute = (address) => new URL(address, document.baseURI).href;

/// Asks the engines here.
export function askHere(request, options) {
  // One file does everything, if several threads are wanted.
  const several = asksThreads() && chosenThreads(threadsHere(), true) > 1;
  engines ??= new Engines({
    wasm: absolute(several ? offered.threads : offered.wasm),
    threads: offered.threads && absolute(offered.threads),
    games: absolute(offered.games),
    worker: absolute(offered.worker),
    files: Object.fromEntries(Object.entries(offered.files).map(([name, address]) => [name, absolute(address)])),
  });
  return engines.ask(request, options);
}

/// What an engine that cannot run here means: the server searches from now on, where there is one. Returns whether that
/// is so.
export function giveUp() {
  failed = !alone;
  showPlace();
  return failed;
}

/// A question as engines here take it: in the memory and on the threads that a browser has.
export function forHere({ threads = 1, hash, ...question }) {
  const most = Math.min(threads, threadsHere());
  return { ...question, ...(hash && { hash: Math.min(hash, MAX_HASH) }), ...(most > 1 && { threads: most }) };
}

const select = globalThis.document?.getElementById('engine-place');
const note = globalThis.document?.getElementById('engine-note');

/// Whether the search of the game knows how to use several threads.
let parallel = true;

/// Why searches here have as many threads as they have.
function threadsNote() {
  if (!parallel) return t('One thread: the search of this game has no more.');
  if (!offered.threads) return t('One thread: this build has no engine for more.');
  if (globalThis.crossOriginIsolated) return t('Threads in this browser: at most {count}', { count: threadsHere() });
  if (alone && navigator.serviceWorker) return t('One thread until this page is reloaded.');
  return t('One thread: this page is not isolated.');
}

function showPlace() {
  if (!note || !offered) return;
  if (failed) note.textContent = t('The engine does not run in this browser: the server searches.');
  else note.textContent = asksThreads() && (alone || wanted() === 'here') ? threadsNote() : '';
}

/// Says which threads there are for a game whose search is parallel, or not.
export function showThreads(isParallel) {
  parallel = isParallel;
  showPlace();
}

/// Lets the place of the searches be chosen; `changed` is called after each choice.
export function bindPlace(changed = () => {}) {
  if (!offered) return;
  showPlace();
  if (!select) return;
  select.value = wanted();
  select.addEventListener('change', () => {
    localStorage.setItem(KEPT, select.value);
    failed = false;
    showPlace();
    changed();
  });
}
