import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../test/support/any-character.ts';
import { changeOf } from '../../test/support/change-of.ts';
import { validAtom } from '../../test/support/xml-validity.ts';
import { encodeAtomEntry } from '../codecs/atom/encode-entry.ts';
import { encodeAtomFeed } from '../codecs/atom/encode-feed.ts';
import { encodeHtml } from '../codecs/atom/html.ts';
import type { Change } from '../model/change.ts';
import { type DigestOptions, digestEntry } from './digest-entry.ts';

const SITE = 'https://docs.example/';
const OPTIONS: DigestOptions = { id: 'urn:x:1', updatedMs: 0, url: SITE };
const page = (path: string, change: Partial<Change> = {}) =>
  changeOf({ url: `${SITE}${path}`, title: path, ...change });

const digest = (changes: readonly Change[], options: Partial<DigestOptions> = {}) =>
  digestEntry(changes, { ...OPTIONS, ...options });
const titleOf = (...changes: Change[]) => digest(changes).title;
const htmlOf = (changes: readonly Change[], options: Partial<DigestOptions> = {}) =>
  encodeHtml(digest(changes, options).content ?? []);

test.each<[string, Change[]]>([
  ['1 page changed: a', [page('a')]],
  ['2 pages changed: a and b', [page('a'), page('b')]],
  ['3 pages changed: a, b and 1 more', [page('a'), page('b'), page('c')]],
  ['2 new pages: a and b', [page('a', { action: 'create' }), page('b', { action: 'create' })]],
  ['1 page removed: /a', [changeOf({ url: `${SITE}a`, action: 'delete' })]],
  ['2 pages changed: new and a', [page('a'), page('new', { action: 'create' })]],
  ['1 API change: orders 2.0', [page('api', { kind: 'endpoint', title: 'orders 2.0' })]],
  ['1 page changed and 1 API change: a and orders', [page('orders', { kind: 'endpoint' }), page('a')]],
  ['1 page came and went: a', [page('a', { action: 'create' }), page('a', { action: 'delete' })]],
  ['2 pages changed: Same and 1 more', [page('a', { title: 'Same' }), page('b', { title: 'Same' })]],
  ['1 page changed: docs.example', [changeOf({ url: SITE })]],
])('the title %s', (title, changes) => {
  expect(titleOf(...changes)).toBe(title);
});

test('a title may say where, and that it is the first', () => {
  expect(digest([page('a')], { about: 'Guide' }).title).toBe('Guide: 1 page changed: a');
  expect(digest([page('a', { action: 'create' })], { isFirst: true }).title).toBe('1 page to begin with: a');
});

describe('net effect', () => {
  const [create, update, remove] = [
    page('a', { action: 'create' }),
    page('a'),
    changeOf({ url: `${SITE}a`, action: 'delete' }),
  ];
  test.each<[string, Change[]]>([
    ['New page', [create, update]],
    ['New page', [create, remove, create]],
    ['Changed page', [remove, create]],
    ['Changed page', [update, page('a', { action: 'create', anchor: 'x' })]],
    ['Removed page', [update, remove]],
    ['Came and went', [create, update, remove]],
  ])('%s', (heading, changes) => {
    expect(htmlOf(changes)).toMatch(new RegExp(`^<h3>${heading}</h3><ul><li>`));
    expect(htmlOf(changes).includes('<a ')).toBe(/New|Changed/.test(heading));
  });
});

test('when a page changed several times is told below it, once it is told beside it', () => {
  const times = ['2026-02-05T10:00:00Z', '2026-02-05T00:00:00Z'];
  const moments = htmlOf(times.map((claimedTime) => page('a', { claimedTime })));
  expect(moments).toContain('<li>updated 2026-02-05 10:00 UTC</li><li>updated 2026-02-05</li>');
  expect(htmlOf([page('a', { claimedTime: '2026-02-05T10:00:00Z' })])).toContain('a</a> (2026-02-05 10:00 UTC)</li>');
});

test('moments of one minute are told to the second, and those of one second are counted', () => {
  const at = (...clocks: string[]) => htmlOf(clocks.map((clock) => page('a', { claimedTime: `2026-02-05T${clock}Z` })));
  expect(at('10:00:10', '10:00:50', '11:00:00')).toContain(
    '<li>updated 2026-02-05 10:00:10 UTC</li><li>updated 2026-02-05 10:00:50 UTC</li><li>updated 2026-02-05 11:00 UTC</li>',
  );
  expect(at('10:00:10.1', '10:00:10.2')).toContain('a</a> (2026-02-05 10:00:10 UTC, 2 times)</li>');
  const sections = ['x', 'y'].map((anchor) => page('a', { anchor, claimedTime: '2026-02-05T10:00:00Z' }));
  expect(htmlOf(sections)).toContain('a</a> (2026-02-05 10:00 UTC)<ul>');
});

test('no more is told of a moment than its author wrote', () => {
  const claimedTime = '2026-01-01T00:00:00Z';
  const told = (claimed: string) => htmlOf([page('a', { claimedTime, provenance: { claimed } })]);
  expect(told('2026')).toContain('a</a> (2026)</li>');
  expect(told('2026-01')).toContain('a</a> (2026-01)</li>');
  expect(told('<b>')).toContain('a</a> (2026-01-01)</li>');
});

