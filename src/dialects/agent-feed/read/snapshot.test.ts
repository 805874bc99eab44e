import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import {
  announcement,
  CARD,
  deprecation,
  openAgentFeedLab,
  type Served,
} from '../../../../test/support/agent-feed-origin.ts';
import type { HttpClient } from '../../../fetch/http-client.ts';
import { MemoryReaderState } from './memory-reader-state.ts';
import { newMemory } from './report.ts';
import { compareSnapshot } from './snapshot.ts';
import type { Visit } from './visit.ts';

async function openOne(card: Served | undefined, entries = [announcement('urn:1')]) {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries });
  if (card !== undefined) api.put(CARD, card);
  const reader = lab.reader();
  return { lab, api, reader, report: await reader.ingest(api.url) };
}

clause(['AF-SN5', 'AF-SN6'], 'a card that names another place is told, and the feed counts', async () => {
  const { api, reader, report } = await openOne({ body: '{"url":"https://api.example/old"}' });
  const endpoints = [{ endpointId: 'orders-api', url: `${api.url}/orders` }];
  expect(report.events).toEqual([{ event: 'snapshot-feed-disagreement', origin: api.url, endpoints }]);
  expect(await reader.resolveUrl(api.url, 'orders-api')).toBe(`${api.url}/orders`);
});

clause(['AF-SN3', 'AF-SN4'], 'what the card knows beyond the feed is used for nothing', async () => {
  const { api, reader, report } = await openOne({ body: '{"a":"/orders","b":{"url":"/more","protocol":"mcp"}}' });
  expect(report.events).toEqual([]);
  expect(report.endpoints).toHaveLength(1);
  expect(await reader.canonicalEndpoint(api.url, 'mcp')).toBeUndefined();
  expect(await reader.assertedAt(api.url, Date.parse('2030-01-01T00:00:00Z'))).toHaveLength(1);
});

test.each([
  ['the URL', (url: string) => ({ servers: [{ url }] })],
  ['the URL with a slash at its end', (url: string) => ({ deep: [[{ url: `${url}/` }]] })],
  ['the path as a name, as OpenAPI does', () => ({ paths: { '/orders': {} } })],
])('a card that has %s agrees', async (_, card) => {
  const { lab, api, reader } = await openOne(undefined);
  api.put(CARD, { body: JSON.stringify(card(`${api.url}/orders`)) });
  api.publish({ entries: [announcement('urn:1'), announcement('urn:2', { version: '2' })] });
  api.put(CARD, { body: JSON.stringify(card(`${api.url}/orders`)) });
  lab.clock.nowMs += 60_000;
  expect(await reader.ingest(api.url)).toMatchObject({ applied: 1, events: [] });
});

test.each<[string, Served]>([
  ['is not there', { status: 404 }],
  ['is no JSON', { body: '<html>' }],
  ['is deeper than anything', { body: '['.repeat(100_000) }],
  ['is over 1 MB', { body: JSON.stringify('x'.repeat(1_100_000)) }],
  ['leads elsewhere', { status: 302, headers: { location: 'https://other.test/' } }],
])('a card that %s says nothing', async (_, card) => {
  expect((await openOne(card)).report).toMatchObject({ applied: 1, events: [], problem: undefined });
});

test('what is past its sunset need not stand in the card, and an empty feed is not compared', async () => {
  const entries = [announcement('urn:1'), deprecation('urn:2', { sunset: '2026-04-27T11:00:00Z' })];
  const { api, report } = await openOne({ body: '{}' }, entries);
  expect(report.events).toEqual([]);
  expect(api.asked()).not.toContain(CARD);
});

test('the card is looked at when the feed changed, and not at every poll', async () => {
  const { lab, api, reader } = await openOne(undefined);
  lab.clock.nowMs += 60_000;
  await reader.ingest(api.url);
  expect(api.asked().filter((path) => path === CARD)).toHaveLength(1);
});

test('what the feed says is kept, whatever becomes of the card', async () => {
  const lab = await openAgentFeedLab();
  const api = lab.origin('api.example');
  api.publish({ entries: [announcement('urn:1')] });
  const stopping = new AbortController();
  const http: HttpClient = {
    async get(request) {
      if (request.url.pathname === CARD) stopping.abort(new Error('enough'));
      return await lab.http.get(request);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const state = new MemoryReaderState();
  const report = await lab.reader({ state, http }).ingest(api.url, { signal: stopping.signal });
  expect(report).toMatchObject({ applied: 1, events: [], problem: undefined });
  expect(await state.factsOf(report.feedUrl, 0, 10)).toHaveLength(1);
});

test.each([
  ['HTTPS://API.example:443/orders', 'https://api.example/orders'],
  ['https://api.example:443/orders/{id}', '/orders/{id}'],
  ['https://api.example/orders', 'https://API.example:443/orders/'],
])('%s is the same place as %s', async (endpoint, written) => {
  const told: unknown[] = [];
  await compareSnapshot(
    visitOf(written, (event) => told.push(event)),
    [{ endpointId: 'orders-api', url: endpoint, version: '1', migrations: [] }],
  );
  expect(told).toEqual([]);
});

test('the path of another origin is not the place', async () => {
  const told: unknown[] = [];
  await compareSnapshot(
    visitOf('/orders', (event) => told.push(event)),
    [{ endpointId: 'orders-api', url: 'https://other.example/orders', version: '1', migrations: [] }],
  );
  expect(told).toHaveLength(1);
});

/** A visit of https://api.example, whose card has one text. */
function visitOf(written: string, tell: (event: unknown) => void): Visit {
  const feedUrl = new URL('https://api.example/.well-known/agent-feed.xml');
  const http: HttpClient = {
    get: async ({ url }) => ({
      url,
      status: 200,
      headers: {},
      body: new Blob([JSON.stringify({ written })]).stream(),
      discard: async () => {},
    }),
    [Symbol.asyncDispose]: async () => {},
  };
  const telling = { tell, told: () => ({}), finish: () => [] };
  return { http, state: new MemoryReaderState(), now: () => 0, feedUrl, nowMs: 0, memory: newMemory(feedUrl), telling };
}
