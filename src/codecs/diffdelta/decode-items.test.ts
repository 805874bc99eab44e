import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { decoded, FEED, ITEM, RISKLESS, refusal, without } from '../../../test/support/decoded-diffdelta.ts';
import { decodeDiffDeltaFeed } from './decode-feed.ts';

const withItem = (item: unknown) => decoded({ ...FEED, buckets: { new: [ITEM, item, ITEM] } });

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
