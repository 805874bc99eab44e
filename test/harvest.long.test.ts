import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeAtomFeed } from '../src/codecs/atom/decode-feed.ts';
import { takeAtomEntries } from '../src/codecs/atom/take-entries.ts';
import { clause } from './clause.ts';
import {
  capabilityList,
  change,
  changeList,
  type HarvestLab,
  sourceDescription,
  startHarvestLab,
} from './support/harvest-site.ts';

async function feedOf({ out }: HarvestLab, name: string) {
  const text = await readFile(join(out, `${name}.atom`), 'utf8');
  const feed = decodeAtomFeed(text);
  const entries = takeAtomEntries(text);
  if (!feed.ok || !entries.ok) throw new Error('The feed cannot be read.');
  return { ...feed.value, text, entries: entries.value };
}

const page = (lab: HarvestLab, path: string) => `${lab.origin}/${path}`;

clause(
  ['RS-G1', 'RS-G5', 'RS-G6'],
  'one feed for each collection and one for all, one entry for each check',
  async () => {
    await using lab = await startHarvestLab();
    const first = change(page(lab, 'a/1'), 'created', '2026-01-01T00:00:00Z');
    const b = change(page(lab, 'b/1'), 'updated', '2026-01-01T00:00:00Z');
    lab.publish({ a: [first], b: [b] });
    const begun = await lab.harvest();
    expect(lab.asked[0]?.path).toBe('/.well-known/resourcesync');
    expect(begun.errors).toEqual([]);
    expect(begun.collections).toMatchObject([
      { describes: page(lab, 'a/'), feed: join(lab.out, 'a.atom'), changes: 1 },
      { describes: page(lab, 'b/'), feed: join(lab.out, 'b.atom'), changes: 1 },
    ]);
    const before = { a: await feedOf(lab, 'a'), site: await feedOf(lab, 'site') };
    expect(before.site.items).toHaveLength(2);
    expect(new Set([before.a.id, (await feedOf(lab, 'b')).id, before.site.id]).size).toBe(3);

    const news = ['updated', 'created', 'deleted'].map((kind, at) =>
      change(page(lab, `a/${at + 1}`), kind, '2026-01-02T00:00:00Z'),
    );
    lab.publish({ a: [first, ...news], b: [b] });
    const { collections } = await lab.harvest();
    expect(collections.map(({ changes }) => changes)).toEqual([3, 0]);
    const after = await feedOf(lab, 'a');
    expect(after.items).toHaveLength(2);
    expect(after.items[0]?.id).toBe(collections[0]?.entryId);
    for (const number of [1, 2, 3]) expect(after.items[0]?.content).toContain(`a/${number}`);
    expect(after.entries[1]).toBe(before.a.entries[0]);
    const site = await feedOf(lab, 'site');
    expect(site.entries).toEqual([after.entries[0], ...before.site.entries]);
  },
);

clause(
  ['RS-G3', 'RS-G4', 'RS-G7'],
  'each Capability List is a collection; one that is broken does not stop the others',
  async () => {
    await using lab = await startHarvestLab();
    const entry = (name: string) => [change(page(lab, `${name}/1`), 'created', '2026-01-01')];
    lab.publish({ a: entry('a'), b: entry('b'), c: entry('c') });
    const other = `<url><loc>${page(lab, 'resourcelist.xml')}</loc><rs:md capability="resourcelist"/></url>`;
    lab.put(
      '/.well-known/resourcesync',
      sourceDescription(lab.origin, ['a', 'b', 'c']).replace('</urlset>', `${other}</urlset>`),
    );
    const nameless = capabilityList(lab.origin, 'b', [page(lab, 'b/changelist.xml')]);
    lab.put('/b/capabilitylist.xml', nameless.replace(/<rs:ln rel="describes"[^>]*>/, ''));
    const withMore = capabilityList(lab.origin, 'c', [page(lab, 'c/changelist.xml')]);
    lab.put('/c/capabilitylist.xml', withMore.replace('</urlset>', `${other}</urlset>`));
    const { collections, errors, isComplete } = await lab.harvest();
    expect(collections.map(({ describes }) => describes)).toEqual([page(lab, 'a/'), page(lab, 'c/')]);
    expect(errors).toMatchObject([
      { url: page(lab, 'b/capabilitylist.xml'), describes: page(lab, 'b/'), code: 'RS-G7' },
    ]);
    expect(isComplete).toBe(false);
    expect(lab.paths().sort()).toEqual([
      '/.well-known/resourcesync',
      '/a/capabilitylist.xml',
      '/a/changelist.xml',
      '/b/capabilitylist.xml',
      '/c/capabilitylist.xml',
      '/c/changelist.xml',
    ]);
    await expect(readFile(join(lab.out, 'b.atom'))).rejects.toThrow('ENOENT');
  },
);

