import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { announcement, CARD, DID, FEED, NOON, openAgentFeedLab } from '../../../../test/support/agent-feed-origin.ts';
import { createBackOffClient } from '../../../fetch/back-off-client.ts';
import { createHostPauses } from '../../../fetch/host-pauses.ts';
import { MemoryHostMemory } from '../../../fetch/memory-host-memory.ts';
import { MemoryReaderState } from './memory-reader-state.ts';

const HOUR_MS = 3600_000;

async function openOne(headers: Record<string, string> = {}) {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries: [announcement('urn:1')], headers });
  const state = new MemoryReaderState();
  /** Each time a reader of its own: nothing may depend on one that lives on. */
  const ingest = (options?: { refresh: boolean }) => lab.reader({ state }).ingest(api.url, options);
  const polls = () => api.asked().filter((path) => path === FEED).length;
  return { lab, api, state, ingest, polls };
}

clause(['AF-Q1', 'AF-Q6', 'AF-SC4'], 'within a minute the state answers, over restarts too', async () => {
  const { lab, ingest, api } = await openOne();
  expect(await ingest()).toMatchObject({ polled: true, nextPollMs: NOON + 60_000 });
  const asked = api.asked().length;
  for (const at of [0, 10_000, 59_999]) {
    lab.clock.nowMs = NOON + at;
    expect(await ingest()).toMatchObject({ polled: false, applied: 0, events: [], endpoints: [{ version: '1.0' }] });
  }
  expect(api.asked()).toHaveLength(asked);
  lab.clock.nowMs = NOON + 60_000;
  expect(await ingest()).toMatchObject({ polled: true });
});

clause('AF-Q1', 'the minute counts after a failure, and after a reader that was stopped in between', async () => {
  const { lab, ingest, api, state } = await openOne();
  api.put(DID, { status: 500 });
  await ingest();
  expect(await ingest()).toMatchObject({ polled: false, problem: expect.stringContaining('500') });
  lab.clock.nowMs += 60_000;
  const http = { ...lab.http, get: () => Promise.reject(new Error('the machine went down')) };
  await expect(lab.reader({ state, http }).ingest(api.url)).rejects.toThrow('went down');
  expect(await ingest()).toMatchObject({ polled: false });
});

test.each([DID, FEED])('a poll that was stopped at %s is a problem until another one ends', async (path) => {
  const { lab, ingest, api, state } = await openOne();
  const stopping = new AbortController();
  const http: typeof lab.http = {
    ...lab.http,
    get(request) {
      if (request.url.pathname === path) stopping.abort();
      return lab.http.get(request);
    },
  };
  await expect(lab.reader({ state, http }).ingest(api.url, { signal: stopping.signal })).rejects.toThrow();
  expect(await ingest()).toMatchObject({
    polled: false,
    endpoints: [],
    problem: expect.stringContaining('not come to'),
  });
  lab.clock.nowMs += 60_000;
  const { polled, endpoints, problem } = await ingest();
  expect([polled, endpoints.length, problem]).toEqual([true, 1, undefined]);
});

clause('AF-Q5', 'an operator may ask sooner', async () => {
  const { lab, ingest, polls } = await openOne();
  await ingest();
  lab.clock.nowMs += 5000;
  expect(await ingest({ refresh: true })).toMatchObject({ polled: true });
  expect(polls()).toBe(2);
});

clause(['AF-Q2', 'AF-Q3'], 'the freshness of the feed counts between a minute and a day', async () => {
  const waits: [Record<string, string>, number][] = [
    [{ 'cache-control': 'max-age=600' }, 600_000],
    [{ 'cache-control': 'public, max-age=600', age: '100' }, 500_000],
    [{ 'cache-control': 'max-age=5' }, 60_000],
    [{ 'cache-control': 'no-cache, max-age=600' }, 60_000],
    [{ 'cache-control': 'max-age=604800' }, 24 * HOUR_MS],
    [{ 'cache-control': 'max-age=99999999999999' }, 24 * HOUR_MS],
    [{}, 60_000],
  ];
  for (const [headers, waitMs] of waits) {
    const { lab, ingest } = await openOne(headers);
    expect((await ingest()).nextPollMs, JSON.stringify(headers)).toBe(NOON + waitMs);
    lab.clock.nowMs += waitMs - 1;
    expect(await ingest()).toMatchObject({ polled: false });
    lab.clock.nowMs += 1;
    expect(await ingest()).toMatchObject({ polled: true });
  }
});

