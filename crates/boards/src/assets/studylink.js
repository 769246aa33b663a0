// Links that hold a whole study: chapters with their variations, comments and drawings, compressed, in the part of an
// address that browsers send to no server. Plain values, no page.

import { soundChapter } from './studies.js';
import { fromRows, toRows } from './tree.js';
import { t } from './words.js';

/// The most characters of such a link: longer ones are cut by mail programs and messengers.
export const MAX_LINK_CHARS = 8000;
/// The most bytes that a link unpacks to: one of a stranger may be made to fill the memory.
const MAX_BYTES = 4 << 20;
const VERSION = 1;

/// The bytes of a stream; more than `most` are refused.
async function bytesOf(stream, most) {
  const parts = [];
  let length = 0;
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw Object.assign(new Error(t('The study in this link is too large.')), { large: true });
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

const through = (bytes, way, most) => bytesOf(new Blob([bytes]).stream().pipeThrough(way), most);

function base64(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
const fromBase64 = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

/// What a link keeps of a node: what people wrote, not what engines found.
const KEPT = ['name', 'text', 'glyphs', 'shapes', 'properties'];

/// A chapter in few characters: [name, start, facts, rows]; a row is [how far up its parent stands, move, more].
function short({ name, start, rows, facts }) {
  const { game, position, parameters, seed } = start;
  const begins = { game, ...(position && { position }), ...(Object.keys(parameters ?? {}).length && { parameters }) };
  const kept = rows.map(([parent, move, , , more], n) => {
    const said = Object.fromEntries(KEPT.flatMap((key) => (more[key] ? [[key, more[key]]] : [])));
    const row = [n - 1 - parent, move ?? 0];
    return Object.keys(said).length ? [...row, said] : row;
  });
  return [name, { ...begins, ...(seed && { seed }) }, facts ?? {}, kept];
}

function long([name, begins, facts, kept]) {
  const start = { position: null, parameters: {}, seed: 0, ...begins };
  const rows = kept.map(([up, move, more], n) => [n - 1 - up, move || null, move || '', null, more ?? {}]);
  return { name, start, facts, rows, here: [] };
}

/// A study, as `exported` of studies.js gives it, as the text of a link.
export async function packed(study) {
  const value = [VERSION, study.name, study.chapters.map(short)];
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return base64(await through(bytes, new CompressionStream('deflate-raw'), MAX_BYTES));
}

/// The study of such a text, as `imported` of studies.js takes it. Its moves are not known to be legal.
export async function unpacked(text) {
  let value;
  try {
    const bytes = await through(fromBase64(text), new DecompressionStream('deflate-raw'), MAX_BYTES);
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    // A text that was cut off on its way.
    if (error.large) throw error;
    throw new Error(t('This link to a study is damaged: copy all of it.'));
  }
  const [version, name, chapters] = Array.isArray(value) ? value : [];
  if (version !== VERSION || !Array.isArray(chapters))
    throw new Error(t('This is no study of Agon, or one of a later release.'));
  return { agon: 'study', version: 1, name, chapters: chapters.map(long).map(soundChapter) };
}

/// A number of 32 bits that stands for a text; pages without TLS have no other digest.
function hash(text) {
  let value = 0x811c9dc5;
  for (const sign of text) value = Math.imul(value ^ sign.charCodeAt(0), 0x01000193);
  return (value >>> 0).toString(16);
}

/// What a link holds: { study, link, refused }. The rules have taken its moves; what they refuse is left out and named.
/// `link` identifies the text; `proved` is that of loading.js.
export async function received(text, proved) {
  const study = await unpacked(text);
  const refused = [];
  const chapters = [];
  for (const chapter of study.chapters) {
    const { made, refused: wrong } = await proved(chapter.start, fromRows(chapter.rows));
    refused.push(...wrong);
    chapters.push({ ...chapter, rows: toRows(made) });
  }
  return { study: { ...study, chapters }, link: `${text.length}-${hash(text)}`, refused };
}
