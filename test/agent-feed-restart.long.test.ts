import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createReader } from '../src/dialects/agent-feed/read/create-reader.ts';
import { MemoryReaderState } from '../src/dialects/agent-feed/read/memory-reader-state.ts';
import type { Reader } from '../src/dialects/agent-feed/read/reader.ts';
import type { ReaderState } from '../src/dialects/agent-feed/read/reader-state.ts';
import type { HttpClient, HttpResponse } from '../src/fetch/http-client.ts';
import { openSqliteReaderState } from '../src/io/sqlite/reader-state.ts';
import { shapeOf } from '../src/surface/shape.ts';
import { clause } from './clause.ts';
import { didDocument, feedXml, type TestEntry } from './support/agent-feed-origin.ts';
import { IS_LONG, shortOrLong } from './support/short-or-long.ts';

const HOSTS = ['api.example', 'v2.api.example', 'elsewhere.example'] as const;
const ENDPOINTS = ['orders', 'users', 'search', 'never-announced'];
const STEPS = 75;
const SEEDS = [1, 2, 3, 4];
/** What a run must have met, or it shows little. */
const MET = [
  'unverified-entry',
  'unknown-entry-type',
  'replay-mismatch',
  'malformed-payload',
  'repeated-payload',
  'schema-change-of-unknown',
  'deprecation-of-unknown',
  'deprecated-and-sunset',
  'entries-absent',
  'key-unresolvable',
  'did-unreachable',
  'did-malformed',
  'feed-unreachable',
  'feed-malformed',
  'unsupported-spec-version',
  'terminated',
  'active-but-untrusted',
  'migrated',
  'retrusted',
  'rate-limited',
  'mismatch',
];

for (const seed of shortOrLong(SEEDS.slice(0, 1), SEEDS)) {
  clause('AF-S8', `a reader that is restarted at every step ends as one that never stopped (${seed})`, async () => {
    const file = await stateFile();
    await compareRuns(seed, new MemoryReaderState(), () => openSqliteReaderState({ file }));
  });
}

test.runIf(IS_LONG)('the feeds of these runs bring what feeds can bring', async () => {
  const met = new Set<string>();
  let applied = 0;
  for (const seed of SEEDS) {
    const world = createWorld(seed);
    const state = new MemoryReaderState();
    const reader = createReader({ http: world.http, now: world.now, state });
    reader.onEvent(({ event }) => met.add(event));
    for (let step = 1; step <= STEPS; step += 1) await world.next()(reader);
    for (const host of HOSTS) applied += (await state.factsOf(feedUrl(host), 0, 10_000)).length;
  }
  expect([...met]).toEqual(expect.arrayContaining(MET));
  expect(applied).toBeGreaterThan(100);
});

test.each([
  ['who is trusted', { isTrusted: true }],
  ['what was told', { told: {} }],
  ['when the last poll was', { poll: {} }],
  ['the table', { endpoints: [] }],
])('a state that forgets %s over a restart is found out', async (_, forgotten) => {
  const kept = new MemoryReaderState();
  const forgetful = async (): Promise<ReaderState> => ({
    find: async (url) => {
      const memory = await kept.find(url);
      return memory && { ...memory, ...forgotten };
    },
    seenAmong: (url, ids) => kept.seenAmong(url, ids),
    payloadsAmong: (url, hashes) => kept.payloadsAmong(url, hashes),
    factsOf: (url, after, limit) => kept.factsOf(url, after, limit),
    commit: (commit) => kept.commit(commit),
    async [Symbol.asyncDispose]() {},
  });
  await expect(compareRuns(1, new MemoryReaderState(), forgetful)).rejects.toThrow(/step \d+/);
});

/** Both get the same feeds in the same order. */
async function compareRuns(seed: number, steadyState: ReaderState, reopen: () => Promise<ReaderState>): Promise<void> {
  const world = createWorld(seed);
  const parts = { http: world.http, now: world.now };
  const steady = createReader({ ...parts, state: steadyState });
  for (let step = 1; step <= STEPS; step += 1) {
    const act = world.next();
    const expected = await act(steady);
    await using state = await reopen();
    const restarted = createReader({ ...parts, state });
    const actual = await act(restarted);
    expect(actual, `seed ${seed}, step ${step}`).toEqual(expected);
  }
  await using state = await reopen();
  for (const host of HOSTS) {
    const url = feedUrl(host);
    expect(await state.find(url), `seed ${seed}, step last, ${host}`).toEqual(await steadyState.find(url));
    expect(await state.factsOf(url, 0, 10_000)).toEqual(await steadyState.factsOf(url, 0, 10_000));
    const ids = world.entryIds();
    expect(new Map(await state.seenAmong(url, ids))).toEqual(new Map(await steadyState.seenAmong(url, ids)));
  }
}