clause('RS-G9', 'without a Change List there is nothing to tell: a note, and the feed stays', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [change(page(lab, 'a/1'), 'created', '2026-01-01')] });
  await lab.harvest();
  const before = await feedOf(lab, 'a');
  lab.put('/a/capabilitylist.xml', capabilityList(lab.origin, 'a', []));
  const { collections, errors, isComplete } = await lab.harvest();
  expect(collections).toMatchObject([{ changes: 0, notes: [expect.stringContaining('RS-G9')] }]);
  expect([errors, isComplete]).toEqual([[], true]);
  expect((await feedOf(lab, 'a')).text).toBe(before.text);
});

clause(
  ['RS-G12', 'RS-G13'],
  'entries without a time or with another kind of change are left out and told of',
  async () => {
    await using lab = await startHarvestLab();
    const timeless = `<url><loc>${page(lab, 'a/timeless')}</loc><lastmod>2026-01-01</lastmod><rs:md change="updated"/></url>`;
    lab.publish({
      a: [
        timeless,
        change(page(lab, 'a/renamed'), 'renamed', '2026-01-01'),
        change(page(lab, 'a/loud'), 'Updated', '2026-01-01'),
        change(page(lab, 'a/garbage'), 'updated', 'yesterday'),
        change(page(lab, 'a/good'), 'updated', '2026-01-01'),
      ],
    });
    const { collections, errors } = await lab.harvest();
    expect(errors).toEqual([]);
    expect(collections[0]?.changes).toBe(1);
    const notes = collections[0]?.notes.join('\n') ?? '';
    for (const told of ['RS-G12', 'timeless', 'RS-L7', 'renamed', 'Updated', 'yesterday'])
      expect(notes).toContain(told);
    const { text } = await feedOf(lab, 'a');
    expect(text).toContain('a/good');
    expect(text).not.toMatch(/timeless|renamed|loud|garbage/);
  },
);

clause(
  'RS-U2',
  'one collection is found by what its Capability List describes, whatever its file is called',
  async () => {
    await using lab = await startHarvestLab();
    const entry = (name: string) => [change(page(lab, `${name}/1`), 'created', '2026-01-01')];
    lab.publish({ a: entry('a'), b: entry('b') });
    expect(await lab.harvest({ collection: `${lab.origin}/./b/` })).toMatchObject({
      collections: [{ describes: page(lab, 'b/') }],
    });
    expect(lab.paths().some((path) => path.startsWith('/a/'))).toBe(false);
    // Where the Source Description says something else, the Capability List is right.
    const description = sourceDescription(lab.origin, ['a', 'b']);
    lab.put(
      '/.well-known/resourcesync',
      description.replace(`href="${page(lab, 'a/')}"`, `href="${page(lab, 'elsewhere/')}"`),
    );
    const { collections, errors } = await lab.harvest({ collection: page(lab, 'elsewhere/') });
    expect([collections.length, errors]).toEqual([1, []]);
    expect(collections[0]).toMatchObject({ describes: page(lab, 'a/'), notes: [expect.stringContaining('RS-S6')] });
    expect(await lab.harvest({ collection: page(lab, 'none/') })).toMatchObject({
      errors: [{ code: 'RS-U2' }],
      isComplete: false,
    });
  },
);

