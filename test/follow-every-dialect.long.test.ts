import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Dialect } from '../src/dialects/dialect.ts';
import type { Batch, FeedReader, ReadingEnd } from '../src/dialects/reader.ts';
import { DIALECTS } from '../src/dialects/registry.ts';
import { followSources } from '../src/follow/follow.ts';
import type { FollowState } from '../src/follow/follow-state.ts';
import { openSqliteFollowState } from '../src/io/sqlite/follow-state.ts';
import { createUndiciHttpClient } from '../src/io/undici/http-client.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import { DIALECT_SITES, type DialectSite } from './support/dialect-sites.ts';
import { politely } from './support/polite.ts';
import { shortOrLong } from './support/short-or-long.ts';
import { createTestAuthority, type TestAuthority } from './support/test-ca.ts';

const HOUR_MS = 3600_000;
const STEPS = shortOrLong(9, 14);
/** At length, more than a reader looks at together. */
const MANY = shortOrLong(40, 1200);

let authority: TestAuthority;

beforeAll(() => {
  authority = createTestAuthority();
});

interface Follow {
  readonly file: string;
  /** The follower is stopped behind so many events. */
  readonly take?: number;
  readonly nowMs: number;
  readonly dialects?: readonly Dialect[];
  readonly wrap?: (state: FollowState) => FollowState;
}

/** One run of a follower: it opens its state, is told of what is new, and ends. */
async function follow(site: DialectSite, { file, take = Number.POSITIVE_INFINITY, nowMs, ...how }: Follow) {
  await using state = await openSqliteFollowState({ file });
  await using http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test', ca: authority.cert });
  const told: string[] = [];
  const dialects = new Set<string>();
  const events = followSources(
    { urls: [site.url], once: true, content: false, minIntervalMs: 2000 },
    {
      ...politely(http),
      dialects: how.dialects ?? DIALECTS,
      gunzip,
      storage: (kind) => state.storage(kind),
      state: how.wrap?.(state) ?? state,
      now: () => nowMs,
      wait: async () => {},
      signal: new AbortController().signal,
      onDiagnostic: () => {},
      onStatus: () => {},
    },
  );
  for await (const event of events) {
    // An event that is not followed by another question was not taken.
    if (told.length === take) break;
    told.push(site.told(event));
    dialects.add(event.dialect);
  }
  return { told, dialects };
}

/** A random history, with a follower that is stopped and started anywhere in it. What was published, and what it was told of. */
async function history(
  site: DialectSite,
  how: Pick<Follow, 'dialects' | 'wrap'> & { readonly seed: number; readonly most: number },
) {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-every-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { seed, most, ...ways } = how;
  const random = randomFrom(seed);
  const published: string[] = [];
  const told: string[] = [];
  const seen = new Set<string>();
  let nowMs = Date.UTC(2026, 5, 1);
  let stops = 0;
  const run = async (take?: number) => {
    nowMs += HOUR_MS;
    const result = await follow(site, {
      file: join(folder, 'state.db'),
      nowMs,
      ...ways,
      ...(take !== undefined && { take }),
    });
    if (take !== undefined && result.told.length === take) stops += 1;
    told.push(...result.told);
    for (const dialect of result.dialects) seen.add(dialect);
  };
  for (let step = 0; step < STEPS; step += 1) {
    const count = step === 3 ? most : 1 + Math.floor(random() * 6);
    published.push(...site.publish(count, random));
    while (random() < 0.7) await run(Math.floor(random() * 4));
    if (site.isSnapshot || random() < 0.3) await run();
  }
  await run();
  await run();
  return { published, told, dialects: [...seen], stops };
}

test.each(Object.entries(DIALECT_SITES))(
  '%s: a follower that is stopped and started anywhere is told of all that was published, once and in order',
  async (name, start) => {
    await using site = await start(authority);
    const most = name === 'aicf' || name === 'resourcesync' ? MANY : 20;
    const { published, told, dialects, stops } = await history(site, { seed: 20261114, most });
    expect(told).toEqual(published);
    expect(published.length).toBeGreaterThan(shortOrLong(30, 40));
    expect(stops, 'it was stopped in between').toBeGreaterThan(5);
    expect(dialects).toEqual([name]);
  },
  120_000,
);

/** A dialect whose reader gives other batches than it found. */
function tampered(bend: (batches: AsyncGenerator<Batch, ReadingEnd>) => AsyncGenerator<Batch, ReadingEnd>): Dialect[] {
  return DIALECTS.filter(({ name }) => name === 'aicf').map((dialect) => ({
    ...dialect,
    async reader(): Promise<FeedReader> {
      const reader = await dialect.reader?.();
      if (reader === undefined) throw new Error('It has a reader.');
      return {
        ...reader,
        async discover(question, ports) {
          const found = await reader.discover(question, ports);
          return 'nothing' in found ? found : { ...found, read: () => bend(found.read()) };
        },
      };
    },
  }));
}

test('a reader whose memory runs ahead of its changes loses some, and that is caught', async () => {
  const ahead = tampered(async function* (batches) {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      yield { ...next.value, changes: [] };
      yield next.value;
    }
  });
  await using site = await startAicf();
  const { published, told } = await history(site, { seed: 1, most: 40, dialects: ahead });
  expect(told.length).toBeLessThan(published.length);
});

test('a state that forgets which changes were taken tells some twice, and that is caught', async () => {
  const forgetful = (state: FollowState): FollowState => {
    const others = Object.create(state) as FollowState;
    const bound = ['find', 'isTaken', 'seenAmong', 'checksumsOf', 'itemsAmong', 'liveItemsOn', 'pendingOf'] as const;
    for (const name of bound) Object.defineProperty(others, name, { value: state[name].bind(state) });
    return Object.defineProperty(others, 'commit', {
      value: (commit: Parameters<FollowState['commit']>[0]) => state.commit({ ...commit, seenIds: [] }),
    });
  };
  await using site = await startAicf();
  const { published, told } = await history(site, { seed: 1, most: 40, wrap: forgetful });
  expect(told.length).toBeGreaterThan(published.length);
});

function startAicf(): Promise<DialectSite> {
  const start = DIALECT_SITES.aicf;
  if (start === undefined) throw new Error('There is such a site.');
  return start(authority);
}

/** mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
