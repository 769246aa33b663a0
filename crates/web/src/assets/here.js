// Engines that search in this browser, where the page has them, and the choice between them and the server's.

import { Engines } from './engines.js';
import { t } from './words.js';

const brought = globalThis.document?.getElementById('engines');
/// What the page says of them: { wasm, worker, files, usual: 'here' | 'server' | 'only' }; null where it has none.
const offered = brought && globalThis.Worker ? JSON.parse(brought.textContent) : null;
const KEPT = 'agon.engine';
/// The most memory of tables here, in MiB: a telephone refuses more.
const MAX_HASH = 256;

let failed = false;
let engines = null;

/// Whether there is no server behind the page.
export const alone = offered?.usual === 'only';

const wanted = () => globalThis.localStorage?.getItem(KEPT) ?? offered.usual;

/// What the engines say, in the language of the page as far as it brings the words.
export const said = (text) => offered?.said?.[text] ?? text;

/// The address of a board.
export const boardPage = (name) => (alone ? `${name}.html` : `/board/${name}`);

/// Whether searches of a game run in this browser. Rules that are a program run on the server only.
export const searchesHere = (game) =>
  alone || Boolean(offered && !failed && wanted() === 'here' && !game.includes('@'));

/// A worker has another address than the page.
const absolute = (address) => new URL(address, document.baseURI).href;

/// Asks the engines here.
export function askHere(request, options) {
  engines ??= new Engines({
    wasm: absolute(offered.wasm),
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

/// A question as engines here take it: on one thread, in the memory that a browser has.
export function forHere({ threads, hash, ...question }) {
  return hash ? { ...question, hash: Math.min(hash, MAX_HASH) } : question;
}

const select = globalThis.document?.getElementById('engine-place');
const note = globalThis.document?.getElementById('engine-note');

function showPlace() {
  if (note) note.textContent = failed ? t('The engine does not run in this browser: the server searches.') : '';
}

/// Lets the place of the searches be chosen; `changed` is called after each choice.
export function bindPlace(changed = () => {}) {
  if (!select || !offered) return;
  select.value = wanted();
  select.addEventListener('change', () => {
    localStorage.setItem(KEPT, select.value);
    failed = false;
    showPlace();
    changed();
  });
}
