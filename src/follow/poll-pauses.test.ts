import { expect, test } from 'vitest';
import { type DiffDeltaService, startDiffDeltaService } from '../../test/support/diffdelta-service.ts';
import { politely } from '../../test/support/polite.ts';
import { readerParts } from '../../test/support/reader-ports.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import { createUndiciHttpClient } from '../io/undici/http-client.ts';
import { type FollowPorts, followSources } from './follow.ts';
import type { FollowStatus } from './followed-event.ts';
import { MemoryFollowState } from './memory-follow-state.ts';
import { poll } from './poll.ts';

const NAMES = ['s0', 's1', 's2'];
const LATEST = NAMES.map((name) => `/diff/${name}/latest.json`);

async function startService(): Promise<DiffDeltaService> {
  const service = await startDiffDeltaService();
  for (const name of NAMES) service.run(name, { [`/${name}`]: 'one' });
  return service;
}

const limited = (headers: Record<string, string> = {}) => ({ kind: 'status' as const, status: 429, headers });

test.each([
  ['Retry-After', { 'retry-after': '30' }, 30],
  ['X-RateLimit-Reset', { 'x-ratelimit-reset': '45' }, 45],
])('a 429 that names a short pause by %s is waited out, and the poll goes on', async (_, headers, seconds) => {
  await using service = await startService();
  service.fail(LATEST[1] ?? '', limited(headers));
  const read = await follow(service);
  expect(read.error).toBeUndefined();
  expect(read.titles).toEqual(NAMES.map((name) => `Page /${name}`));
  expect(read.waits[0]).toBe(seconds * 1000 + 100);
  expect(read.paused).toEqual(read.waits.map((ms) => ms - 100));
  expect(read.feeds).toEqual([LATEST[0], LATEST[1], LATEST[1], LATEST[2]]);
  expect(service.faultsFired).toBe(1);
});

test('a limit that is used up is not overrun: the rest waits for the next window', async () => {
  await using service = await startService();
  const reset = String(Math.ceil(Date.now() / 1000) + 20);
  const usedUp = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  for (const name of ['s0', 's2']) service.putJson(`/diff/${name}/latest.json`, service.feedOf(name), usedUp);
  const read = await follow(service);
  expect(read).toMatchObject({ error: undefined, feeds: LATEST });
  expect(read.waits, 'none behind the last').toHaveLength(1);
  expect(read.waits[0]).toBeGreaterThan(15_000);
  expect(read.waits[0]).toBeLessThanOrEqual(22_100);
});

test('a limit that is used up for longer is left to the server to enforce', async () => {
  await using service = await startService();
  const usedUp = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3600' };
  service.putJson(LATEST[0] ?? '', service.feedOf('s0'), usedUp);
  expect(await follow(service)).toMatchObject({ error: undefined, waits: [], feeds: LATEST });
});

test('pauses are waited out ten times in a poll, and no more', async () => {
  await using service = await startService();
  service.fail(LATEST[1] ?? '', ...Array(12).fill(limited({ 'retry-after': '2' })));
  const read = await follow(service);
  expect(read.waits).toHaveLength(10);
  expect(service.faultsFired).toBe(11);
  expect(read.titles).toEqual(['Page /s0']);
  expect(read.error).toMatchObject({ name: 'FeedUnreadableError', status: 429, recovery: 'retry-later' });
});

test('a longer pause ends the poll, and so does every pause where nobody can wait', async () => {
  await using service = await startService();
  service.fail(LATEST[1] ?? '', limited({ 'retry-after': '66' }));
  expect(await follow(service)).toMatchObject({ error: { retryAfterMs: 66_000 }, waits: [], titles: ['Page /s0'] });

  service.fail(LATEST[1] ?? '', limited());
  const unnamed = await follow(service);
  expect(unnamed, 'nor is one waited out that has no end').toMatchObject({ waits: [], titles: ['Page /s0'] });
  expect(unnamed.error?.recovery).toBe('retry-later');

  service.fail(LATEST[0] ?? '', limited({ 'retry-after': '3' }));
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const { signal } = new AbortController();
  const reading = {
    ...politely(http),
    ...readerParts(),
    state: new MemoryFollowState(),
    now: Date.now,
    signal,
    report: () => {},
  };
  const options = { url: new URL(service.origin), content: false, since: {}, dialect: 'diffdelta' as const };
  await expect(poll(options, reading).next()).rejects.toMatchObject({ retryAfterMs: 3000 });
  expect(service.faultsFired).toBe(3);
});

test('the signal ends a pause', async () => {
  await using service = await startService();
  service.fail(LATEST[1] ?? '', limited({ 'retry-after': '30' }));
  const controller = new AbortController();
  const read = await follow(service, { controller, onWait: () => controller.abort() });
  expect(read).toMatchObject({ error: undefined, titles: ['Page /s0'], feeds: LATEST.slice(0, 2) });
  expect(read.waits).toHaveLength(1);
});

interface Options {
  readonly controller?: AbortController;
  readonly onWait?: () => void;
}

/** Follows once. Waiting moves the clock on and takes no time. */
async function follow(service: DiffDeltaService, { controller = new AbortController(), onWait }: Options = {}) {
  service.takePaths();
  let skippedMs = 0;
  const now = () => Date.now() + skippedMs;
  const waits: number[] = [];
  const statuses: FollowStatus[] = [];
  const titles: string[] = [];
  let error: TidingsError | undefined;
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  const ports: FollowPorts = {
    ...politely(http, { now }),
    ...readerParts(),
    state: new MemoryFollowState(),
    now,
    wait: async (ms) => {
      waits.push(ms);
      skippedMs += ms;
      onWait?.();
    },
    signal: controller.signal,
    onDiagnostic: () => {},
    onStatus: (status) => void statuses.push(status),
  };
  const request = { urls: [service.origin], once: true, content: false, minIntervalMs: 2000 };
  try {
    for await (const { title = '' } of followSources(request, ports)) titles.push(title);
  } catch (thrown) {
    error = thrown as TidingsError;
  }
  const paused = statuses.flatMap(({ phase, nextPollInMs }) => (phase === 'paused' ? (nextPollInMs ?? []) : []));
  const feeds = service.takePaths().filter((path) => path.startsWith('/diff/'));
  return { titles, waits, paused, feeds, error };
}
