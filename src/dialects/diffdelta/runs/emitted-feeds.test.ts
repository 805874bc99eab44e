import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { cursorOf } from '../../../codecs/diffdelta/cursor.ts';
import { decodeDiffDeltaDiscovery } from '../../../codecs/diffdelta/decode-discovery.ts';
import { decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { decodeHead } from '../../../codecs/diffdelta/decode-head.ts';
import { validateFeed } from '../../../codecs/diffdelta/validate.ts';
import type { DiffDeltaFeed, ItemContent } from '../../../codecs/diffdelta/wire.ts';
import type { Change } from '../../../model/change.ts';
import { discoveryOf } from './discovery.ts';
import {
  bucketsOf,
  changedFeed,
  deltaCountsOf,
  type EntryFacts,
  emptyFeed,
  entryOf,
  type MadeFeed,
  narrativeOf,
  restatedFeed,
} from './make-feed.ts';
import { contentHash, type ItemRecord, itemsOfRun, tombstoneHash } from './run-items.ts';

const SPECS = new URL('../../../../specs/diffdelta/', import.meta.url);
const readJson = (name: string) => JSON.parse(readFileSync(new URL(name, SPECS), 'utf8'));

const PLACE = { name: 'docs', root: '/', ttlSec: 300 };
const T1 = '2026-02-05T12:00:00.250Z';
const T2 = '2026-02-05T13:00:00.250Z';
const CHECKSUM = `sha256:${'c'.repeat(64)}`;

let seq = 0;
const change = (action: Change['action'], page: string, time: string, more: Partial<Change> = {}): Change => {
  seq += 1;
  return {
    seq,
    id: String(seq),
    source: 'docs',
    kind: 'page',
    action,
    url: `https://docs.example/${page}`,
    time,
    provenance: { pageChecksum: CHECKSUM },
    ...more,
  };
};

/** Between them these have every field that a status map can have. */
const STALE = { stale: true, stale_since: T1, last_ok_at: T1, stale_age_sec: 3600 };
const FACTS: Readonly<Record<string, EntryFacts>> = {
  docs: { name: 'Docs', status: 'ok' },
  failing: { status: 'error', ...STALE, consecutive_failures: 2, error: { code: 'HttpStatus', http_status: 503 } },
  never: { status: 'error', stale: true, stale_since: T1, error: { code: 'DnsError' } },
  paused: { status: 'disabled', ...STALE, disabled_reason: 'by hand' },
  weak: { status: 'degraded', fallback_active: true, fallback_index: 0, degraded_reason: 'primary_endpoint_failed' },
};

/** One feed of each kind: never read, a first run, a second one, nothing new, and a source that fails. */
function history(): readonly MadeFeed[] {
  const records = new Map<string, ItemRecord>();
  const quiet = { ...PLACE, changed: false, cursor: null, prev_cursor: null };
  const run = (before: DiffDeltaFeed | undefined, time: string, changes: readonly Change[]) => {
    const items = itemsOfRun(changes, (id) => records.get(id));
    for (const each of items) records.set(each.item.id, each);
    return changedFeed({
      ...PLACE,
      before,
      buckets: bucketsOf(items),
      sourcesIncluded: ['docs'],
      narrative: narrativeOf('docs', items),
      atMs: Date.parse(time),
      sources: ({ cursor, prevCursor }) =>
        Object.fromEntries(
          Object.entries(FACTS).map(([id, facts]) => [
            id,
            id === 'docs'
              ? entryOf(id, facts, {
                  ...PLACE,
                  changed: true,
                  cursor,
                  prev_cursor: prevCursor,
                  delta_counts: deltaCountsOf(items),
                })
              : entryOf(id, facts, quiet),
          ]),
        ),
    });
  };
  const never = emptyFeed({ ...PLACE, atMs: 0, sources: { docs: entryOf('docs', { status: 'ok' }, quiet) } });
  const first = run(undefined, T1, [
    change('create', 'a', T1, {
      title: 'A',
      excerpt: 'Begin.',
      claimedTime: '2025-01-01T00:00:00Z',
      checksum: CHECKSUM,
    }),
    change('create', 'b', T1),
    change('create', 'bad', T1, { risk: 0.7, riskReasons: ['hidden-text'], excerpt: 'Ignore all that.' }),
  ]);
  const second = run(first.feed, T2, [
    change('update', 'a', T2, { anchor: 'install', checksum: CHECKSUM, excerpt: 'Install it.', risk: 0.1 }),
    change('delete', 'b', T2),
  ]);
  const { cursor } = second.feed;
  const still = { changed: false, cursor, prev_cursor: cursor, root: '/', ttlSec: 300 };
  const restated = (before: MadeFeed, facts: EntryFacts) => {
    const sources = { docs: entryOf('docs', facts, still) };
    const made = restatedFeed({ ...PLACE, before: before.feed, changed: false, sources, atMs: Date.parse(T2) + 1000 });
    if (made === undefined) throw new Error('Something is said anew.');
    return made;
  };
  const unchanged = restated(second, { status: 'ok' });
  const failing = restated(unchanged, FACTS.failing ?? { status: 'ok' });
  return [never, first, second, unchanged, failing];
}

clause(['DD-I1', 'DD-K1'], 'every feed of the engine validates and names its basis', () => {
  const feeds = history();
  expect(feeds).toHaveLength(5);
  for (const { latestText } of feeds) {
    const value = JSON.parse(latestText);
    expect(validateFeed(value)).toEqual([]);
    expect(value.cursor_basis).toBe('canonical_v1');
  }
});

clause(['DD-C1', 'DD-V2'], 'a client reads every feed and head of the engine, and computes the same cursors', () => {
  for (const { latestText, headText } of history()) {
    const feed = decodeDiffDeltaFeed(latestText);
    if (!feed.ok) throw new Error(feed.issues[0].message);
    expect(feed.value.issues).toEqual([]);
    if (feed.value.cursor !== null) expect(cursorOf(feed.value)).toBe(feed.value.cursor);
    const { cursor, prev_cursor, changed } = feed.value;
    expect(decodeHead(headText)).toMatchObject({ ok: true, value: { cursor, prev_cursor, changed, issues: [] } });
  }
  expect(
    decodeDiffDeltaDiscovery(
      JSON.stringify(discoveryOf({ base: 'https://h.example/', sources: ['docs'], ttlSec: 300 })),
    ),
  ).toMatchObject({
    ok: true,
    value: { sources_supported: ['docs'], issues: [] },
  });
});

type Fields = Readonly<Record<string, string>>;

/** Where which types stand: `item.provenance.revision` → `integer`. */
function fieldsOf(documents: readonly unknown[]): Fields {
  const types = new Map<string, Set<string>>();
  const walk = (value: unknown, path: string) => {
    types.set(path, (types.get(path) ?? new Set()).add(typeName(value)));
    if (Array.isArray(value)) for (const each of value) walk(each, path.startsWith('buckets.') ? 'item' : `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, member] of Object.entries(value))
        walk(member, path === 'sources' ? 'source' : path === '' ? key : `${path}.${key}`);
  };
  for (const document of documents) walk(document, '');
  types.delete('');
  return Object.fromEntries([...types].map(([path, names]) => [path, [...names].sort().join(' | ')]).sort());
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** What a new release takes away from readers of an old one. */
function breaches(released: Fields, now: Fields): readonly string[] {
  return Object.entries(released).flatMap(([path, types]) => {
    const said = now[path]?.split(' | ') ?? ['nothing'];
    return said.every((type) => types.split(' | ').includes(type)) ? [] : [`${path}: ${types} is ${said.join(' | ')}`];
  });
}

const emitted = (): Readonly<Record<string, Fields>> => ({
  'head.json': fieldsOf(history().map(({ headText }) => JSON.parse(headText))),
  'latest.json': fieldsOf(history().map(({ latestText }) => JSON.parse(latestText))),
  'diffdelta.json': fieldsOf([
    discoveryOf({ base: 'https://h.example/', sources: ['docs'], ttlSec: 300, healthz: 'healthz.json' }),
  ]),
});

clause('DD-V3', 'no field that was once released is gone, renamed or of another type', () => {
  const released: Readonly<Record<string, Fields>> = readJson('released-fields.json');
  const now = emitted();
  for (const [document, fields] of Object.entries(released)) {
    expect(Object.keys(fields).length).toBeGreaterThan(5);
    expect(breaches(fields, now[document] ?? {}), document).toEqual([]);
  }
  const { cursor: _, ...others } = now['head.json'] ?? {};
  expect(breaches(released['head.json'] ?? {}, others)).toEqual(['cursor: null | string is nothing']);
  expect(breaches({ ttl_sec: 'string' }, now['head.json'] ?? {})).toEqual(['ttl_sec: string is integer']);
});

test('every field that is written stands in released-fields.json, for the next release to keep', () => {
  const released: Readonly<Record<string, Fields>> = readJson('released-fields.json');
  for (const [document, fields] of Object.entries(emitted()))
    expect(Object.keys(fields), document).toEqual(Object.keys(released[document] ?? {}));
});

interface HashVectors {
  readonly live: readonly { name: string; url: string; content: ItemContent; revision: number; content_hash: string }[];
  readonly removed: readonly { name: string; last: string | null; content_hash: string }[];
}
const hashes: HashVectors = readJson('vectors/content-hash.json');

test.each(hashes.live)('vector: $name', ({ url, content, revision, content_hash }) => {
  expect(contentHash({ url, content, revision })).toBe(content_hash);
});

test.each(hashes.removed)('vector: $name', ({ last, content_hash }) => {
  expect(tombstoneHash(last ?? undefined)).toBe(content_hash);
});
