import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { CURSOR, decoded, FEED, ITEM, RISKLESS, refusal, without } from '../../../test/support/decoded-diffdelta.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { cursorOf } from './cursor.ts';
import { decodeDiffDeltaFeed } from './decode-feed.ts';
import { decodeHead } from './decode-head.ts';

const ZERO = `sha256:${'0'.repeat(64)}`;

test('a feed is read with all that a client needs, and its cursor can be computed again', () => {
  const feed = decoded({ ...FEED, archive_url: '/archive/a', prev_archive_url: '/archive/b', hash: CURSOR });
  expect(feed).toMatchObject({
    cursor: CURSOR,
    prev_cursor: null,
    changed: true,
    ttl_sec: 300,
    archive_url: '/archive/a',
    prev_archive_url: '/archive/b',
    buckets: { new: [RISKLESS], updated: [], removed: [], flagged: [], items: [] },
    sources: { docs: FEED.sources.docs },
    unknownBuckets: [],
    issues: [],
  });
  expect(cursorOf(feed)).toBe(cursorOf(FEED));
});

clause(['DD-V2', 'DD-V1'], 'unknown fields at every level change nothing', () => {
  const extra = { x_new: { deep: [1] }, constructor: 'x', toString: null };
  const item = { ...ITEM, ...extra, provenance: { ...ITEM.provenance, ...extra }, risk: { score: 0, ...extra } };
  const sources = { docs: { ...FEED.sources.docs, ...extra } };
  const buckets = { ...FEED.buckets, new: [item] };
  expect(decoded({ ...FEED, ...extra, buckets, sources })).toEqual(decoded(FEED));
});

clause('DD-O4', 'a bucket that is missing or null is empty', () => {
  const empty = { new: [], updated: [], removed: [], flagged: [], items: [] };
  expect(decoded({ ...FEED, buckets: { new: [ITEM] } }).buckets).toEqual({ ...empty, new: [RISKLESS] });
  expect(decoded({ ...FEED, buckets: {} }).buckets).toEqual(empty);
  expect(decoded({ ...FEED, buckets: { removed: null } }).buckets).toEqual(empty);
});

clause('DD-O5', 'a bucket of another name is named and not read', () => {
  const feed = decoded({ ...FEED, buckets: { ...FEED.buckets, moved: [{ bad: true }], toString: 7 } });
  expect(feed.unknownBuckets).toEqual(['moved', 'toString']);
  expect(feed.buckets).toEqual(decoded(FEED).buckets);
  expect(feed.issues).toEqual([]);
});

test('the bucket that the running service calls items is read', () => {
  expect(decoded({ ...FEED, buckets: { items: [ITEM] } })).toMatchObject({
    buckets: { items: [RISKLESS], new: [] },
    unknownBuckets: [],
  });
});

test('a bucket that is there and is no list is refused: to take it for empty would lose what it holds', () => {
  for (const bucket of ['new', 'updated', 'removed', 'flagged', 'items'])
    expect(refusal({ ...FEED, buckets: { [bucket]: { 0: ITEM } } })).toEqual({
      clause: 'DD-L1',
      message: `buckets.${bucket} is not a list.`,
    });
  expect(refusal({ ...FEED, buckets: [ITEM] })).toMatchObject({ clause: 'DD-L1' });
  expect(refusal(without(FEED, 'buckets'))).toEqual({ clause: 'DD-L1', message: 'The feed has no buckets.' });
});

clause('DD-B1', 'changed is true or false, and nothing that looks like it', () => {
  for (const changed of ['true', 1, null, 'false', {}]) expect(refusal({ ...FEED, changed })?.clause).toBe('DD-B1');
  expect(refusal(without(FEED, 'changed'))?.clause).toBe('DD-B1');
  expect(decoded({ ...FEED, changed: false }).changed).toBe(false);
});

