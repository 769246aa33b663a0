// The twin of `examples/ask.rs` in Node: node ask.mjs AGON.WASM [ROOT [THREADS]] <requests. ROOT is the source tree, whose
// files the engines read; what reads files of games needs none.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { help, start } from '../../js/agon.js';

if (!isMainThread) {
  parentPort.postMessage('helps');
  help(workerData);
}
const [wasm, root, threads = 1] = process.argv.slice(2);
const engines = start(new WebAssembly.Module(readFileSync(wasm)), { random: () => 0 });
for (const game of root ? ['bacteria', 'renju', 'petri'] : [])
  for (const { number, name } of engines.answer({ do: 'files', game }))
    engines.data(number, readFileSync(`${root}/${name}`));
for (let count = 1; count < threads; count += 1) {
  const helper = new Worker(new URL(import.meta.url), { workerData: engines.helper() });
  await new Promise((resolve) => helper.once('message', resolve));
  // It works until the end.
  helper.unref();
  engines.helpers(count);
}
const print = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
for await (const line of createInterface({ input: process.stdin })) {
  const begun = performance.now();
  try {
    print({ answer: engines.answer(JSON.parse(line), (event, data) => print({ event, data })) });
  } catch ({ message: detail, at }) {
    print({ refused: at === undefined ? { detail } : { detail, at } });
  }
  print({ ms: Math.round(performance.now() - begun) });
}
