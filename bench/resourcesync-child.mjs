/**
 * One side of the ResourceSync bench, in a separate process, because each side's use of the parser's objects slows the other down.
 *
 *     node resourcesync-child.mjs read|saxes <file>           from memory, after two passes that do not count
 *     node resourcesync-child.mjs stream|idle <file> <times>  from the disk, the entries so many times over
 *
 * The first 512 bytes of the file are the head of a Change List, and its last line is the end. Prints
 * `{ "entries": …, "cpuUs": …, "wallUs": …, "maxRssKb": … }`.
 */
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { readResourceSync } from '../dist/codecs/resourcesync/read-resourcesync.js';

const HEAD_BYTES = 512;
const END = '</urlset>\n';
/** Passes for the just-in-time compiler, on both sides. */
const WARM_UPS = 2;
const PIECE_BYTES = 64 * 1024;
const [work, file, times = '1'] = process.argv.slice(2);

const done = work === 'stream' || work === 'idle' ? await fromDisk() : await fromMemory();
console.log(JSON.stringify({ ...done, maxRssKb: process.resourceUsage().maxRSS }));

async function fromMemory() {
  const bytes = readFileSync(file);
  const side = work === 'read' ? () => countEntries(piecesOf(bytes)) : () => parse(bytes);
  for (let pass = 0; pass < WARM_UPS; pass += 1) await side();
  return await measured(side);
}

async function fromDisk() {
  return await measured(() => (work === 'stream' ? countEntries(repeated()) : drain(repeated())));
}

async function countEntries(stream) {
  let entries = 0;
  for await (const part of readResourceSync(stream, { capability: 'changelist', isIndex: false })) {
    if (part.kind === 'entry') entries += 1;
    else if (part.kind !== 'document') throw new Error(JSON.stringify(part));
  }
  return entries;
}

/** The fastest mode of saxes: no namespaces, no positions, no listeners. */
function parse(bytes) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  for (const piece of piecesOf(bytes)) parser.write(piece.toString('latin1'));
  parser.close();
  return 0;
}

async function drain(stream) {
  for await (const _ of stream);
  return 0;
}

function* piecesOf(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/** Reads into one buffer, so that the garbage of file streams does not count for the reader. */
function* repeated() {
  const { size } = statSync(file);
  const open = openSync(file, 'r');
  const buffer = Buffer.alloc(PIECE_BYTES);
  const piece = (start, end) =>
    buffer.subarray(0, readSync(open, buffer, 0, Math.min(PIECE_BYTES, end - start), start));
  yield piece(0, HEAD_BYTES);
  for (let time = 0; time < Number(times); time += 1) {
    const end = size - END.length;
    for (let at = HEAD_BYTES; at < end; at += PIECE_BYTES) yield piece(at, end);
  }
  yield Buffer.from(END);
  closeSync(open);
}

async function measured(side) {
  const cpuBefore = process.cpuUsage();
  const wallBefore = process.hrtime.bigint();
  const entries = await side();
  const wallUs = Number(process.hrtime.bigint() - wallBefore) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { entries, cpuUs: user + system, wallUs };
}
