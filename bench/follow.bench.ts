import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeEvents } from '../src/codecs/aicf/decode.ts';
import { follow } from '../src/doors/follow.ts';
import { type BenchResult, compare } from './harness.ts';

const NEW_EVENTS = 100;
const LINE_BYTES = 260;
const ROUNDS = 5;
const QUIET_FEEDS = 1000;

/**
 * What a follower that knows a feed pays for 100 new events: with 100,000 known events compared with 1,000, and compared with reading the whole feed again. The
 * origin runs in this process and counts on both sides.
 */
export async function bench(): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-bench-follow-'));
  await using small = await startOrigin(1000);
  await using large = await startOrigin(100_000);
  const [onSmall, onLarge] = [small, large].map((origin, index) => async () => {
    origin.append(NEW_EVENTS);
    return await countEvents(origin.url, join(folder, `state-${index}.db`));
  }) as [() => Promise<number>, () => Promise<number>];
  for (const first of [onSmall, onLarge]) await first();

  for (const [origin, poll] of [
    [small, onSmall],
    [large, onLarge],
  ] as const) {
    origin.takeTraffic();
    const events = await poll();
    const { requests, bytes } = origin.takeTraffic();
    process.stdout.write(`follow: ${events} new events on ${origin.events}: ${requests} requests, ${bytes} bytes\n`);
  }
  const bySize = await compare({
    name: 'follow-100-new-of-100000',
    unit: 'event',
    by: 'cpu',
    peerName: '100 new of 1,000',
    // The feed is a hundred times as large: the state's trees are deeper, but nothing else may grow.
    goal: { atMost: 2 },
    rounds: ROUNDS,
    ours: onLarge,
    peer: onSmall,
  });
  large.takeTraffic();
  const byPeer = await compare({
    name: 'follow-beside-whole-read',
    unit: 'poll',
    by: 'cpu',
    peerName: 'the whole feed',
    goal: { atMost: 0.2 },
    rounds: ROUNDS,
    ours: async () => {
      await onLarge();
      return 1;
    },
    peer: async () => {
      decodeEvents(await (await fetch(`${large.url}ai-changes.ndjson`)).text());
      return 1;
    },
  });
  process.stdout.write(`follow: the whole feed is ${large.bytes} bytes\n`);
  await sayQuietFeeds(join(folder, 'many.db'));
  await rm(folder, { recursive: true });
  return [bySize, byPeer];
}

/** The CPU time of one look at each of many sites without news, including the origin in this process. Goal: 2 ms per feed. */
async function sayQuietFeeds(state: string): Promise<void> {
  const entry = '<entry><id>urn:e</id><title>News</title><updated>2026-01-01T00:00:00Z</updated></entry>';
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:f</id><title>Feed</title><updated>2026-01-01T00:00:00Z</updated>${entry}</feed>`;
  const server = createServer((request, response) => {
    const isKnown = request.headers['if-none-match'] !== undefined;
    response.writeHead(isKnown ? 304 : 200, { etag: '"one"', 'content-type': 'application/atom+xml' });
    response.end(isKnown ? undefined : feed);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Array.from({ length: QUIET_FEEDS }, (_, at) => `http://127.1.${at >> 8}.${at & 255}:${port}/feed.atom`);
  const look = async () => {
    for await (const _ of follow({ urls, state, once: true, allowPrivate: true, dialect: 'atom' }));
  };
  await look();
  await look();
  const before = process.cpuUsage();
  await look();
  const { user, system } = process.cpuUsage(before);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const each = ((user + system) / 1000 / QUIET_FEEDS).toFixed(2);
  process.stdout.write(`follow: ${QUIET_FEEDS} quiet feeds: ${each} ms of CPU each (goal: at most 2)\n`);
}

async function countEvents(url: string, state: string): Promise<number> {
  let count = 0;
  for await (const _ of follow({ url, state, once: true, allowPrivate: true })) count += 1;
  return count;
}

interface Origin extends AsyncDisposable {
  readonly url: string;
  readonly events: number;
  readonly bytes: number;
  append(count: number): void;
  takeTraffic(): { readonly requests: number; readonly bytes: number };
}

/** A bare origin with Range and ETag. Its feed grows in place, so that growth costs only what is added. */
async function startOrigin(eventCount: number): Promise<Origin> {
  const feed = Buffer.alloc((eventCount + NEW_EVENTS * 4 * (ROUNDS + 4)) * LINE_BYTES);
  let traffic = { requests: 0, bytes: 0 };
  let length = 0;
  let events = 0;
  const append = (count: number) => {
    for (const end = events + count; events < end; events += 1) length += feed.write(lineOf(events), length);
  };
  const server = createServer((request, response) => {
    const isFeed = request.url === '/ai-changes.ndjson';
    const body = isFeed ? feed.subarray(0, length) : Buffer.from(discoveryOf(server));
    const etag = `"${body.length}"`;
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const isKnown = request.headers['if-none-match'] === etag;
    const status = isKnown ? 304 : start > 0 ? 206 : 200;
    const part = isKnown ? Buffer.alloc(0) : body.subarray(start);
    traffic = { requests: traffic.requests + 1, bytes: traffic.bytes + part.length };
    response.writeHead(status, {
      etag,
      'content-type': isFeed ? 'application/x-ndjson' : 'application/json',
      ...(status === 206 && { 'content-range': `bytes ${start}-${body.length - 1}/${body.length}` }),
      ...(status !== 304 && { 'content-length': part.length }),
    });
    response.end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  append(eventCount);
  return {
    url: urlOf(server),
    get events() {
      return events;
    },
    get bytes() {
      return length;
    },
    append,
    takeTraffic() {
      const taken = traffic;
      traffic = { requests: 0, bytes: 0 };
      return taken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function lineOf(index: number): string {
  const event = {
    id: `01J3Z6A6M7A0${String(index).padStart(14, '0')}`,
    action: 'update',
    url: `https://docs.example/guide/page-${index % 1000}`,
    time: '2025-08-21T12:34:56Z',
    anchor: `section-${index % 7}`,
    checksum: `sha256:${String(index).padStart(64, '0')}`,
  };
  return `${JSON.stringify(event)}\n`;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function discoveryOf(server: Server): string {
  return JSON.stringify({ aicf_version: '0.1', self: `${urlOf(server)}ai-changes.ndjson`, ttl_seconds: 60 });
}
