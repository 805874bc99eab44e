import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { hrefOf } from '../src/doors/resourcesync.ts';
import { COLLECTIONS, DESCRIPTION, listed, PAGES, page, SHRINES, SITE, siteOf } from './support/shrines.ts';
import { type TestFolder, temporaryFolder } from './support/site.ts';
import { validSitemap } from './support/xml-validity.ts';

test('noise alone rewrites the Resource List and nothing else of it; equal bytes rewrite nothing', async () => {
  using site = siteOf(SHRINES, { sitemap: true });
  await site.publish();
  const before = site.folder.fingerprint();
  const times = () =>
    Object.fromEntries(listed(site.folder).map((path) => [path, statSync(join(site.folder.path, path)).mtimeMs]));
  const timesBefore = times();
  await site.publish();
  expect(times()).toEqual(timesBefore);
  const noisy = SHRINES['index.html'].replace('/theme.css', '/theme.css?v=2');
  site.folder.write({ 'index.html': noisy });
  expect((await site.publish()).changes).toEqual([]);
  const after = site.folder.fingerprint();
  expect(listed(site.folder).filter((path) => after[path] !== before[path])).toEqual(['resourcesync/resourcelist.xml']);
  const { md, entries } = site.document('resourcesync/resourcelist.xml');
  expect(entries[0]).toMatchObject({ loc: SITE, lastmod: { text: md.at?.text } });
  expect(entries[0]?.md.length).toBe(Buffer.byteLength(noisy));
  expect(entries[1]?.lastmod?.startMs).toBeLessThan(md.at?.startMs ?? 0);
});

test.each<readonly [string, { readonly listEntries?: number; readonly listBytes?: number }]>([
  ['by entries', { listEntries: 3 }],
  ['by bytes', { listBytes: 1400 }],
  ['one by one', { listBytes: 1 }],
])('a publish that is larger than a list is split (%s), and so is a Resource List', async (_, limits) => {
  const files = Object.fromEntries(Array.from({ length: 8 }, (__, at) => [`p${at}.html`, page(`P${at}`, 'One.')]));
  using site = siteOf(files, { ...limits, sitemap: true });
  await site.publish();
  const index = site.document('resourcesync/changelist-index.xml');
  const told = index.entries.flatMap(({ loc }) => site.changes(loc.slice(SITE.length)));
  expect(told).toEqual(Array.from({ length: 8 }, (__, at) => `created /p${at}.html`));
  const resources = site.document('resourcesync/resourcelist.xml');
  expect(resources.isIndex).toBe(true);
  const parts = resources.entries.map(({ loc }) => site.document(loc.slice(SITE.length)));
  expect(parts.flatMap(({ entries }) => entries.map(({ loc }) => loc))).toHaveLength(8);
  for (const part of parts) expect(hrefOf(part, 'index')).toBe(`${SITE}resourcesync/resourcelist.xml`);
  for (const path of listed(site.folder).filter((name) => /-\d+\.xml$/.test(name))) {
    const entries = site.folder.read(path).split('<loc>').length - 1;
    expect(entries).toBeLessThanOrEqual(limits.listEntries ?? 8);
    if (entries > 1) expect(site.folder.read(path).length).toBeLessThanOrEqual(limits.listBytes ?? Infinity);
  }
  const sitemaps = listed(site.folder).filter((name) => name.includes('sitemap'));
  expect(await validSitemap(...sitemaps.map(site.folder.read))).toEqual([]);
});

test('lists that are lost or damaged are made again byte for byte; closed ones whatever the limits are now', async () => {
  using site = siteOf({ 'index.html': page('Home', '0') }, { listEntries: 2 });
  for (let build = 1; build <= 6; build += 1) {
    site.folder.write({ 'index.html': page('Home', String(build)) });
    await site.publish();
  }
  const whole = site.folder.fingerprint();
  site.folder.remove('resourcesync');
  await site.publish();
  expect(site.folder.fingerprint()).toEqual(whole);
  site.folder.remove('resourcesync/changelist-1.xml');
  site.folder.write({ 'resourcesync/changelist.xml': 'x' });
  await site.publish();
  expect(site.folder.fingerprint()).toEqual(whole);
  // Of the same length: only what stands in it shows the damage.
  const list = site.folder.read('resourcesync/resourcelist.xml');
  site.folder.write({ 'resourcesync/resourcelist.xml': list.replace('>http', '>httq') });
  await site.publish({ listEntries: 2 });
  expect(site.folder.fingerprint()).toEqual(whole);

  // Other limits count for what is open.
  site.folder.remove('resourcesync/changelist-2.xml');
  await site.publish({ listEntries: 1 });
  const closed = ['resourcesync/changelist-1.xml', 'resourcesync/changelist-2.xml'];
  const now = site.folder.fingerprint();
  for (const path of closed) expect(now[path]).toBe(whole[path]);
  expect(site.document('resourcesync/changelist-index.xml').entries).toHaveLength(4);
  await site.publish({ listEntries: 100 });
  expect(site.document('resourcesync/changelist-index.xml').entries).toHaveLength(4);
});

