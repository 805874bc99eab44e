import { expect, test } from 'vitest';
import { HostPausedError } from '../errors/crawl-error.ts';
import type { Asker } from './asker.ts';
import { askingFor } from './asking-for.ts';
import { createBackOffClient } from './back-off-client.ts';
import { createHostPauses } from './host-pauses.ts';
import type { HttpClient } from './http-client.ts';
import { MemoryHostMemory } from './memory-host-memory.ts';
import { createRobotsAccess } from './robots-access.ts';

const DAY = 24 * 3600_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const YEARS = { 'retry-after': String(10 * 365 * 24 * 3600) };

const DOCS: Asker = { name: 'source:docs', isOwn: (host) => host === 'docs.example' };
const OTHER: Asker = { name: 'source:other', isOwn: (host) => host === 'other.example' };
const READERS: Asker = { name: 'doc', isOwn: () => false };

interface Page {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** A web of a few addresses; `location` leads on as a real client would follow it. */
function openWeb(pages: Record<string, Page>) {
  const clock = { ms: NOON };
  const memory = new MemoryHostMemory();
  const pauses = createHostPauses({ memory, now: () => clock.ms });
  const asked: string[] = [];
  const inner: HttpClient = {
    async get({ url, beforeHop }) {
      for (let hop = url; ; ) {
        await beforeHop?.(hop);
        asked.push(hop.href);
        const { status, headers = {} } = pages[hop.href] ?? { status: 200 };
        if (headers.location === undefined) {
          return { url: hop, status, headers, body: (async function* () {})(), discard: async () => {} };
        }
        hop = new URL(headers.location, hop);
      }
    },
    async [Symbol.asyncDispose]() {},
  };
  const http = createBackOffClient({ http: inner, pauses, now: () => clock.ms });
  const ask = async (asker: Asker | undefined, address: string) => {
    const client = asker === undefined ? http : askingFor(asker, http);
    return (await client.get({ url: new URL(address) })).status;
  };
  return { clock, memory, pauses, http, pages, asked, ask };
}

test('what a host says to its own source binds everybody, for a day at most', async () => {
  const { ask, clock, pages } = openWeb({ 'https://docs.example/': { status: 429, headers: YEARS } });
  expect(await ask(DOCS, 'https://docs.example/')).toBe(429);
  pages['https://docs.example/'] = { status: 200 };
  for (const asker of [DOCS, OTHER, READERS, undefined]) {
    await expect(ask(asker, 'https://docs.example/a')).rejects.toThrow(HostPausedError);
    await expect(ask(asker, 'http://docs.example/a')).rejects.toThrow(HostPausedError);
  }
  clock.ms += DAY - 1;
  await expect(ask(DOCS, 'https://docs.example/')).rejects.toThrow(HostPausedError);
  clock.ms += 1;
  expect(await ask(DOCS, 'https://docs.example/')).toBe(200);
});

test('what a host says to a reader of documents, or to another source, binds that one alone', async () => {
  for (const asker of [READERS, OTHER]) {
    const { ask } = openWeb({ 'https://docs.example/trap': { status: 503, headers: YEARS } });
    expect(await ask(asker, 'https://docs.example/trap')).toBe(503);
    await expect(ask(asker, 'https://docs.example/')).rejects.toThrow(HostPausedError);
    expect(await ask(DOCS, 'https://docs.example/')).toBe(200);
    expect(await ask(asker === OTHER ? READERS : OTHER, 'https://docs.example/')).toBe(200);
  }
});

test('a host to which another led binds who was led there, not its own source', async () => {
  const web = {
    'https://other.example/': { status: 302, headers: { location: 'https://docs.example/trap' } },
    'https://docs.example/trap': { status: 429, headers: YEARS },
    'https://docs.example/out': { status: 302, headers: { location: 'https://other.example/' } },
  };
  for (const asker of [OTHER, undefined]) {
    const { ask } = openWeb(web);
    expect(await ask(asker, 'https://other.example/')).toBe(429);
    expect(await ask(DOCS, 'https://docs.example/')).toBe(200);
    await expect(ask(asker, 'https://other.example/')).rejects.toThrow(HostPausedError);
    expect(await ask(asker, 'https://other.example/a')).toBe(200);
  }
  // Also where the way leads out of the source and back.
  const { ask } = openWeb(web);
  expect(await ask(DOCS, 'https://docs.example/out')).toBe(429);
  expect(await ask(READERS, 'https://docs.example/')).toBe(200);
});

test('a redirect within one host, or from http to https, is no other host', async () => {
  const { ask } = openWeb({
    'http://docs.example/': { status: 301, headers: { location: 'https://docs.example/' } },
    'https://docs.example/': { status: 429 },
  });
  expect(await ask(DOCS, 'http://docs.example/')).toBe(429);
  await expect(ask(READERS, 'https://docs.example/')).rejects.toThrow(HostPausedError);
});

test('who asked for a pause of a source is known, and an operator ends it', async () => {
  const { ask, pauses, clock } = openWeb({
    'https://docs.example/': { status: 429, headers: { 'retry-after': '600' } },
    'https://far.example/': { status: 429, headers: { 'retry-after': '1200' } },
  });
  expect(await pauses.longestOf(DOCS)).toBeUndefined();
  await ask(DOCS, 'https://docs.example/');
  await ask(READERS, 'https://far.example/');
  expect(await pauses.longestOf(DOCS)).toEqual({ by: 'docs.example', untilMs: NOON + 600_000 });
  await ask(DOCS, 'https://far.example/');
  expect(await pauses.longestOf(DOCS)).toEqual({ by: 'far.example', untilMs: NOON + 1200_000 });
  expect(await pauses.longestOf(OTHER)).toBeUndefined();
  await pauses.clear(DOCS);
  expect(await pauses.longestOf(DOCS)).toBeUndefined();
  expect(await pauses.until('docs.example', DOCS)).toBe(0);
  expect(await pauses.until('far.example', READERS)).toBe(NOON + 1200_000);
  clock.ms += 1200_000;
  expect(await pauses.longestOf(READERS)).toBeUndefined();
});

test('a pause that was written under a clock years ahead keeps nobody', async () => {
  const { pauses, clock } = openWeb({});
  await pauses.extend('docs.example', DOCS, NOON + DAY);
  clock.ms = NOON - 365 * DAY;
  expect(await pauses.until('docs.example', DOCS)).toBe(0);
});

test('a robots.txt that does not answer a reader of documents is asked for again by the source', async () => {
  const { http, pages, clock, asked } = openWeb({ 'https://docs.example/robots.txt': { status: 429, headers: YEARS } });
  const robots = createRobotsAccess({ http, now: () => clock.ms, productToken: 'AIWebIndex' });
  const page = new URL('https://docs.example/a');
  expect(await robots.mayFetch(page, READERS)).toMatchObject({ allowed: false, status: 429 });
  pages['https://docs.example/robots.txt'] = { status: 404 };
  expect(await robots.mayFetch(page, READERS)).toMatchObject({ allowed: false });
  expect(await robots.mayFetch(page, DOCS)).toMatchObject({ allowed: true });
  // What it says is for all.
  expect(await robots.mayFetch(page, READERS)).toMatchObject({ allowed: true });
  expect(asked).toEqual(['https://docs.example/robots.txt', 'https://docs.example/robots.txt']);
});

test('an operator has a robots.txt that failed asked for again', async () => {
  const { http, pages, clock, pauses } = openWeb({ 'https://docs.example/robots.txt': { status: 503 } });
  const robots = createRobotsAccess({ http, now: () => clock.ms, productToken: 'AIWebIndex' });
  const page = new URL('https://docs.example/a');
  expect(await robots.mayFetch(page, DOCS)).toMatchObject({ allowed: false });
  pages['https://docs.example/robots.txt'] = { status: 404 };
  expect(await robots.mayFetch(page, OTHER)).toMatchObject({ allowed: false });
  robots.forgetFailures(DOCS);
  await pauses.clear(DOCS);
  expect(await robots.mayFetch(page, DOCS)).toMatchObject({ allowed: true });
});

test('pauses that are over do not pile up', async () => {
  const { pauses, memory, clock } = openWeb({});
  for (let host = 0; host < 1200; host += 1, clock.ms += 1000) {
    await pauses.extend(`h${host}.example`, DOCS, clock.ms + 2000);
  }
  expect((await memory.marked('pause')).length).toBeLessThanOrEqual(501);
});
