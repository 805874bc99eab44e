import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { publish } from '../src/doors/publish.ts';
import { decodeResourceSync, hrefOf } from '../src/doors/resourcesync.ts';
import { clause } from './clause.ts';
import { COLLECTIONS, DESCRIPTION, documentOf, listed, PAGES, page, SHRINES, SITE, siteOf } from './support/shrines.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';
import { validResourceSync } from './support/xml-validity.ts';

/** What a follower gets who knows nothing but the host. */
async function follower(folder: TestFolder) {
  const server = await serveFolder(folder.path);
  const get = async (url: string) => {
    const response = await fetch(url.replace(SITE, server.url));
    return { status: response.status, text: await response.text() };
  };
  return {
    get,
    document: async (url: string) => {
      const { status, text } = await get(url);
      expect(status, url).toBe(200);
      const document = decodeResourceSync(text);
      if (!document.ok) throw new Error(`${url}: ${document.issues[0].message}`);
      return document.value;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

clause(
  ['RS-S4', 'RS-S5', 'RS-S6'],
  'a folder of pages becomes a site that can be followed from its host name alone, collection by collection',
  async () => {
    using site = siteOf(SHRINES, { collections: COLLECTIONS });
    await site.publish();
    await using at = await follower(site.folder);
    const description = await at.document(`${SITE}${DESCRIPTION}`);
    expect(description).toMatchObject({ capability: 'description', isIndex: false });
    expect(description.entries.map((entry) => hrefOf(entry, 'describes'))).toEqual([
      SITE,
      `${SITE}cats/`,
      `${SITE}dogs/`,
    ]);
    for (const entry of description.entries) {
      expect(entry.md.capability).toBe('capabilitylist');
      const list = await at.document(entry.loc);
      expect(list).toMatchObject({ capability: 'capabilitylist', isIndex: false });
      expect(hrefOf(list, 'describes')).toBe(hrefOf(entry, 'describes'));
      const above = await at.document(hrefOf(list, 'up') ?? '');
      expect(above.entries.map(({ loc }) => loc)).toContain(entry.loc);
    }
  },
);

clause(
  ['RS-C8', 'RS-L7', 'RS-L9'],
  'each collection has one Change List of its own pages, and a Resource List that is true for what is served',
  async () => {
    using site = siteOf(SHRINES, { collections: COLLECTIONS });
    await site.publish();
    await using at = await follower(site.folder);
    const list = await at.document(`${SITE}resourcesync/cats/capabilitylist.xml`);
    const capabilities = list.entries.map(({ md }) => md.capability);
    expect(capabilities.toSorted()).toEqual(['changelist', 'resourcelist']);
    const [changes, resources] = await Promise.all(
      ['changelist', 'resourcelist'].map((name) =>
        at.document(list.entries.find(({ md }) => md.capability === name)?.loc ?? ''),
      ),
    );
    expect(changes).toMatchObject({ capability: 'changelist', md: { from: { text: expect.stringMatching(/Z$/) } } });
    expect(hrefOf(changes ?? list, 'up')).toBe(`${SITE}resourcesync/cats/capabilitylist.xml`);
    expect(changes?.entries.map(({ loc, md }) => [loc, md.change, md.title])).toEqual([
      [`${SITE}cats/`, 'created', 'Cats'],
      [`${SITE}cats/tom.html`, 'created', expect.any(String)],
    ]);
    expect(resources?.entries.map(({ loc }) => loc)).toEqual([`${SITE}cats/`, `${SITE}cats/tom.html`]);
    for (const { loc, md, lastmod } of resources?.entries ?? []) {
      const { text } = await at.get(loc);
      expect(md).toMatchObject({
        hash: `sha-256:${createHash('sha256').update(text).digest('hex')}`,
        type: 'text/html',
      });
      expect(md.length).toBe(Buffer.byteLength(text));
      expect(lastmod?.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
    }
  },
);

clause(
  ['RS-S8', 'RS-S9', 'RS-C6'],
  'what is said about the site and its collections is pointed to and can be got; where nothing is said, the address is the name',
  async () => {
    using site = siteOf(SHRINES, { title: 'Animals', author: 'Bob', collections: COLLECTIONS });
    await site.publish();
    await using at = await follower(site.folder);
    const description = await at.document(`${SITE}${DESCRIPTION}`);
    const whole = hrefOf(description, 'describedby') ?? '';
    expect(JSON.parse((await at.get(whole)).text)).toMatchObject({
      name: 'Animals',
      author: { name: 'Bob' },
      url: SITE,
    });
    const [, cats, dogs] = description.entries;
    if (cats === undefined || dogs === undefined) throw new Error('Two collections are missing.');
    const about = JSON.parse((await at.get(hrefOf(cats, 'describedby') ?? '')).text);
    expect(about).toMatchObject({ '@type': 'Collection', name: 'Cats', author: { name: 'Ann' }, url: `${SITE}cats/` });
    expect(hrefOf(await at.document(cats.loc), 'describedby')).toBe(hrefOf(cats, 'describedby'));
    const unnamed = JSON.parse((await at.get(hrefOf(dogs, 'describedby') ?? '')).text);
    expect(unnamed).toMatchObject({ name: 'docs.example/dogs', author: { name: 'Bob' } });

    await site.publish({ collections: [{ path: '/cats/', describedby: '/cats/tom.html' }], title: 'Animals' });
    expect(hrefOf(site.document('resourcesync/cats/capabilitylist.xml'), 'describedby')).toBe(`${SITE}cats/tom.html`);
    using plain = siteOf({ 'index.html': page('Home', 'One.') });
    await plain.publish();
    const said = JSON.parse(plain.folder.read('resourcesync/about.json'));
    expect(said).toMatchObject({ '@type': 'WebSite', name: 'docs.example', author: { name: 'docs.example' } });
  },
);

clause(
  ['RS-L6', 'RS-L12', 'RS-G10'],
  'a full Change List is closed and stays as it is, an index leads to all of them, and no change is lost or told twice',
  async () => {
    using site = siteOf({ 'index.html': page('Home', '0') }, { listEntries: 2 });
    await site.publish();
    const closed = new Map<string, string>();
    for (let build = 1; build <= 6; build += 1) {
      site.folder.write({ 'index.html': page('Home', String(build)) });
      await site.publish();
      for (const [path, bytes] of closed) expect(site.folder.read(path), path).toBe(bytes);
      for (const path of listed(site.folder).filter((name) => /changelist-\d+\.xml$/.test(name))) {
        closed.set(path, site.folder.read(path));
      }
    }
    expect(closed.size).toBe(3);
    const capabilities = site.document('resourcesync/capabilitylist.xml').entries;
    expect(capabilities.map(({ loc }) => loc)).toContain(`${SITE}resourcesync/changelist-index.xml`);
    const index = site.document('resourcesync/changelist-index.xml');
    const names = index.entries.map(({ loc }) => loc.slice(SITE.length));
    expect(names).toEqual([
      ...[1, 2, 3].map((number) => `resourcesync/changelist-${number}.xml`),
      'resourcesync/changelist.xml',
    ]);
    const told = names.flatMap(site.changes);
    expect(told).toEqual(['created /', ...Array.from({ length: 6 }, () => 'updated /')]);
    for (const [at, { md, loc }] of index.entries.entries()) {
      const list = site.document(loc.slice(SITE.length));
      expect([list.md.from, list.md.until]).toEqual([md.from, md.until]);
      expect(md.until === undefined, loc).toBe(at === 3);
      if (md.until !== undefined) expect(list.entries.at(-1)?.md.datetime?.text).toBe(md.until.text);
      if (at > 0) expect(md.from?.text).toBe(index.entries[at - 1]?.md.until?.text);
      for (const { md: entry } of list.entries) {
        expect(entry.datetime?.startMs).toBeGreaterThanOrEqual(md.from?.startMs ?? Infinity);
        expect(entry.datetime?.startMs).toBeLessThanOrEqual(md.until?.startMs ?? Infinity);
      }
    }
    expect(
      await validResourceSync(
        ...listed(site.folder)
          .filter((path) => !path.endsWith('.json'))
          .map(site.folder.read),
      ),
    ).toEqual([]);
  },
);

clause('RS-U8', 'what else leads to the lists is said to the author once', async () => {
  using site = siteOf(SHRINES, { collections: COLLECTIONS });
  const { suggestions = [] } = await site.publish();
  expect(suggestions.join('\n')).toContain(`Sitemap: ${SITE}resourcesync/cats/resourcelist.xml`);
  expect(suggestions.join('\n')).toContain(`Link: <${SITE}resourcesync/capabilitylist.xml>; rel="resourcesync"`);
  site.folder.write({ 'index.html': page('Home', 'Two.') });
  expect(await site.publish()).not.toHaveProperty('suggestions');
  using elsewhere = temporaryFolder();
  const report = await site.publish({ out: elsewhere.path, previous: site.folder.path });
  expect(report).not.toHaveProperty('suggestions');
});

clause('RS-L10', 'a list may begin later than the log: what was closed is in lists of its own', async () => {
  using site = siteOf({ 'index.html': page('Home', '0') }, { listEntries: 1 });
  await site.publish();
  site.folder.write({ 'index.html': page('Home', '1') });
  await site.publish();
  expect(site.changes('resourcesync/changelist.xml')).toEqual(['updated /']);
});

test('sections that changed are linked, and a page that came or went has none', async () => {
  using site = siteOf(SHRINES);
  await site.publish();
  site.folder.write({ 'index.html': page('Home', 'Two.'), 'new.html': page('New', 'One.') });
  site.folder.remove('dogs/index.html');
  await site.publish({ allowDeletes: true });
  const entries = site.document('resourcesync/changelist.xml').entries.slice(4);
  expect(
    entries.map(({ loc, md, links }) => [md.change, loc, ...links.map(({ rel, href }) => `${rel} ${href}`)]),
  ).toEqual([
    ['updated', SITE, `section ${SITE}#a`],
    ['created', `${SITE}new.html`],
    ['deleted', `${SITE}dogs/`],
  ]);
  expect(site.folder.read('resourcesync/changelist.xml')).not.toMatch(/hash=|length=/);
});

test('every address in the documents is that of something that is published, and all are valid', async () => {
  using site = siteOf(SHRINES, { listEntries: 2, collections: COLLECTIONS, title: 'Animals', sitemap: true });
  await site.publish();
  site.folder.write({ 'cats/tom.html': page('Tom', 'Two.') });
  await site.publish();
  await using at = await follower(site.folder);
  const xml = listed(site.folder).filter((path) => !path.endsWith('.json'));
  const found = xml.flatMap((path) =>
    [...site.folder.read(path).matchAll(/(?:<loc>|href=")([^<"]+)/g)].map(([, url = '']) => url),
  );
  expect(found.length).toBeGreaterThan(40);
  const missing = await Promise.all(
    [...new Set(found)].map(async (url) => ((await at.get(url)).status === 200 ? [] : [url])),
  );
  expect(missing.flat()).toEqual([]);
  const times = xml.flatMap((path) =>
    [...site.folder.read(path).matchAll(/\d{4}-\d\d-\d\dT[^<"]+/g)].map(([time]) => time),
  );
  expect(times.filter((time) => !time.endsWith('Z'))).toEqual([]);
  const lists = xml.filter((path) => !path.includes('sitemap'));
  expect(await validResourceSync(...lists.map(site.folder.read))).toEqual([]);
  const rules = site.folder.read('_headers');
  for (const path of xml) expect(rules).toContain(`/${path}\n  Content-Type: application/xml; charset=utf-8\n`);
});

test('collections that come and go keep their folders, and the site itself is left out where it has nothing', async () => {
  using site = siteOf({ 'a-b/index.html': page('One', 'One.'), 'a/b/index.html': page('Two', 'One.') });
  const paths = () =>
    site.document(DESCRIPTION).entries.map((entry) => `${hrefOf(entry, 'describes')} ${entry.loc.slice(SITE.length)}`);
  const [dashed, nested] = [{ path: '/a-b/' }, { path: '/a/b/' }];
  await site.publish({ collections: [dashed, nested] });
  expect(paths()).toEqual([
    `${SITE}a-b/ resourcesync/a-b/capabilitylist.xml`,
    `${SITE}a/b/ resourcesync/a-b-2/capabilitylist.xml`,
  ]);
  await site.publish({ collections: [nested] });
  expect(paths()).toEqual([
    `${SITE} resourcesync/capabilitylist.xml`,
    `${SITE}a/b/ resourcesync/a-b-2/capabilitylist.xml`,
  ]);
  expect(site.changes('resourcesync/changelist.xml')).toEqual(['created /a-b/']);
});

test('more collections than a document holds are an index, and each Capability List leads to the part that names it', async () => {
  using site = siteOf(SHRINES, { collections: COLLECTIONS, listEntries: 2 });
  await site.publish();
  const index = site.document(DESCRIPTION);
  expect(index).toMatchObject({ capability: 'description', isIndex: true });
  for (const { loc } of index.entries) {
    const part = site.document(loc.slice(SITE.length));
    for (const entry of part.entries) {
      expect(hrefOf(site.document(entry.loc.slice(SITE.length)), 'up')).toBe(loc);
    }
  }
});

test('a title that XML cannot hold and an address that is too long do not stop a publish', async () => {
  const long = `${'x'.repeat(200)}/`.repeat(11);
  using site = siteOf({
    'index.html': page('A\u0001 \ufffe & "<b>"', 'One.'),
    [`${long}p.html`]: page('Long', 'One.'),
  });
  const { suggestions } = await site.publish();
  expect(suggestions).toContainEqual(expect.stringMatching(/^1 page is in no ResourceSync list/));
  const { entries } = site.document('resourcesync/changelist.xml');
  expect(entries.map(({ loc }) => loc)).toEqual([SITE]);
  expect(site.document('resourcesync/resourcelist.xml').entries).toHaveLength(1);
  expect(
    await validResourceSync(
      ...listed(site.folder)
        .filter((path) => !path.endsWith('.json'))
        .map(site.folder.read),
    ),
  ).toEqual([]);
});

test.each([
  [{ collections: [{ path: 'https://elsewhere.example/' }] }, /not below/],
  [{ collections: [{ path: '/a/' }, { path: 'a' }] }, /path of its own/],
  [{ collections: [{ path: '/a/?b' }] }, /no query/],
  [{ collections: [{ path: '/a/', describedby: 'javascript:1' }] }, /describedby/],
  [{ listEntries: 50_001 }, /list-entries 50001 is refused/],
  [{ listBytes: 0 }, /list-bytes 0/],
  [{ websub: 'hub' }, /websub hub/],
])('%j is refused, and nothing is written', async (options, message) => {
  using site = siteOf(SHRINES);
  const before = site.folder.fingerprint();
  await expect(site.publish(options)).rejects.toThrow(message);
  expect(site.folder.fingerprint()).toEqual(before);
});

test('a page that is only known from the log is listed without hash and length', async () => {
  using site = siteOf(SHRINES);
  await site.publish();
  site.folder.remove(PAGES);
  site.folder.write({ 'index.html': '' });
  expect((await site.publish()).failed).toHaveLength(1);
  const [home, cats] = site.document('resourcesync/resourcelist.xml').entries;
  expect([home?.loc, home?.md, home?.lastmod]).toEqual([SITE, { type: 'text/html' }, undefined]);
  expect(cats?.md).toMatchObject({ hash: expect.stringMatching(/^sha-256:[0-9a-f]{64}$/), length: expect.any(Number) });
});

test('of a live site, hashes and lengths are of what it serves', async () => {
  using served = temporaryFolder();
  served.write({ 'index.html': page('Home', '<a href="/café.html">Café</a> ö'), 'café.html': page('Café', 'ü') });
  await using server = await serveFolder(served.path);
  using out = temporaryFolder();
  await publish({
    url: server.url,
    out: out.path,
    force: true,
    allowPrivate: true,
    cooldownMs: 0,
    formats: ['resourcesync'],
  });
  const { entries } = documentOf(out, 'resourcesync/resourcelist.xml');
  expect(entries.map(({ loc }) => loc)).toEqual([server.url, `${server.url}caf%C3%A9.html`]);
  for (const { loc, md } of entries) {
    const bytes = new Uint8Array(await (await fetch(loc)).arrayBuffer());
    expect(md).toMatchObject({
      hash: `sha-256:${createHash('sha256').update(bytes).digest('hex')}`,
      length: bytes.length,
    });
  }
});

test('a collection that no page is in is left out, and the author is told', async () => {
  using site = siteOf({ 'index.html': page('Home', 'One.') }, { collections: [{ path: '/shrin/' }] });
  expect((await site.publish()).suggestions).toContainEqual(
    expect.stringContaining('No page is below https://docs.example/shrin/'),
  );
  expect(site.document(DESCRIPTION).entries.map((entry) => hrefOf(entry, 'describes'))).toEqual([SITE]);
  site.folder.write({ 'shrin/index.html': page('Shrine', 'One.') });
  expect((await site.publish()).suggestions).toBeUndefined();
  expect(site.document(DESCRIPTION).entries.map((entry) => hrefOf(entry, 'describes'))).toEqual([
    SITE,
    `${SITE}shrin/`,
  ]);
});