clause(['AF-P4', 'AF-Q3'], 'the feed is asked for with its validators, and 304 is an answer', async () => {
  const { lab, ingest } = await openOne({ etag: '"1"', 'cache-control': 'max-age=120' });
  await ingest();
  lab.clock.nowMs += 120_000;
  expect(await ingest()).toMatchObject({ polled: true, applied: 0, skipped: 1, problem: undefined });
  expect(lab.requests.at(-1)).toMatchObject({ path: FEED, headers: { 'if-none-match': '"1"' } });
});

clause(['AF-SC6', 'AF-SC7'], 'a pause that the origin asked for is kept, by operators too, and told once', async () => {
  const later = new Date(NOON + 120_000).toUTCString();
  for (const [path, status, retry] of [
    [FEED, 429, '120'],
    [FEED, 429, later],
    [FEED, 503, '120'],
    [DID, 429, '120'],
  ] as const) {
    const { lab, api, ingest } = await openOne();
    api.put(path, { status, headers: { 'retry-after': retry } });
    const { events, nextPollMs } = await ingest();
    const asked = api.asked().length;
    expect(events).toContainEqual({ event: 'rate-limited', origin: api.url, retryAt: '2026-04-27T12:02:00.000Z' });
    expect(nextPollMs).toBe(NOON + 120_000);
    api.publish({ entries: [announcement('urn:1')] });
    lab.clock.nowMs += 119_999;
    expect(await ingest({ refresh: true })).toMatchObject({ polled: false, events: [] });
    expect(api.asked(), `${path} ${status}`).toHaveLength(asked);
    lab.clock.nowMs += 1;
    expect(await ingest()).toMatchObject({ polled: true, problem: undefined, endpoints: [{ version: '1.0' }] });
  }
});

clause(
  'AF-SC6',
  'a pause is told with its end each time; however long it is, after a day the origin is asked again',
  async () => {
    const { lab, api, ingest, state } = await openOne();
    api.put(FEED, { status: 429, headers: { 'retry-after': String(30 * 24 * 3600) } });
    const until = '2026-04-28T12:00:00.000Z';
    const paused = { polled: false, problem: expect.stringContaining(until) };
    expect(await ingest()).toMatchObject({ problem: expect.stringContaining(until) });
    expect(await lab.reader({ state }).report(api.url)).toMatchObject(paused);
    lab.clock.nowMs += 23 * HOUR_MS;
    expect(await ingest()).toMatchObject({ ...paused, events: [] });
    await lab.reader({ state }).retrust(api.url);
    expect(await ingest({ refresh: true })).toMatchObject(paused);
    lab.clock.nowMs += HOUR_MS;
    const events = [{ event: 'rate-limited', retryAt: '2026-04-29T12:00:00.000Z' }];
    expect(await ingest()).toMatchObject({
      polled: true,
      events: expect.arrayContaining([expect.objectContaining(events[0])]),
    });
  },
);

test('a pause of years that an earlier version has written down ends a day behind its poll', async () => {
  const { lab, api, ingest, state } = await openOne();
  api.put(FEED, { status: 429, headers: { 'retry-after': '60' } });
  await ingest();
  const [feedUrl = ''] = [new URL(FEED, api.url).href];
  const memory = await state.find(feedUrl);
  if (memory === undefined) throw new Error('The poll was not remembered.');
  const poll = { ...memory.poll, pausedUntilMs: NOON + 3650 * 24 * HOUR_MS };
  await state.commit({ memory: { ...memory, poll }, seen: [], facts: [] });
  lab.clock.nowMs += 24 * HOUR_MS - 1;
  expect(await ingest({ refresh: true })).toMatchObject({ polled: false });
  lab.clock.nowMs += 1;
  expect(await ingest()).toMatchObject({ polled: true });
});

clause('AF-SC6', 'a card that asks for a pause is left alone, and the feed is read on', async () => {
  const { lab, api, ingest } = await openOne();
  api.put(CARD, { status: 429, headers: { 'retry-after': '80000' } });
  expect(await ingest()).toMatchObject({ nextPollMs: NOON + 60_000, problem: undefined, events: [] });
  for (const [later, cards] of [
    [60_000, 1],
    [79_939_000, 1],
    [1000, 2],
  ] as const) {
    lab.clock.nowMs += later;
    api.publish({ entries: [announcement('urn:1'), announcement(`at:${lab.clock.nowMs}`, { version: `${later}` })] });
    expect(await ingest({ refresh: true })).toMatchObject({ polled: true, applied: 1 });
    expect(api.asked().filter((path) => path === CARD)).toHaveLength(cards);
  }
});

