// The engines as a module: started from the compiled WebAssembly, asked by plain objects. A search holds the thread, so
// pages run this in a worker (`worker.js`).

/// Why a question has no answer. `at` is the number of the wrong move, from 0, where a move is wrong.
export class Refused extends Error {
  constructor({ detail, at }) {
    super(detail);
    this.name = 'Refused';
    this.at = at;
  }
}

/// The content of an address as a response; of one that ends with `.gz`, unpacked.
async function content(address, type) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const packed = new URL(address, import.meta.url).pathname.endsWith('.gz');
  const body = packed ? response.body.pipeThrough(new DecompressionStream('gzip')) : response.body;
  return new Response(body, { headers: { 'content-type': type } });
}

/// Compiles the engines while they load.
export const compile = async (address) =>
  WebAssembly.compileStreaming(await content(address, 'application/wasm'));

/// Loads a file that engines read: a network or a book.
export const loadFile = async (address) =>
  new Uint8Array(await (await content(address, 'application/octet-stream')).arrayBuffer());

/// The first memory of engines with threads in pages of 64 KiB, as `scripts/wasm` builds them, and the most that is
/// asked for: a telephone may refuse to reserve as much.
const [FIRST_PAGES, MAX_PAGES, LEAST_PAGES] = [256, 16384, 2048];

/// Memory that the threads of engines share.
function sharedMemory() {
  for (let maximum = MAX_PAGES; ; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
    } catch (error) {
      if (maximum <= LEAST_PAGES) throw error;
    }
  }
}

/// Whether compiled engines have threads.
const hasThreads = (module) => WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');

/// Milliseconds since a moment that is the same for all workers.
const clock = () => performance.timeOrigin + performance.now();

/// The stack of a helper, in bytes.
const STACK = 4 << 20;

/// An address that is a multiple of `unit`.
const aligned = (address, unit) => Math.ceil(address / unit) * unit;

/// Starts compiled engines.
export function start(module, { now = clock, random = Math.random, stopped = () => 0 } = {}) {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let [take, threads] = [() => {}, 1];
  // A copy: a decoder reads no shared memory.
  const text = (address, length) => decoder.decode(new Uint8Array(memory.buffer, address, length).slice());
  const send = (address, length) => take(JSON.parse(text(address, length)));
  const shared = hasThreads(module) ? sharedMemory() : null;
  const agon = { now, random, stopped, send };
  const { exports } = new WebAssembly.Instance(module, { agon, env: { memory: shared } });
  const memory = shared ?? exports.memory;

  /// The address and length of bytes that are now in the memory of the engines.
  function put(bytes) {
    const address = exports.agon_reserve(bytes.length);
    new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
    return [address, bytes.length];
  }

  return {
    memory,
    /// Hands in a file by its number, before the first search that needs it.
    data: (number, bytes) => exports.agon_data(number, ...put(bytes)),
    /// What a worker needs to `help` these engines, which have threads.
    helper() {
      const [size, unit] = [exports.__tls_size.value, exports.__tls_align.value];
      const tls = aligned(exports.agon_reserve(size + unit), unit);
      return { module, memory, stack: aligned(exports.agon_reserve(STACK + 16), 16) + STACK, tls };
    },
    /// Says how many workers help.
    helpers(count) {
      exports.agon_helpers(count);
      threads = 1 + count;
    },
    /// Number of threads of a search.
    threads: () => threads,
    /// Answers a request; `event` gets the events of an analysis: (name, data). What is refused is thrown.
    answer(request, event = () => {}) {
      let [answer, refused, panic] = [null, null, null];
      take = (message) => {
        if ('event' in message) event(message.event, message.data);
        else ({ answer = null, refused = null, panic = null } = message);
      };
      try {
        exports.agon_answer(...put(encoder.encode(JSON.stringify(request))));
      } catch (error) {
        throw panic ? new Error(panic, { cause: error }) : error;
      }
      if (refused) throw new Refused(refused);
      return answer;
    },
  };
}

/// Helps engines in this worker, for ever: what `helper` of theirs has returned.
export function help({ module, memory, stack, tls }, { now = clock, random = Math.random } = {}) {
  const agon = { now, random, stopped: () => 0, send: () => {} };
  const { exports } = new WebAssembly.Instance(module, { agon, env: { memory } });
  exports.__stack_pointer.value = stack;
  exports.__wasm_init_tls(tls);
  try {
    exports.agon_help();
  } catch (error) {
    exports.agon_help_failed();
    throw error;
  }
}