clause(
  'RS-U8',
  'a Source Description elsewhere is read where it is said to be, or below the path of the site',
  async () => {
    await using lab = await startHarvestLab();
    lab.publish({ a: [change(page(lab, 'a/1'), 'created', '2026-01-01')] });
    lab.put('/elsewhere.xml', sourceDescription(lab.origin, ['a']));
    lab.put('/~ann/.well-known/resourcesync', sourceDescription(lab.origin, ['a']));
    lab.remove('/.well-known/resourcesync');
    expect((await lab.harvest({ description: page(lab, 'elsewhere.xml') })).collections).toHaveLength(1);
    expect(lab.paths()).not.toContain('/.well-known/resourcesync');
    expect((await lab.harvest({ site: page(lab, '~ann/'), out: join(lab.out, 'ann') })).collections).toHaveLength(1);
    expect(lab.paths().slice(0, 2)).toEqual(['/.well-known/resourcesync', '/~ann/.well-known/resourcesync']);
    expect(await lab.harvest({ out: join(lab.out, 'none') })).toMatchObject({
      collections: [],
      errors: [{ code: 'HTTP-404' }],
    });
  },
);

clause('RS-U9', 'metadata names the feed in whatever format it is, and is no reason to fail', async () => {
  const formats: readonly (readonly [string, string])[] = [
    [
      '{"@context":"https://schema.org","name":"Ann\u2019s shrine","author":[{"@type":"Person","name":"Ann"}]}',
      'Ann\u2019s shrine',
    ],
    ['{"title":"Plain","author":"Ann"}', 'Plain'],
    ['<!doctype html><title>A page &amp; more</title><meta name="author" content="Ann"><h1>no</h1>', 'A page & more'],
    [
      '<?xml version="1.0"?><m xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><![CDATA[Dublin <3]]></d:title><d:creator>Ann</d:creator></m>',
      'Dublin <3',
    ],
    ['<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><author><name>Ann</name></author></feed>', 'Atom'],
  ];
  for (const [body, title] of formats) {
    await using lab = await startHarvestLab();
    lab.publish({ a: [change(page(lab, 'a/1'), 'created', '2026-01-01')] });
    const link = `<rs:ln rel="describedby" href="${page(lab, 'about')}"/>`;
    lab.put('/a/capabilitylist.xml', capabilityList(lab.origin, 'a', [page(lab, 'a/changelist.xml')], link));
    lab.put('/about', body);
    expect((await lab.harvest()).collections).toMatchObject([{ title }]);
    const feed = await feedOf(lab, 'a');
    expect(feed.title).toBe(title);
    expect(feed.text).toContain('<author><name>Ann</name></author>');
    // Once a day is enough, and what is known stays when it is gone.
    lab.put('/about', { status: 500, body: '' });
    lab.paths();
    expect((await lab.harvest()).collections).toMatchObject([{ title }]);
    expect(lab.paths()).not.toContain('/about');
  }
});

test('metadata that cannot be read leaves the address as the name', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [change(page(lab, 'a/1'), 'created', '2026-01-01')] });
  for (const href of [page(lab, 'gone'), 'https://elsewhere.invalid/about', 'urn:x:y']) {
    const link = `<rs:ln rel="describedby" href="${href}"/>`;
    lab.put('/a/capabilitylist.xml', capabilityList(lab.origin, 'a', [page(lab, 'a/changelist.xml')], link));
    const out = join(lab.out, `${href.length}`);
    expect(await lab.harvest({ out })).toMatchObject({
      errors: [],
      collections: [{ changes: 1 }],
    });
    expect((await feedOf({ ...lab, out }, 'a')).title).toBe(`${new URL(lab.origin).host}/a`);
  }
});