interface Published {
  readonly host: string;
  entries: TestEntry[];
  keys: string[];
  status: string;
  specVersion: string;
  migratedTo?: string;
  trouble?: Trouble;
}

interface Trouble {
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Three origins that do what origins do, and a clock. All of it follows from the seed. */
function createWorld(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(items: readonly [T, ...T[]] | readonly T[]): T => items[random(items.length)] as T;
  let nowMs = Date.UTC(2026, 3, 27);
  let serial = 0;
  const ids: string[] = [];
  const origins = new Map<string, Published>(
    HOSTS.map((host) => [host, { host, entries: [], keys: [`${host}-key-0`], status: 'active', specVersion: '0' }]),
  );

  const http: HttpClient = {
    async get({ url, headers = {} }) {
      const origin = origins.get(url.host);
      if (origin === undefined) return answer(url, 404, {}, '');
      const { host, trouble, keys } = origin;
      if (trouble?.path === url.pathname) return answer(url, trouble.status, trouble.headers, trouble.body);
      if (url.pathname === '/.well-known/did.json') {
        return answer(url, 200, { 'cache-control': 'max-age=300' }, didDocument(`did:web:${host}`, keys));
      }
      if (url.pathname !== '/.well-known/agent-feed.xml') return answer(url, 404, {}, '');
      const text = feedXml(`did:web:${host}`, origin);
      const etag = `"${text.length}-${origin.entries.length}-${origin.status}-${keys.length}"`;
      return headers['if-none-match'] === etag ? answer(url, 304, { etag }, '') : answer(url, 200, { etag }, text);
    },
    async [Symbol.asyncDispose]() {},
  };

  return { http, now: () => nowMs, next, entryIds: () => ids };

  /** Lets time pass and something happen, and says what a reader does then. */
  function next(): (reader: Reader) => Promise<unknown> {
    nowMs += pick([1000, 30_000, 61_000, 3600_000, 3600_000, 30 * 3600_000, 20 * 24 * 3600_000]);
    const host = pick([HOSTS[0], HOSTS[0], HOSTS[0], ...HOSTS]);
    const origin = origins.get(host);
    if (origin !== undefined) happen(origin);
    const target = `https://${host}`;
    const refresh = random(2) === 0;
    const isRetrusted = random(8) === 0;
    const endpointId = pick(ENDPOINTS);
    const response = shapeOf(pick([{ total: 1 }, { total: '1', currency: 'EUR' }, { amount: null, list: [] }]));
    const baseline = random(6) === 0 ? { baseline: shapeOf({ total: 1 }) } : {};
    return async (reader) => [
      isRetrusted && (await reader.retrust(target)),
      await reader.ingest(target, { refresh }),
      await reader.report(target),
      await reader.resolveUrl(target, endpointId),
      await reader.canonicalEndpoint(target, 'rest'),
      await reader.observeLiveResponse(target, endpointId, response, baseline),
      await reader.assertedAt(target, nowMs - 24 * 3600_000),
    ];
  }

  function happen(origin: Published): void {
    delete origin.trouble;
    if (random(4) > 0) origin.specVersion = '0';
    const deed = random(30);
    if (deed < 12) origin.entries.push(...Array.from({ length: 1 + random(3) }, () => honestEntry(origin)));
    else if (deed < 18) origin.entries.push(oddEntry(origin));
    else if (deed === 18) origin.keys.unshift(`${origin.host}-key-${nextSerial()}`);
    else if (deed === 19) origin.keys = origin.keys.slice(0, 1);
    else if (deed === 20) origin.entries = origin.entries.filter(() => random(4) > 0);
    else if (deed === 21) origin.status = pick(['terminated', 'paused']);
    else if (deed < 24) origin.status = 'active';
    else if (deed === 24) origin.specVersion = '1';
    else if (deed === 25) Object.assign(origin, { status: 'migrated', migratedTo: feedUrl(pick(HOSTS)) });
    else origin.trouble = pick(TROUBLES);
  }

  function nextSerial(): number {
    serial += 1;
    return serial;
  }

  function honestEntry(origin: Published): TestEntry {
    const endpointId = pick(ENDPOINTS.slice(0, 3));
    const at = new Date(nowMs - random(48) * 3600_000).toISOString();
    return newEntry(
      origin,
      pick([
        announcement(endpointId, at),
        announcement(endpointId, at),
        [
          'schema-change',
          {
            'endpoint-id': endpointId,
            'from-version': `1.${random(3)}`,
            'to-version': `1.${random(3)}`,
            'effective-at': at,
            migration: pick(MIGRATIONS),
          },
        ],
        [
          'deprecation',
          {
            'endpoint-id': endpointId,
            'announced-at': at,
            sunset: new Date(nowMs + random(30) * 24 * 3600_000).toISOString(),
            replacement: pick([null, ...ENDPOINTS]),
          },
        ],
      ] as const),
    );
  }

  function oddEntry(origin: Published): TestEntry {
    const honest = honestEntry(origin);
    const old = origin.entries.length > 0 ? pick(origin.entries) : honest;
    const at = new Date(nowMs).toISOString();
    return pick([
      { ...honest, signature: 'A'.repeat(86) },
      { ...honest, signature: 'short' },
      { ...honest, key: 'nobody' },
      { ...honest, type: 'price-list' },
      { ...honest, type: pick(['deprecation', 'schema-change', 'endpoint-announcement']) },
      { ...honest, payload: { nothing: serial } },
      { ...honest, id: old.id },
      { ...old, id: honest.id },
      old,
      newEntry(origin, ['deprecation', { 'endpoint-id': 'never-announced', 'announced-at': at, sunset: at }]),
      newEntry(origin, [
        'schema-change',
        { 'endpoint-id': `ghost-${serial}`, 'from-version': '1', 'to-version': '2', 'effective-at': at, migration: {} },
      ]),
    ]);
  }

  function announcement(endpointId: string, at: string) {
    const version = `1.${random(3)}`;
    const facts = {
      'endpoint-id': endpointId,
      endpoint: `/${endpointId}/${random(5)}`,
      protocol: pick(['rest', 'mcp']),
      version,
    };
    return ['endpoint-announcement', { ...facts, 'asserted-at': at }] as const;
  }

  function newEntry(origin: Published, [type, payload]: readonly [string, Record<string, unknown>]): TestEntry {
    const id = `urn:af:${origin.host}:${nextSerial()}`;
    ids.push(id);
    return { id, type, payload, key: origin.keys[0] ?? 'nobody' };
  }
}

const MIGRATIONS = [
  { add: ['/currency'] },
  { remove: ['/total'], later: { kept: true } },
  { rename: { '/total': '/amount' } },
  { retype: { '/total': { from: 'number', to: 'nullable<string>' } } },
];

const TROUBLES: readonly Trouble[] = [
  { path: '/.well-known/did.json', status: 500, headers: {}, body: '' },
  { path: '/.well-known/did.json', status: 200, headers: {}, body: '{"id":"did:web:other.example"}' },
  { path: '/.well-known/agent-feed.xml', status: 404, headers: {}, body: '' },
  { path: '/.well-known/agent-feed.xml', status: 200, headers: {}, body: '<feed' },
  { path: '/.well-known/agent-feed.xml', status: 429, headers: { 'retry-after': '7200' }, body: '' },
];

function feedUrl(host: string): string {
  return `https://${host}/.well-known/agent-feed.xml`;
}

function answer(url: URL, status: number, headers: Trouble['headers'], body: string): HttpResponse {
  async function* bytes() {
    yield Buffer.from(body);
  }
  return { url, status, headers, body: bytes(), discard: async () => {} };
}

/** The generator of Park and Miller: whole numbers below `limit`. */
function createRandom(seed: number): (limit: number) => number {
  let value = seed * 7919 + 1;
  return (limit) => {
    value = (value * 48_271) % 2_147_483_647;
    return Math.floor((value / 2_147_483_647) * limit);
  };
}

async function stateFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-restart-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'state.db');
}