test('sections lead to their place, with what they said before', () => {
  const html = htmlOf([
    page('a', { anchor: 'rate-limits', before: '60 < 61', excerpt: '100', note: 'text-edit' }),
    page('a', { anchor: 'new-one', action: 'create', excerpt: 'Hello.', note: 'new-section' }),
    page('a', { anchor: 'old', action: 'delete' }),
    page('a', { anchor: 'long', heading: 'The long one', before: 'short', excerpt: 'x'.repeat(400) }),
  ]);
  expect(html).toBe(
    `<h3>Changed page</h3><ul><li><a href="${SITE}a">a</a><ul>` +
      `<li><a href="${SITE}a#rate-limits">Rate limits</a><br><del>60 &lt; 61</del> → <ins>100</ins></li>` +
      `<li><a href="${SITE}a#new-one">New one</a>: new<br>Hello.</li><li>Old: removed</li>` +
      `<li><a href="${SITE}a#long">The long one</a></li></ul></li></ul>`,
  );
});

test('a section that changed twice is told once, from the first to the last', () => {
  const html = htmlOf([
    page('a', { anchor: 'x', before: 'one', excerpt: 'two' }),
    page('a', { anchor: 'x', before: 'two', excerpt: 'three' }),
  ]);
  expect(html).toContain('<del>one</del> → <ins>three</ins>');
  expect(html).not.toContain('two');
});

test('notes become words, those of others stay theirs', () => {
  const html = htmlOf([
    page('a', { note: 'anchor-renamed: plans -> tiers-and-plans; section-removed; constructor' }),
    page('b', { note: 'anchor-renamed: plans -> tiers-and-plans; anchors-renamed: 3 more; reordered' }),
    page('c', { note: 'many-sections', summary: 'All  prices\nwent up.' }),
    page('d', { note: 'section-removed; sections changed=free-tier,limits added=faq removed=old-tiers more=2' }),
  ]);
  expect(html).toContain('<li>changed: Free tier, Limits; new: Faq; removed: Old tiers; and 2 more</li>');
  expect(html).toContain('<li>anchor-renamed: plans -&gt; tiers-and-plans; section-removed; constructor</li>');
  expect(html).toContain('<del>Plans</del> → <ins>Tiers and plans</ins></li><li>3 more sections have other names</li>');
  expect(html).toContain('<li>All prices went up.</li>');
});

test('API facts are a group of their own, without links', () => {
  const summary = 'orders is deprecated and ends at 2027-01-01T00:00:00Z.';
  const html = htmlOf([page('api/orders', { kind: 'endpoint', title: 'orders 1.0', summary, note: 'deprecation' })]);
  expect(html).toBe(`<h3>API</h3><ul><li><strong>orders 1.0</strong><br>${summary}</li></ul>`);
});

test('one page leads to itself, several to the site, one that may not be linked nowhere', () => {
  expect(digest([page('a')]).url).toBe(`${SITE}a`);
  expect(digest([page('a'), page('b')]).url).toBe(SITE);
  const foreign = { linkable: (url: string) => url.startsWith(SITE) };
  const other = changeOf({ url: 'https://other.example/a', anchor: 'x' });
  expect(digest([other], foreign).url).toBe(SITE);
  expect(htmlOf([other], foreign)).toBe('<h3>Changed page</h3><ul><li>other.example/a<ul><li>X</li></ul></li></ul>');
});

test('5,000 pages are capped, and every kind is heard of', () => {
  const pages = Array.from({ length: 5000 }, (_, at) => page(`p${at}`, { action: 'create', excerpt: 'x'.repeat(500) }));
  const html = htmlOf([...pages, changeOf({ url: `${SITE}gone`, action: 'delete' })]);
  expect(html.match(/<li>/g)).toHaveLength(101);
  expect(html).toContain('<li>and 4901 more</li></ul><h3>Removed page</h3><ul><li>/gone</li></ul>');
  const first = htmlOf(pages, { isFirst: true });
  expect(first).toMatch(/^<h3>Pages<\/h3>/);
  expect(first.length).toBeLessThan(10_000);
  const sections = Array.from({ length: 5000 }, (_, at) => page('a', { anchor: `s${at}` }));
  expect(htmlOf(sections)).toContain('<li>and 4980 more sections</li>');
});

test('whatever is in the texts, the entry is valid and holds no markup of others', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 30 }),
    fc.constantFrom('</a><script>x</script>', '&lt;b&gt;', '\u202eevil', '" onload="x', '%zz#', ']]>'),
  );
  const changes = fc.array(
    fc.record({
      url: fc.constantFrom(`${SITE}a`, `${SITE}%zz?"'<b>`, 'https://other.example/%E0%A4%A'),
      action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const),
      kind: fc.constantFrom('page' as const, 'endpoint' as const),
      title: hostile,
      anchor: hostile,
      summary: fc.option(hostile, { nil: '' }),
      note: hostile,
      excerpt: hostile,
      before: hostile,
    }),
    { minLength: 1, maxLength: 6 },
  );
  const entries = fc.sample(changes, { numRuns: 25, seed: 7 }).map((each, at) => {
    const made = digest(each.map(changeOf), { id: `urn:x:${at}` });
    expect(encodeHtml(made.content ?? [])).not.toMatch(
      /<(?!\/?(?:h3|ul|li|a href="https?:[^"]*"|a|br|strong|del|ins)>)/,
    );
    const entry = encodeAtomEntry(made);
    if (!entry.ok) throw new Error(entry.issues[0].message);
    return entry.value;
  });
  const feed = encodeAtomFeed({ id: 'urn:x:f', title: 'T', updatedMs: 0, author: { name: 'A' } }, entries);
  if (!feed.ok) throw new Error(feed.issues[0].message);
  expect(await validAtom(feed.value)).toEqual([]);
});
