/**
 * A server of events in a separate process: that of a hub over a real log, or a bare node:http server that writes each event to each response.
 *
 *     node --expose-gc sse-server-child.mjs <ours|bare> <data folder>
 *
 * Prints its port. Then answers each line on stdin with one line of JSON: `rss` after a garbage collection; `tell <events> <connections>` sends that many, each
 * when the one before is written to all; `burst <events> <connections>` sends them as fast as it can. `end` ends it.
 */
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [side, folder] = process.argv.slice(2);
const { port, tell, told, end } = side === 'ours' ? await startOurs() : await startBare();
console.log(JSON.stringify({ port }));

// Also when the parent process is killed.
process.stdin.once('end', () => process.exit(0));
for await (const line of createInterface({ input: process.stdin })) {
  const [word, events, connections] = line.split(' ');
  if (word === 'end') break;
  if (word === 'rss') console.log(JSON.stringify({ rss: await restingBytes() }));
  else console.log(JSON.stringify(await run(word, Number(events), Number(connections))));
}
await end();
process.exit(0);

async function run(word, events, connections) {
  const toldBefore = told();
  const before = process.cpuUsage();
  const startedAt = now();
  for (let at = 1; at <= events; at += 1) {
    await tell();
    if (word === 'tell' || at === events) while (told() - toldBefore < at * connections) await nextTurn();
  }
  const { user, system } = process.cpuUsage(before);
  return { startedAt, wallMs: (now() - startedAt) / 1e6, cpuMs: (user + system) / 1000 };
}

/** As short as the content of an event without its frame. */
function changeAt(seq) {
  return {
    source: 'docs',
    action: 'update',
    url: `https://docs.example/page-${seq}`,
    anchor: 'prices',
    title: `${now()}`,
  };
}

async function startOurs() {
  const { openEventsLab } = await import(pathToFileURL(resolve('.tmp/tools/test/support/events-lab.js')).href);
  const settings = { most: 100_000, perClient: 0 };
  const limits = { connections: 100_000, connectionsPerClient: 0 };
  const lab = await openEventsLab({ folder, settings, limits });
  return {
    port: lab.port,
    tell: () => lab.store.commit({ source: 'docs', drafts: [changeAt(0)] }),
    told: () => lab.streams.figures.told,
    end: () => lab.close(),
  };
}

async function startBare() {
  const responses = new Set();
  let seq = 0;
  let told = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    response.write('retry: 3000\n\n');
    responses.add(response);
    response.once('close', () => responses.delete(response));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', 4096, done));
  return {
    port: server.address().port,
    async tell() {
      seq += 1;
      const id = `01J9ZQ3V8M5T2C7K4W6X${String(seq).padStart(6, '0')}`;
      const change = { seq, id, kind: 'page', time: '2026-01-01T00:00:00Z', ...changeAt(0), provenance: {} };
      const data = JSON.stringify({ ...change, boundary: `${change.url}#${change.anchor}` });
      const frame = Buffer.from(`event: change\nid: ${id}\ndata: ${data}\n\n`);
      for (const response of responses) response.write(frame);
      told += responses.size;
      await nextTurn();
    },
    told: () => told,
    end: async () => server.closeAllConnections(),
  };
}

function nextTurn() {
  return new Promise((done) => setImmediate(done));
}

/** From a clock that all processes share. */
function now() {
  return Number(process.hrtime.bigint());
}

async function restingBytes() {
  for (let turn = 0; turn < 5; turn += 1) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 100));
  }
  return process.memoryUsage().rss;
}
