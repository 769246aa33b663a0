// Runs a test program of wasm32-wasip1 in Node: node wasi.mjs PROGRAM [ARGUMENT...]. `scripts/wasm --test` holds the
// kernel of WebAssembly's vectors to the scalar one with it.

import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...options] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...options], returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
