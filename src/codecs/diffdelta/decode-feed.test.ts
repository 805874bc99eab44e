import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { shortOrLong } from '../../../test/support/short-or-long.ts';
import { cursorOf } from './cursor.ts';
import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from './decode-feed.ts';
import { decodeHead } from './decode-head.ts';

const CURSOR = `sha256:${'ab'.repeat(32)}`;
const ZERO = `sha256:${'0'.repeat(64)}`;
const ITEM = {
  source: 'docs',
  id: '1',
  url: 'https://docs.example/guide',
  published_at: '2026-02-05T12:00:00Z',
  updated_at: '2026-02-05T12:00:00Z',
  headline: 'Guide',
  content: { excerpt_text: 'Install it first.' },
  provenance: {
    content_hash: CURSOR,
    fetched_at: '2026-02-05T12:00:00Z',
    evidence_urls: ['https://docs.example/guide'],
  },
};
const FEED = {
  schema_version: '1.1.0',
  generated_at: '2026-02-05T12:00:00Z',
  cursor: CURSOR,
  prev_cursor: null,
  changed: true,
  ttl_sec: 300,
  sources_included: ['docs'],
  buckets: { new: [ITEM], updated: [], removed: [], flagged: [] },
  sources: { docs: { status: 'ok', changed: true, cursor: CURSOR, prev_cursor: null, ttl_sec: 300 } },
};
const RISKLESS = { ...ITEM, risk: { score: 0, reasons: [] } };