clause('DD-C6', 'the zero cursor is read as null, at every place', () => {
  const docs = { status: 'ok', cursor: ZERO, prev_cursor: ZERO };
  const feed = decoded({ ...FEED, cursor: ZERO, prev_cursor: ZERO, sources: { docs } });
  expect(feed).toMatchObject({
    cursor: null,
    prev_cursor: null,
    sources: { docs: { cursor: null, prev_cursor: null } },
  });
});

clause('DD-C3', 'a cursor of another form stays as it is; what is no text at all is refused', () => {
  for (const cursor of [CURSOR.toUpperCase(), 'v42', 'é'.repeat(512)])
    expect(decoded({ ...FEED, cursor, prev_cursor: cursor })).toMatchObject({ cursor, prev_cursor: cursor });
  for (const cursor of ['', 7, true, {}, ['x'], 'x'.repeat(513), '\ud800']) {
    expect(refusal({ ...FEED, cursor })?.clause).toBe('DD-C3');
    expect(refusal({ ...FEED, prev_cursor: cursor })?.clause).toBe('DD-C3');
  }
  expect(refusal(without(FEED, 'cursor'))?.clause).toBe('DD-C3');
});

test('what a client can do without is left out where it cannot be read', () => {
  for (const ttl of [0, -1, '300', null, {}]) {
    const feed = decoded({ ...FEED, ttl_sec: ttl, generated_at: 7, archive_url: null, prev_archive_url: 7 });
    for (const key of ['ttl_sec', 'generated_at', 'archive_url', 'prev_archive_url'])
      expect(feed).not.toHaveProperty(key);
    expect(feed.issues.map((issue) => issue.clause)).toEqual(['DD-G1', 'DD-G3']);
  }
  expect(decoded(without(FEED, 'prev_cursor'))).toMatchObject({ prev_cursor: null, issues: [{ clause: 'DD-P2' }] });
  expect(decoded({ ...without(FEED, 'sources_included'), source_id: 'docs' }).sources_included).toEqual(['docs']);
  expect(decoded({ ...FEED, sources_included: ['a', 7, '', 'b'] }).sources_included).toEqual(['a', 'b']);
});

test('the status map is read entry by entry, whatever its words', () => {
  const error = { status: 'error', stale: true, error: { code: 'HTTP', http_status: 503 }, consecutive_failures: 3 };
  const sources = { a: error, b: { status: 'backoff', delta_counts: { new: 2 }, cursor: 7 }, c: 'ok', constructor: {} };
  const read = decoded({ ...FEED, sources }).sources;
  expect({ ...read }).toEqual({
    a: error,
    b: { status: 'backoff', delta_counts: { new: 2, updated: 0, removed: 0 } },
    constructor: {},
  });
  expect(read.toString).toBeUndefined();
  expect({ ...decoded({ ...FEED, sources: [1] }).sources }).toEqual({});
});

test('a key __proto__ reaches nothing, however it is spelled', () => {
  for (const key of ['__proto__', '\\u005f_proto__', '\\u005F\\u005fproto__']) {
    const planted = `{"${key}":{"cursor":"x","changed":true},`;
    const text = JSON.stringify(FEED).replace('{', planted).replace('"content":{', `"content":${planted}`);
    const result = decodeDiffDeltaFeed(text);
    if (!result.ok) throw new Error(result.issues[0].message);
    expect(result.value).toEqual(decoded(FEED));
    expect(Object.keys(result.value.buckets.new[0]?.content ?? {})).toEqual(['excerpt_text']);
  }
});

test('what is no JSON object is refused', () => {
  for (const text of ['', '<html>', '[]', 'null', '7', '"x"', '{', '{"cursor":', '\u0000', '{}{}'])
    expect(refusal(text)?.clause, text).toBe('DD-R1');
  expect(refusal(`{"x":${'['.repeat(1_000_000)}`)).toMatchObject({ message: expect.stringContaining('200 deep') });
  expect(refusal(`{"cursor":"a",${JSON.stringify(FEED).slice(1)}`)).toMatchObject({
    message: 'The document has "cursor" twice.',
  });
  expect(decodeDiffDeltaFeed(`\uFEFF${JSON.stringify(FEED)}`).ok).toBe(true);
});

