import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engines, Refused } from './engines.js';

/// Workers that answer when the test lets them.
const workers = [];
globalThis.Worker = class {
  constructor() {
    Object.assign(this, { sent: [], ended: false });
    workers.push(this);
  }

  postMessage(message) {
    this.sent.push(message);
  }

  terminate() {
    this.ended = true;
  }

  /// The last request, and an answer to it.
  get asked() {
    return this.sent.at(-1);
  }

  say(message) {
    this.onmessage({ data: message });
  }
};
const addresses = { wasm: '', worker: '', files: {} };
const begin = () => {
  workers.length = 0;
  return new Engines(addresses);
};

test('a position does not wait for a search', async () => {
  const engines = begin();
  engines.move({ game: 'renju' }).catch(() => {});
  const position = engines.position({ game: 'renju' });
  assert.equal(workers.length, 2);
  workers[1].say({ id: workers[1].asked.id, answer: { turn: 0 } });
  assert.deepEqual(await position, { turn: 0 });
});

test('searches take turns', async () => {
  const engines = begin();
  const [first, second] = [engines.move({ game: 'renju', moves: ['H8'] }), engines.move({ game: 'renju' })];
  const [worker] = workers;
  assert.deepEqual(worker.asked.request.question.moves, ['H8']);
  worker.say({ id: worker.asked.id, answer: 1 });
  assert.equal(await first, 1);
  worker.say({ id: worker.asked.id, refused: { detail: 'the game is over' } });
  await assert.rejects(second, (error) => error instanceof Refused && error.message === 'the game is over');
});

test('a stop ends the worker, and the next one has what was loaded', async () => {
  const engines = begin();
  const stop = new AbortController();
  const heard = [];
  const search = engines.analyse({ game: 'renju' }, { signal: stop.signal, event: (name) => heard.push(name) });
  const [worker] = workers;
  const { id } = worker.asked;
  worker.say({ loaded: { modules: { one: 'compiled' }, files: new Map([['a net', 'bytes']]) } });
  worker.say({ id, event: 'line', data: {} });
  stop.abort();
  await assert.rejects(search, { name: 'AbortError' });
  assert.ok(worker.ended);
  const { setup } = workers[1].sent[0];
  assert.deepEqual([setup.modules.one, [...setup.files.keys()]], ['compiled', ['a net']]);
  // It makes itself ready for the same game.
  assert.equal(workers[1].asked.request.do, 'warm');
  worker.say({ id, event: 'line', data: {} });
  assert.deepEqual(heard, ['line']);
});

test('an analysis has the threads that it asks for where the page is isolated', async () => {
  const threads = async (isolated, asked, has = addresses) => {
    Object.defineProperty(globalThis, 'crossOriginIsolated', { value: isolated, configurable: true });
    Object.defineProperty(globalThis, 'navigator', { value: { hardwareConcurrency: 4 }, configurable: true });
    workers.length = 0;
    const engines = new Engines(has);
    const search = engines.analyse({ game: 'renju' }, { threads: asked });
    const [{ setup }] = workers[0].sent;
    workers[0].say({ id: workers[0].asked.id, answer: {} });
    await search;
    return setup.threads;
  };
  const several = { ...addresses, threads: 'threads' };
  assert.deepEqual(
    await Promise.all([threads(true, 3, several), threads(true, 9, several), threads(true, undefined, several)]),
    [3, 4, 1],
  );
  assert.equal(await threads(false, 3, several), 1);
  assert.equal(await threads(true, 3), 1);
});

test('another number of threads is another worker, for an analysis only', async () => {
  Object.defineProperty(globalThis, 'crossOriginIsolated', { value: true, configurable: true });
  const engines = new Engines({ ...addresses, threads: 'threads' });
  workers.length = 0;
  const asked = async (search) => {
    const worker = workers.at(-1);
    worker.say({ id: worker.asked.id, answer: {} });
    await search;
    return workers.length;
  };
  const question = { game: 'renju' };
  assert.equal(await asked(engines.analyse(question, { threads: 2 })), 1);
  assert.equal(await asked(engines.move(question)), 1);
  assert.equal(await asked(engines.analyse(question, { threads: 3 })), 2);
  assert.ok(workers[0].ended && !workers[1].ended);
  assert.equal(await asked(engines.analyse(question)), 3);
});

test('a stop reaches a search in the memory that it shares with the page', async () => {
  for (const isolated of [true, false]) {
    Object.defineProperty(globalThis, 'crossOriginIsolated', { value: isolated, configurable: true });
    const engines = begin();
    const stop = new AbortController();
    const search = engines.analyse({ game: 'renju' }, { signal: stop.signal });
    const [{ flag }] = workers.map(({ sent }) => sent[0].setup);
    assert.equal(flag?.[0], isolated ? 0 : undefined);
    stop.abort();
    await assert.rejects(search, { name: 'AbortError' });
    assert.equal(flag?.[0], isolated ? 1 : undefined);
    // That of the next worker is another one.
    assert.equal(workers[1].sent[0].setup.flag?.[0], isolated ? 0 : undefined);
  }
});

test('a search that waits is taken back without ending another one', async () => {
  const engines = begin();
  const stop = new AbortController();
  const first = engines.move({ game: 'renju' });
  const second = engines.move({ game: 'renju' }, 'champion:1', { signal: stop.signal });
  stop.abort();
  await assert.rejects(second, { name: 'AbortError' });
  const [worker] = workers;
  assert.ok(!worker.ended);
  worker.say({ id: worker.asked.id, answer: 1 });
  assert.equal(await first, 1);
});

test('a worker that does not start fails its request only', async () => {
  const engines = begin();
  const first = engines.move({ game: 'renju' });
  workers[0].onerror({ message: 'no module' });
  await assert.rejects(first, /no module/);
  const second = engines.move({ game: 'renju' });
  const [, worker] = workers;
  worker.say({ id: worker.asked.id, failed: 'memory' });
  await assert.rejects(second, /memory/);
});
