/**
 * Follows pages whose origins break at the second visit, and measures the memory that this takes.
 *
 *     node broken-origins-child.mjs <deadlineMs> <warm-ups> <url of a good origin> <name=url>...
 *
 * A name that begins with `!` is followed alone. Prints a line of JSON per poll: who, which visit, what came out, the
 * error, how long it took; and at the end by how much the resident memory was larger at the second visits.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLivePages } from '../../dist/crawl/live-page.js';
import { DIALECTS } from '../../dist/dialects/registry.js';
import { inMemoryStorage } from '../../dist/dialects/storage.js';
import { createBackOffClient } from '../../dist/fetch/back-off-client.js';
import { createHostPauses } from '../../dist/fetch/host-pauses.js';
import { MemoryHostMemory } from '../../dist/fetch/memory-host-memory.js';
import { createPoliteClient } from '../../dist/fetch/polite-client.js';
import { createRobotsAccess } from '../../dist/fetch/robots-access.js';
import { userAgentOf } from '../../dist/fetch/user-agent.js';
import { followSources } from '../../dist/follow/follow.js';
import { MemoryFollowState } from '../../dist/follow/memory-follow-state.js';
import { wait } from '../../dist/io/node/timer-wait.js';
import { openSqliteFollowState } from '../../dist/io/sqlite/follow-state.js';
import { createUndiciHttpClient } from '../../dist/io/undici/http-client.js';
import { gunzip } from '../../dist/io/zlib/gunzip.js';

const [deadline, warmUps, warmUpUrl, ...named] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tidings-origins-'));
const sources = named.map((text, index) => {
  const [name, url] = text.split('=');
  return { name: name.replace('!', ''), alone: name.startsWith('!'), url, state: join(folder, `${index}.db`) };
});
const together = sources.filter(({ alone }) => !alone);
const alone = sources.filter((source) => source.alone);

// A program that has just started grows at whatever it does first.
for (let round = 0; round < Number(warmUps); round += 1)
  await follow(warmUpUrl, new MemoryFollowState(), inMemoryStorage());
await visitAll(1);
const before = process.memoryUsage.rss();
let peak = before;
const sample = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
const sampling = setInterval(sample, 5);
await visitAll(2);
sample();
clearInterval(sampling);
await visitAll(3);
say({ extraRssBytes: peak - before });
rmSync(folder, { recursive: true });

async function visitAll(visit) {
  for (const source of alone) await poll(source, visit);
  await Promise.all(together.map((source) => poll(source, visit)));
}

async function poll({ name, url, state }, visit) {
  const store = await openSqliteFollowState({ file: state });
  say({ name, visit, ...(await follow(url, store, (kind) => store.storage(kind))) });
  await store[Symbol.asyncDispose]();
}

/** As the door `follow` does it with `once` and `content`, but for the deadline and the one address that counts as public. */
async function follow(url, state, storage) {
  const events = [];
  let error;
  const started = performance.now();
  const guarded = createUndiciHttpClient({
    allowPrivate: false,
    mayReach: (address) => address === '127.0.0.1',
    userAgent: userAgentOf(),
    deadlineMs: Number(deadline),
  });
  const memory = new MemoryHostMemory();
  const pauses = createHostPauses({ memory, now: Date.now });
  const http = createBackOffClient({ http: guarded, pauses, now: Date.now });
  const robots = createRobotsAccess({ http, now: Date.now, productToken: 'AIWebIndex' });
  const manners = { now: Date.now, wait, cooldownMs: 0, isPrivate: async () => true };
  const pages = createLivePages({
    client: createPoliteClient({ http, robots, memory, pauses, ...manners }),
    now: Date.now,
  });
  try {
    const request = { urls: [url], once: true, content: true, minIntervalMs: 2000 };
    const reading = { http, pages, gunzip, dialects: DIALECTS, state, storage };
    const ports = { ...reading, now: Date.now, wait, signal: new AbortController().signal };
    const ears = { onDiagnostic: () => {}, onStatus: () => {} };
    for await (const event of followSources(request, { ...ports, ...ears })) events.push(event);
  } catch (thrown) {
    error = { name: thrown.name, message: thrown.message };
  }
  const ms = performance.now() - started;
  await http[Symbol.asyncDispose]();
  const told = events.map(({ id, markdown, contentError }) => ({ id, markdown, contentError }));
  return { events: told, error, ms };
}

function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