function decoded(value: unknown): DecodedDiffDeltaFeed {
  const result = decodeDiffDeltaFeed(JSON.stringify(value));
  if (!result.ok) throw new Error(result.issues[0].message);
  return result.value;
}
const refusal = (value: unknown) => {
  const result = decodeDiffDeltaFeed(typeof value === 'string' ? value : JSON.stringify(value));
  return result.ok ? undefined : result.issues[0];
};
const withItem = (item: unknown) => decoded({ ...FEED, buckets: { new: [ITEM, item, ITEM] } });
const without = (object: object, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

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

clause('DD-I2', 'an item without an identity or a place is left out and named; the others stay', () => {
  for (const key of ['id', 'url']) {
    for (const item of [without(ITEM, key), { ...ITEM, [key]: null }, { ...ITEM, [key]: {} }]) {
      const { buckets, issues } = withItem(item);
      expect(buckets.new, key).toEqual([RISKLESS, RISKLESS]);
      expect(issues).toEqual([{ clause: 'DD-I2', message: expect.stringContaining(`buckets.new[1] is left out`) }]);
      expect(issues[0]?.message).toContain(key);
    }
  }
  for (const item of [null, 'x', 7, [ITEM]]) expect(withItem(item).buckets.new).toHaveLength(2);
  const several = { ...FEED, sources_included: ['docs', 'blog'], buckets: { new: [without(ITEM, 'source'), ITEM] } };
  expect(decoded(several).buckets.new).toEqual([RISKLESS]);
});

const REPAIRS: readonly (readonly [string, object, object])[] = [
  ['source', { source: undefined }, {}],
  ['source', { source: null }, {}],
  ['id', { id: 7 }, { id: '7' }],
  [
    'url',
    { id: 'https://docs.example/a', url: undefined },
    { id: 'https://docs.example/a', url: 'https://docs.example/a' },
  ],
  ['url', { url: ' https://docs.example/guide\n' }, {}],
  [
    'published_at',
    { published_at: undefined, updated_at: '2026-01-01' },
    { published_at: '2026-01-01', updated_at: '2026-01-01' },
  ],
  ['updated_at', { updated_at: null }, {}],
  [
    'updated_at',
    { published_at: 7, updated_at: '' },
    { published_at: FEED.generated_at, updated_at: FEED.generated_at },
  ],
  ['headline', { headline: undefined }, { headline: '' }],
  ['headline', { headline: 7 }, { headline: '' }],
  ['content', { content: undefined }, { content: {} }],
  ['content', { content: null }, { content: {} }],
  ['content', { content: [1] }, { content: {} }],
  ['content', { content: 'Install it.' }, { content: { excerpt_text: 'Install it.' } }],
];

test.each(REPAIRS)('an item whose %s is not as it should be is read all the same: %j', (key, change, repaired) => {
  const { buckets, issues } = withItem({ ...ITEM, ...change });
  expect(buckets.new[1]).toEqual({ ...RISKLESS, ...repaired });
  expect(issues).toEqual([
    { clause: 'DD-I2', message: expect.stringContaining('buckets.new[1] is read all the same') },
  ]);
  expect(issues[0]?.message).toContain(`its ${key} is`);
});

test('an item without provenance has a hash of its own, which no later run changes', () => {
  const bare = { id: 1, url: 'https://docs.example/guide' };
  const read = (generatedAt: string) => decoded({ ...FEED, generated_at: generatedAt, buckets: { new: [bare] } });
  const [first] = read('2026-02-05T12:00:00Z').buckets.new;
  expect(first).toMatchObject({ source: 'docs', id: '1', headline: '', updated_at: '2026-02-05T12:00:00Z' });
  expect(read('2026-02-06T12:00:00Z').buckets.new[0]?.provenance).toEqual(first?.provenance);
  const { issues } = read('2026-02-05T12:00:00Z');
  expect(issues, 'one for the item').toHaveLength(1);
  for (const key of ['source', 'id', 'published_at', 'headline', 'content', 'provenance'])
    expect(issues[0]?.message).toContain(`its ${key} is`);
});

test('an item without hash and time is another in every run that says that it was updated', () => {
  const hashOf = (cursor: string, item: object = { id: 1, url: 'https://docs.example/guide' }) =>
    decoded({ ...FEED, cursor, buckets: { updated: [item] } }).buckets.updated[0]?.provenance.content_hash;
  expect(hashOf('a')).toBe(hashOf('a'));
  expect(hashOf('a')).not.toBe(hashOf('b'));
  expect(hashOf('a', without(ITEM, 'provenance'))).toBe(hashOf('b', without(ITEM, 'provenance')));
});

test('the source of an item that names none is the only one there is', () => {
  const item = without(ITEM, 'source');
  const sourceIn = (feed: object) => decoded({ ...FEED, ...feed, buckets: { new: [item] } }).buckets.new[0]?.source;
  expect(sourceIn({ sources_included: ['docs', 'blog'], source_id: 'blog' })).toBe('blog');
  expect(sourceIn({ sources_included: ['docs'] })).toBe('docs');
  expect(sourceIn({ sources_included: undefined, sources: { blog: {} } })).toBe('blog');
  expect(sourceIn({ sources_included: [], sources: {} })).toBeUndefined();
});

test('a removed item needs no more than its id, which may stand alone', () => {
  const { buckets, issues } = decoded({ ...FEED, buckets: { removed: [{ id: 'a' }, 'b', 7, ITEM, {}, null] } });
  expect(buckets.removed.map(({ source, id, url }) => [source, id, url])).toEqual([
    ['docs', 'a', undefined],
    ['docs', 'b', undefined],
    ['docs', '7', undefined],
    ['docs', '1', ITEM.url],
  ]);
  expect(issues.map(({ message }) => message.replace(/:.*/, ''))).toEqual([
    'buckets.removed[4] is left out',
    'buckets.removed[5] is left out',
    'buckets.removed[0] is read all the same',
    'buckets.removed[1] is read all the same',
    'buckets.removed[2] is read all the same',
  ]);
});

test('items that are left out are named before those that are read all the same', () => {
  const loose = Array.from({ length: 200 }, (_, id) => ({ ...ITEM, id }));
  const { buckets, issues } = decoded({ ...FEED, buckets: { new: [...loose, {}] } });
  expect(buckets.new).toHaveLength(200);
  expect(issues).toHaveLength(100);
  expect(issues[0]?.message).toContain('buckets.new[200] is left out');
});

const BASE = new URL('https://feeds.example/diff/docs/latest.json');
const placed = (url: string, base?: URL) => {
  const result = decodeDiffDeltaFeed(JSON.stringify({ ...FEED, buckets: { new: [{ ...ITEM, url }] } }), base);
  return result.ok ? result.value.buckets.new[0]?.url : undefined;
};

test('an item whose address is not http(s) is left out, and a relative one, too, where the feed has no address', () => {
  const nowhere = ['javascript:alert(1)', 'java\nscript:alert(1)', 'file:///etc/passwd', 'https://', 'http:docs'];
  for (const url of [...nowhere, 'ftp://docs.example/', 'data:text/html,x', '', ' ', '#s1', '?', 'latest.json#x'])
    for (const base of [undefined, BASE]) expect(placed(url, base), url).toBeUndefined();
  for (const url of ['/guide', 'guide', '//docs.example/']) expect(placed(url), url).toBeUndefined();
  for (const url of ['http://docs.example', 'HTTPS://docs.example/é?q#f']) expect(placed(url, BASE)).toBe(url);
});

test.each([
  ['/guide#a', 'https://feeds.example/guide#a'],
  ['guide', 'https://feeds.example/diff/docs/guide'],
  ['../../a b', 'https://feeds.example/a%20b'],
  ['//docs.example/', 'https://docs.example/'],
  ['?page=2', 'https://feeds.example/diff/docs/latest.json?page=2'],
])('the relative address %s is resolved against the feed', (url, absolute) => {
  expect(placed(url, BASE)).toBe(absolute);
});

clause('DD-I3', 'an item without a hash gets one that follows what it says and not when it was read', () => {
  const read = (changes: object, provenance: object = {}) => {
    const feed = decoded({ ...FEED, buckets: { new: [{ ...ITEM, ...changes, provenance }] } });
    expect(feed.issues).toMatchObject([{ clause: 'DD-I3' }]);
    return feed.buckets.new[0]?.provenance.content_hash;
  };
  const hash = read({});
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(read({}, { fetched_at: 'later', content_hash: '' })).toBe(hash);
  expect(read({ content: { lang: 'en' } })).not.toBe(hash);
  expect(read({ content: { half: '\ud800' } })).not.toBe(hash);
});

clause(['DD-I5', 'DD-I7', 'DD-I4'], 'a risk that is left out is none, and so is a list of reasons', () => {
  const risk = (value: unknown) => withItem({ ...ITEM, risk: value }).buckets.new[1]?.risk;
  expect(risk(undefined)).toEqual({ score: 0, reasons: [] });
  expect(risk({ score: 0.2 })).toEqual({ score: 0.2, reasons: [] });
  expect(risk({ score: 1, reasons: ['a', 7, 'b'] })).toEqual({ score: 1, reasons: ['a', 'b'] });
  expect(risk({ score: 0.4, reasons: 'a' })).toEqual({ score: 0.4, reasons: ['a'] });
});

test('a score that cannot be read counts as the worst, and is named', () => {
  for (const score of ['0.9', '', null, -0.1, 1.01, true, [], {}, undefined]) {
    const { buckets, issues } = withItem({ ...ITEM, risk: { score, reasons: ['a'] } });
    expect(buckets.new[1]?.risk, String(score)).toEqual({ score: 1, reasons: ['a', 'unreadable-score'] });
    expect(issues).toMatchObject([{ clause: 'DD-I8' }]);
  }
  const beyond = JSON.stringify({ ...FEED, buckets: { new: [{ ...ITEM, risk: { score: 7777 } }] } });
  expect(decodeDiffDeltaFeed(beyond.replace('7777', '1e999'))).toMatchObject({
    value: { buckets: { new: [{ risk: { score: 1 } }] } },
  });
  expect(refusal(beyond.replace('7777', 'NaN'))).toEqual({ clause: 'DD-R1', message: 'The document is not JSON.' });
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