test('without pages.ndjson the lists are split as before, and under other limits none of an earlier split stays', async () => {
  using site = siteOf({ 'index.html': page('Home', '0') }, { listEntries: 2 });
  for (let build = 1; build <= 5; build += 1) {
    site.folder.write({ 'index.html': page('Home', String(build)) });
    await site.publish();
  }
  const lists = () =>
    listed(site.folder)
      .filter((path) => path.includes('changelist'))
      .map(site.folder.read);
  const whole = lists();
  site.folder.remove(PAGES);
  await site.publish();
  expect(lists()).toEqual(whole);
  site.folder.remove(PAGES);
  await site.publish({ listEntries: 3 });
  const names = site.document('resourcesync/changelist-index.xml').entries.map(({ loc }) => loc.slice(SITE.length));
  expect(names.flatMap(site.changes)).toHaveLength(5);
  expect(site.changes('resourcesync/changelist-1.xml')).toHaveLength(3);
});

test('from a copy of the live site, with the state elsewhere, or below a path: the same lists', async () => {
  using site = siteOf(SHRINES, { listEntries: 2, collections: COLLECTIONS });
  await site.publish();
  site.folder.write({ 'index.html': page('Home', 'Two.') });
  await site.publish();
  using out = temporaryFolder();
  using state = temporaryFolder();
  await site.publish({ out: out.path, previous: site.folder.path, state: state.path });
  const lists = (folder: TestFolder) => listed(folder).map((path) => [path, folder.read(path)]);
  expect(lists(out)).toEqual(lists(site.folder));

  using below = siteOf(SHRINES, { site: `${SITE}docs/`, collections: [{ path: 'cats' }, { path: '/docs/dogs/' }] });
  await below.publish();
  expect(below.document('resourcesync/cats/resourcelist.xml').entries).toHaveLength(2);
  const [first] = below.document(DESCRIPTION).entries;
  expect(first?.loc).toBe(`${SITE}docs/resourcesync/capabilitylist.xml`);
  expect(below.folder.read('_headers')).toContain(
    '/docs/.well-known/resourcesync\n  Content-Type: application/xml; charset=utf-8',
  );
});

test('a clock that goes back takes no list back', async () => {
  using site = siteOf(SHRINES);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 5, 3) });
  try {
    await site.publish();
    const at = [];
    for (const [day, text] of [
      [2, 'One.'],
      [5, 'One.'],
      [1, 'One.'],
      [1, 'Two.'],
    ] as const) {
      vi.setSystemTime(Date.UTC(2026, 5, day));
      site.folder.write({ 'index.html': page('Home', text).replace('theme', `theme-${at.length}`) });
      await site.publish();
      at.push(site.document('resourcesync/resourcelist.xml').md.at?.text);
    }
    expect(at).toEqual(['2026-06-03T00:00:00Z', ...Array.from({ length: 3 }, () => '2026-06-05T00:00:00Z')]);
    expect(site.changes('resourcesync/changelist.xml').at(-1)).toBe('updated /');
    // Who read the Resource List asks for changes since then.
    const last = site.document('resourcesync/changelist.xml').entries.at(-1);
    expect(last?.md.datetime?.text).toBe('2026-06-05T00:00:00Z');
  } finally {
    vi.useRealTimers();
  }
});

test('the Source Description of an author is not overwritten, and nothing else is written', async () => {
  using site = siteOf({ 'index.html': page('Home', 'One.') });
  const own = '<urlset><url><loc>https://docs.example/my-shrine/capabilitylist.xml</loc></url></urlset>';
  site.folder.write({ [DESCRIPTION]: own });
  await expect(site.publish()).rejects.toThrow(
    /resourcesync was not written by Tidings.*leave resourcesync out of --formats/s,
  );
  expect(Object.keys(site.folder.fingerprint()).toSorted()).toEqual([DESCRIPTION, 'index.html']);
  expect(site.folder.read(DESCRIPTION)).toBe(own);
  await site.publish({ formats: ['aicf'] });
  expect(site.folder.read(DESCRIPTION)).toBe(own);
});