test('two Capability Lists of one collection share a feed, and two Change Lists are read and blamed', async () => {
  await using lab = await startHarvestLab();
  const both = change(page(lab, 'a/1'), 'created', '2026-01-01');
  lab.publish({ a: [both], b: [both, change(page(lab, 'a/2'), 'created', '2026-01-01')] });
  lab.put(
    '/b/capabilitylist.xml',
    capabilityList(lab.origin, 'a', [page(lab, 'b/changelist.xml'), page(lab, 'a/changelist.xml')]),
  );
  const { collections, errors, isComplete } = await lab.harvest();
  expect(collections).toMatchObject([{ describes: page(lab, 'a/'), changes: 2 }]);
  expect(collections[0]?.notes.join('\n')).toContain('share one feed');
  expect(errors).toMatchObject([{ code: 'RS-C8', url: page(lab, 'b/capabilitylist.xml') }]);
  expect(isComplete).toBe(true);
});

test('from now on: what was is remembered and not told', async () => {
  await using lab = await startHarvestLab();
  const old = change(page(lab, 'a/1'), 'created', '2026-01-01');
  lab.publish({ a: [old] });
  expect((await lab.harvest({ fromNow: true })).collections).toMatchObject([{ changes: 0 }]);
  await expect(readFile(join(lab.out, 'a.atom'))).rejects.toThrow('ENOENT');
  lab.publish({ a: [old, change(page(lab, 'a/2'), 'created', '2019-01-01')] });
  expect((await lab.harvest({ fromNow: true })).collections).toMatchObject([{ changes: 1 }]);
  expect((await feedOf(lab, 'a')).text).not.toContain('a/1');
});

test('titles and sections that the author gives are told; pages are asked for theirs on request', async () => {
  await using lab = await startHarvestLab();
  const section = `<rs:ln rel="section" href="${page(lab, 'a/1')}#rate%20limits"/><rs:ln rel="section" href="${page(lab, 'b')}#no"/>`;
  lab.publish({
    a: [
      change(page(lab, 'a/1'), 'updated', '2026-01-01', section, ' xlink:title="Limits &amp; prices"'),
      change(page(lab, 'a/2'), 'created', '2026-01-01'),
      change(page(lab, 'a/3'), 'created', '2026-01-01'),
    ],
  });
  lab.put('/robots.txt', { status: 404, body: '' });
  lab.put('/a/2', { headers: { 'content-type': 'text/html' }, body: '<title>The second</title>' });
  expect((await lab.harvest({ titles: 1, cooldownMs: 0 })).collections).toMatchObject([{ changes: 3 }]);
  expect(lab.paths()).not.toContain('/a/3');
  const [entry] = (await feedOf(lab, 'a')).entries;
  for (const told of ['Limits &amp;amp; prices', '/a/1#rate%20limits', 'The second', '/a/3'])
    expect(entry).toContain(told);
  expect(entry).not.toContain('#no');
});

test('another spelling of what a collection is changes neither its feed nor its ids; the site has a name of its own', async () => {
  await using lab = await startHarvestLab();
  const told = [change(page(lab, 'a/1'), 'created', '2026-01-01')];
  lab.publish({ a: told });
  const head = `<rs:ln rel="describedby" href="${page(lab, 'about')}"/>`;
  lab.put('/.well-known/resourcesync', sourceDescription(lab.origin, ['a'], head));
  lab.put('/about', '{"name":"The whole site","author":"Ann"}');
  await lab.harvest();
  const before = await feedOf(lab, 'a');
  expect((await feedOf(lab, 'site')).title).toBe('The whole site');
  lab.put(
    '/a/changelist.xml',
    changeList(lab.origin, 'a', [...told, change(page(lab, 'a/2'), 'created', '2026-01-01')]),
  );
  const list = capabilityList(lab.origin, 'a', [page(lab, 'a/changelist.xml')]);
  lab.put(
    '/a/capabilitylist.xml',
    list.replace(`describes" href="${page(lab, 'a/')}`, `describes" href="${page(lab, 'b/../a/')}`),
  );
  expect(await lab.harvest()).toMatchObject({ errors: [], collections: [{ describes: page(lab, 'a/'), changes: 1 }] });
  const after = await feedOf(lab, 'a');
  expect([after.id, after.entries[1]]).toEqual([before.id, before.entries[0]]);
});