test('a head in place of a feed is refused by its name, and the other way round', () => {
  const head = { ...without(FEED, 'buckets'), latest_url: '/diff/docs/latest.json' };
  expect(refusal(head)?.message).toBe('This is a head and not a feed: it has no buckets.');
  expect(decodeHead(JSON.stringify(FEED))).toMatchObject({
    issues: [{ clause: 'DD-H1', message: 'This is a feed and not a head: it has buckets and no latest_url.' }],
  });
});

test('no text makes it throw, and a hundred thousand bad items make no more than a hundred issues', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => typeof decodeDiffDeltaFeed(text).ok === 'boolean'),
  );
  fc.assert(fc.property(fc.json(), (text) => typeof decodeDiffDeltaFeed(text).ok === 'boolean'));
  const text = decodeDiffDeltaFeed(
    JSON.stringify({ ...FEED, buckets: { new: Array.from({ length: 100_000 }, () => ({})) } }),
  );
  expect(text).toMatchObject({ ok: true, value: { buckets: { new: [] } } });
  expect(text.ok && text.value.issues).toHaveLength(100);
});

test('no value at any place makes it throw, and whatever is read has a cursor', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(...['', '\ud800', 1e300, -1, [], {}, null]));
  const paths = [
    ...Object.keys(FEED),
    ...Object.keys(ITEM).map((key) => `buckets.new.0.${key}`),
    ...Object.keys(ITEM.provenance).map((key) => `buckets.new.0.provenance.${key}`),
    ...['buckets.new', 'buckets.new.0', 'buckets.new.0.risk', 'buckets.new.0.content.deep', 'sources.docs'],
    ...Object.keys(FEED.sources.docs).map((key) => `sources.docs.${key}`),
  ];
  let read = 0;
  fc.assert(
    fc.property(fc.constantFrom(...paths), odd, (path, value) => {
      const result = decodeDiffDeltaFeed(JSON.stringify(planted(FEED, path.split('.'), value)));
      if (!result.ok) return;
      read += 1;
      expect(cursorOf(result.value)).toMatch(/^sha256:/);
    }),
    { numRuns: shortOrLong(200, 2000) },
  );
  expect(read).toBeGreaterThan(shortOrLong(50, 300));
});

/** A copy in which the value stands at the path. */
function planted(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(target)) return target.map((each, at) => (String(at) === key ? planted(each, rest, value) : each));
  const object: Record<string, unknown> = { ...(target as object) };
  object[key] = planted(object[key], rest, value);
  return object;
}

const CORPUS = new URL('../../../../shared/corpora/diffdelta/', import.meta.url);
const corpusIsHere = existsSync(CORPUS);

if (!corpusIsHere) process.stderr.write('diffdelta: ../shared/corpora/diffdelta is not here, real feeds are skipped\n');

test.skipIf(!corpusIsHere)(
  `real feeds are read without loss${corpusIsHere ? '' : ' (SKIPPED: no ../shared/corpora/diffdelta)'}`,
  () => {
    const names = readdirSync(CORPUS).filter((name) => /-latest\.json$|^archive-/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const value = JSON.parse(readFileSync(new URL(name, CORPUS), 'utf8'));
      const feed = decoded(value);
      expect(feed.issues, name).toEqual([]);
      for (const [bucket, items] of Object.entries(value.buckets))
        expect(Reflect.get(feed.buckets, bucket), name).toHaveLength((items as unknown[]).length);
      expect(feed.cursor).toBe(value.cursor === ZERO ? null : value.cursor);
      expect(feed.unknownBuckets).toEqual([]);
    }
  },
);