test('429 without a time is a pause of a minute; 503 without one is just a failure', async () => {
  const { lab, api, ingest } = await openOne();
  api.put(FEED, { status: 429 });
  expect(await ingest()).toMatchObject({ nextPollMs: NOON + 60_000 });
  expect(await ingest({ refresh: true })).toMatchObject({ polled: false });
  lab.clock.nowMs += 60_000;
  api.put(FEED, { status: 503 });
  const { events } = await ingest();
  expect(events.map(({ event }) => event)).toEqual(['feed-unreachable']);
  expect(await ingest({ refresh: true })).toMatchObject({ polled: true });
});

test('a pause that the way out knows of counts as well', async () => {
  const { lab, api, state } = await openOne();
  const memory = new MemoryHostMemory();
  await memory.extend('pause', new URL(api.url).host, NOON + 300_000);
  const now = () => lab.clock.nowMs;
  const http = createBackOffClient({ http: lab.http, pauses: createHostPauses({ memory, now }), now });
  const report = await lab.reader({ state, http }).ingest(api.url);
  expect(report).toMatchObject({ polled: false, nextPollMs: NOON + 300_000 });
  expect(report.events.map(({ event }) => event)).toContain('rate-limited');
  expect(api.asked()).toEqual([]);
});

test('a clock that went back neither locks the reader out nor makes it hammer', async () => {
  const { lab, ingest, polls } = await openOne({ 'cache-control': 'max-age=86400' });
  await ingest();
  lab.clock.nowMs = NOON - 365 * 24 * HOUR_MS;
  for (let call = 0; call < 5; call += 1) expect(await ingest()).toMatchObject({ polled: false });
  lab.clock.nowMs += 60_000;
  expect(await ingest()).toMatchObject({ polled: true });
  expect(await ingest()).toMatchObject({ polled: false });
  expect(polls()).toBe(2);
});

test('a pause begins anew under a clock that went back, and ends', async () => {
  const { lab, api, ingest } = await openOne();
  api.put(FEED, { status: 429, headers: { 'retry-after': '600' } });
  await ingest();
  lab.clock.nowMs = NOON - 24 * HOUR_MS;
  expect(await ingest({ refresh: true })).toMatchObject({ polled: false });
  lab.clock.nowMs += 599_999;
  expect(await ingest({ refresh: true })).toMatchObject({ polled: false });
  lab.clock.nowMs += 1;
  expect(await ingest({ refresh: true })).toMatchObject({ polled: true });
});

test('what the caller stops is not a failure of the origin', async () => {
  const { lab, api, state } = await openOne();
  const stopping = AbortSignal.abort(new Error('enough'));
  await expect(lab.reader({ state }).ingest(api.url, { signal: stopping })).rejects.toThrow('stopped on request');
  const { problem, events } = await lab.reader({ state }).report(api.url);
  expect([problem, events]).toEqual([expect.stringContaining('did not come to its end'), []]);
});

for (const [what, served, event] of [
  ['gone', { status: 404 }, 'feed-unreachable'],
  ['a redirect elsewhere', { status: 302, headers: { location: 'https://other.test/' } }, 'feed-unreachable'],
  ['over 32 MB', { body: Buffer.alloc(33 * 1024 * 1024, ' ') }, 'feed-unreachable'],
  ['HTML', { body: '<html></html>' }, 'feed-malformed'],
  ['nested 100,000 times', { body: '<feed xmlns="http://www.w3.org/2005/Atom">'.repeat(100_000) }, 'feed-malformed'],
  ['not UTF-8', { body: Buffer.of(0xff) }, 'feed-malformed'],
  ['empty', { body: '' }, 'feed-malformed'],
  [
    'with a DOCTYPE',
    { body: '<!DOCTYPE feed [<!ENTITY a "b">]><feed xmlns="http://www.w3.org/2005/Atom"/>' },
    'feed-malformed',
  ],
  ['without a version and a status', { body: '<feed xmlns="http://www.w3.org/2005/Atom"/>' }, 'feed-malformed'],
] as const) {
  test(`a feed that is ${what} changes nothing: ${event}`, async () => {
    const { lab, api, ingest } = await openOne();
    const { endpoints } = await ingest();
    api.put(FEED, served);
    lab.clock.nowMs += 60_000;
    expect(await ingest()).toMatchObject({
      trust: true,
      feedStatus: 'active',
      applied: 0,
      endpoints,
      events: [{ event }],
    });
  });
}
