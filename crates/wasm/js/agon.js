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

/// Starts compiled engines.
export function start(module, { now = () => performance.now(), random = Math.random } = {}) {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let take = () => {};
  const send = (address, length) => take(JSON.parse(decoder.decode(new Uint8Array(memory.buffer, address, length))));
  const { exports } = new WebAssembly.Instance(module, { agon: { now, random, send } });
  const { memory } = exports;

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