test.each([
  'resourcesync/changelist.xml',
  'resourcesync/about.json',
  'resourcesync/sitemap.xml',
  'resourcesync/cats/capabilitylist.xml',
  'resourcesync/resourcedump.xml',
])('before the first publish nothing of an author is overwritten, such as %s', async (path) => {
  using site = siteOf(SHRINES, { collections: COLLECTIONS, sitemap: true, dumps: true });
  site.folder.write({ [path]: 'mine' });
  const before = site.folder.fingerprint();
  await expect(site.publish()).rejects.toThrow(/was not written by Tidings/);
  expect(site.folder.fingerprint()).toEqual(before);
  site.folder.remove(path);
  await site.publish();
});

test('what we wrote is ours below any path, cut or empty, and where the state is lost', async () => {
  using site = siteOf(SHRINES, { sitemap: true, site: `${SITE}r&d/` });
  site.folder.write({ [DESCRIPTION]: '' });
  await site.publish();
  const whole = site.folder.fingerprint();
  await site.publish();
  for (const damaged of ['', site.folder.read(DESCRIPTION).slice(0, 100), 'x']) {
    site.folder.write({ [DESCRIPTION]: damaged });
    await site.publish();
    expect(site.folder.fingerprint()).toEqual(whole);
  }
  const lists = listed(site.folder);
  site.folder.remove('.well-known/tidings/pages.ndjson');
  await site.publish();
  expect(Object.keys(site.folder.fingerprint())).toEqual(Object.keys(whole));
  // Another log would tell another history under the same names.
  site.folder.remove('.well-known/tidings');
  for (const lost of [[], [DESCRIPTION], ['resourcesync/capabilitylist.xml', 'resourcesync/resourcelist.xml']]) {
    for (const path of lost) site.folder.write({ [path]: '' });
    await expect(site.publish()).rejects.toThrow(/tell of changes that the log does not have.*--previous/s);
  }
  for (const path of lists) site.folder.remove(path);
  await site.publish();
  expect(Object.keys(site.folder.fingerprint())).toEqual(Object.keys(whole));
  // Of the same tool, for another site.
  using other = siteOf(SHRINES, { site: 'https://other.example/' });
  other.folder.write({ [DESCRIPTION]: site.folder.read(DESCRIPTION) });
  await expect(other.publish()).rejects.toThrow(/was not written by Tidings/);
});

test('a closed list that is cut or altered is made again byte for byte, whatever else is published', async () => {
  using site = siteOf({ 'index.html': page('Home', '0') }, { listEntries: 2 });
  const edit = (text: string) => site.folder.write({ 'index.html': page('Home', text) });
  for (let build = 1; build <= 5; build += 1) {
    edit(String(build));
    await site.publish();
  }
  const path = 'resourcesync/changelist-1.xml';
  const whole = site.folder.read(path);
  for (const damaged of [whole.slice(0, 200), '', whole.replace('updated', 'deleted').replace('created', 'updated')]) {
    site.folder.write({ [path]: damaged });
    await site.publish();
    expect(site.folder.read(path)).toBe(whole);
    site.folder.write({ [path]: damaged });
    edit(damaged);
    await site.publish({ dumps: damaged === '' });
    expect(site.folder.read(path)).toBe(whole);
  }
});

test('a path with a dot is a folder, unless it is the name of a page', async () => {
  using site = siteOf({ 'index.html': page('Home', 'One.'), 'v1.2/a.html': page('A', 'One.') });
  await site.publish({ collections: [{ path: '/v1.2' }, { path: '/index.html' }] });
  expect(site.document(DESCRIPTION).entries.map((entry) => hrefOf(entry, 'describes'))).toContain(`${SITE}v1.2/`);
  expect(site.document('resourcesync/v1-2/resourcelist.xml').entries).toHaveLength(1);
});

test('what an author has where later documents go is not overwritten either', async () => {
  using site = siteOf({ 'index.html': page('Home', '0'), 'a/x.html': page('X', '0') }, { listEntries: 1 });
  const mine = 'mine';
  site.folder.write({ 'resourcesync/resourcelist-2.xml': mine });
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(site.publish()).rejects.toThrow(/resourcelist-2\.xml was not written by Tidings/);
  }
  expect(site.folder.read('resourcesync/resourcelist-2.xml')).toBe(mine);
  site.folder.remove('resourcesync/resourcelist-2.xml');
  await site.publish();
  const later = [
    ['resourcesync/sitemap.xml', { sitemap: true }],
    ['resourcesync/a/capabilitylist.xml', { collections: [{ path: '/a/' }] }],
  ] as const;
  for (const [path, options] of later) {
    site.folder.write({ [path]: mine });
    await expect(site.publish(options), path).rejects.toThrow(/was not written by Tidings/);
    expect(site.folder.read(path)).toBe(mine);
    site.folder.remove(path);
    await site.publish(options);
  }
});
