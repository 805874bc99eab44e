/**
 * One side of the agent-feed bench, in a separate process.
 *
 *     node agent-feed-child.mjs verify|read|reread|append <folder>
 *
 * `folder` contains `feed.xml`, `appended.xml` (the same with one more entry) and `did.json`; the state of a reader is in `state-<pid>.db` there. Prints
 * `{ "entries": …, "cpuUs": …, "wallUs": …, "maxRssKb": … }` for the work alone, without earlier reads from disk and compilation.
 *
 * The documents come from memory through the port of the HTTP client, so that the cost of a network does not count.
 */
import { verify } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createReader } from '../dist/dialects/agent-feed/read/create-reader.js';
import { decodeDidDocument, decodeFeed, decodeSignature, methodFor } from '../dist/doors/agent-feed.js';
import { openSqliteReaderState } from '../dist/io/sqlite/reader-state.js';
import { publicKeyOf } from '../dist/surface/ed25519.js';

const ORIGIN = 'https://api.example';
const HOUR_MS = 3600_000;
const [work, folder] = process.argv.slice(2);
const bytesOf = (name) => readFileSync(join(folder, name));
const feed = bytesOf('feed.xml');
const did = bytesOf('did.json');

const done = work === 'verify' ? await verifyAll() : await readAll();

console.log(JSON.stringify({ entries: done.count, ...done.cost, maxRssKb: process.resourceUsage().maxRSS }));

/** The same signatures over the same bytes with one key, on one thread: the lower limit on one core. */
async function verifyAll() {
  const decoded = decodeFeed(feed.toString());
  const { method } = methodFor(decodeDidDocument(did.toString(), ORIGIN).value, undefined);
  const key = publicKeyOf(method.publicKey);
  const claims = decoded.value.entries.map(({ content, signature }) => ({
    bytes: Buffer.from(content),
    signature: decodeSignature(signature),
  }));
  return await measured(() => claims.filter(({ bytes, signature }) => verify(null, bytes, key, signature)).length);
}

async function readAll() {
  const file = join(folder, `state-${process.pid}.db`);
  const served = { feed, did };
  let nowMs = Date.parse('2026-05-01T00:00:00Z');
  const state = await openSqliteReaderState({ file });
  const reader = createReader({ http: clientOf(served), state, now: () => nowMs, cores: availableParallelism() });
  try {
    if (work === 'read') return await measuredRead(reader);
    await reader.ingest(ORIGIN);
    nowMs += HOUR_MS;
    if (work === 'append') served.feed = bytesOf('appended.xml');
    return await measuredRead(reader);
  } finally {
    await reader[Symbol.asyncDispose]();
    await state[Symbol.asyncDispose]();
    rmSync(file, { force: true });
  }
}

function measuredRead(reader) {
  return measured(async () => (await reader.ingest(ORIGIN)).applied);
}

async function measured(side) {
  const cpuBefore = process.cpuUsage();
  const wallBefore = process.hrtime.bigint();
  const count = await side();
  const wallUs = Number(process.hrtime.bigint() - wallBefore) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { count, cost: { cpuUs: user + system, wallUs } };
}

function clientOf(served) {
  return {
    async get({ url }) {
      const body = url.pathname.endsWith('did.json')
        ? served.did
        : url.pathname.endsWith('.xml')
          ? served.feed
          : undefined;
      const status = body === undefined ? 404 : 200;
      return { url, status, headers: {}, body: piecesOf(body ?? Buffer.alloc(0)), async discard() {} };
    },
    async [Symbol.asyncDispose]() {},
  };
}

async function* piecesOf(bytes) {
  yield bytes;
}
