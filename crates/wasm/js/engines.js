// Engines for a page: they search in a worker of their own, which ends when a search is stopped, so that a stop takes
// no time and memory goes back.

import { Refused } from './agon.js';

export { Refused };

/// Where the files of this package are.
const HERE = {
  wasm: new URL('./agon.wasm.gz', import.meta.url).href,
  threads: new URL('./agon-threads.wasm.gz', import.meta.url).href,
  worker: new URL('./worker.js', import.meta.url).href,
  files: Object.fromEntries(
    [
      'nets/bacteria/champion.net',
      'nets/renju/champion.net',
      'nets/petri/champion.toml',
      'nets/petri/champion-small.toml',
      'books/renju.book',
      'books/renju.practised',
      'books/games/bacteria.games',
      'books/games/domineering.games',
      'books/games/renju.games',
    ].map(
      (name) => [name, new URL(`./${name.replaceAll('/', '-')}.gz`, import.meta.url).href],
    ),
  ),
};

/// The most threads of a search on this page. Workers share memory only where the page is isolated: it is sent with
/// `Cross-Origin-Opener-Policy: same-origin` and `Cross-Origin-Embedder-Policy: require-corp`, by HTTPS or from this
/// machine.
export const maxThreads = () => (globalThis.crossOriginIsolated ? navigator.hardwareConcurrency : 1);

/// A worker, and the one request that it answers.
class Lane {
  constructor(addresses, loaded) {
    Object.assign(this, { addresses, loaded, worker: null, flag: null, threads: 1 });
    Object.assign(this, { asked: null, waiting: [], game: null });
  }

  begin() {
    if (this.worker) return;
    this.worker = new Worker(this.addresses.worker, { type: 'module' });
    this.worker.onmessage = ({ data }) => this.take(data);
    this.worker.onerror = (error) => {
      error.preventDefault?.();
      const failed = this.asked;
      this.end();
      failed?.reject(new Error(error.message ?? 'the worker did not start'));
      this.next();
    };
    // A browser lets a worker that it ends search on for a while, Chromium for two seconds: this ends its search.
    this.flag = globalThis.crossOriginIsolated ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const { addresses, threads, flag, loaded } = this;
    this.worker.postMessage({ setup: { addresses, threads, flag, ...loaded } });
    if (this.game) this.worker.postMessage({ id: null, request: { do: 'warm', game: this.game } });
  }

  take({ loaded, id, event, data, answer, refused, failed }) {
    if (loaded) Object.assign(this.loaded, loaded);
    if (!this.asked || id !== this.asked.id) return;
    const { resolve, reject, heard } = this.asked;
    if (event) {
      heard(event, data);
      return;
    }
    this.asked = null;
    if (refused) reject(new Refused(refused));
    else if (failed) reject(new Error(failed));
    else resolve(answer);
    this.next();
  }

  next() {
    if (this.asked || !this.waiting.length) return;
    const [asked] = this.waiting.splice(0, 1);
    const { id, request, threads } = asked;
    // Threads are those of one worker and its memory.
    if (threads && threads !== this.threads) {
      this.end();
      this.threads = threads;
    }
    this.asked = asked;
    this.begin();
    this.worker.postMessage({ id, request });
  }

  /// Ends the worker, and what it does.
  end() {
    if (this.flag) Atomics.store(this.flag, 0, 1);
    this.worker?.terminate();
    Object.assign(this, { worker: null, asked: null });
  }

  /// Takes a request back, wherever it stands.
  drop(id) {
    this.waiting = this.waiting.filter((one) => one.id !== id);
    if (this.asked?.id !== id) return;
    this.end();
    // The next search begins at once.
    this.begin();
    this.next();
  }
}

/// The engines. `addresses` has those of the WebAssembly, the worker and the files; by default those of this package.
/// What searches on several threads, `threads`, and what reads and writes files of games, `games`, are WebAssembly of
/// their own.
export class Engines {
  constructor(addresses = HERE) {
    const loaded = { modules: {}, files: new Map() };
    // What takes no time does not wait for a search.
    this.lanes = { quick: new Lane(addresses, loaded), search: new Lane(addresses, loaded) };
    const { games: wasm } = addresses;
    if (wasm) this.lanes.files = new Lane({ ...addresses, wasm }, { modules: {}, files: new Map() });
    this.maxThreads = addresses.threads ? maxThreads() : 1;
    this.count = 0;
  }

  /// Answers a request, as `agon.d.ts` describes them. `event` gets the events of an analysis, `signal` stops it.
  ask(request, { signal, event = () => {} } = {}) {
    const searches = ['move', 'analysis', 'opening', 'puzzle', 'puzzle-move', 'missed', 'dish'].includes(request.do);
    const files = ['read', 'write'].includes(request.do);
    const lane = this.lanes[searches ? 'search' : files ? 'files' : 'quick'];
    if (searches) lane.game = request.game ?? request.question?.game ?? request.attempt?.game;
    const id = (this.count += 1);
    // Anything but an analysis takes the worker that is there.
    const analysis = request.do === 'analysis';
    const threads = analysis && Math.max(1, Math.min(request.question.threads ?? 1, this.maxThreads));
    return new Promise((resolve, reject) => {
      const stop = () => {
        lane.drop(id);
        reject(signal.reason ?? new DOMException('stopped', 'AbortError'));
      };
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      signal?.addEventListener('abort', stop, { once: true });
      const done = (act) => (value) => {
        signal?.removeEventListener('abort', stop);
        act(value);
      };
      lane.waiting.push({ id, request, threads, heard: event, resolve: done(resolve), reject: done(reject) });
      lane.next();
    });
  }

  /// The games, with their players and levels.
  games = () => this.ask({ do: 'games' });

  /// A position, and what can be done there. `question` is { game, position?, parameters?, moves? }.
  position = (question) => this.ask({ do: 'position', question });

  /// The move of a player: { move, letters, score, ms }.
  move = (question, player, { ms, signal } = {}) =>
    this.ask({ do: 'move', question: { ...question, engine: player, ms } }, { signal });

  /// Searches until it is stopped or reaches a limit: { seconds, nodes, lines, hash, threads }. `event` gets
  /// (name, data).
  analyse = (question, { signal, event, ...limits } = {}) =>
    this.ask({ do: 'analysis', question: { seconds: 0, ...question, ...limits } }, { signal, event });

  /// Ends the workers.
  close() {
    for (const lane of Object.values(this.lanes)) lane.end();
  }
}
