import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FeedConfig } from '../src/hub/config/source-config.ts';
import { openVisitLab, type VisitLab } from './support/hub-visits.ts';
import { type LiveSite, startLiveSite } from './support/live-site.ts';

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const documentOf = (capability: string, entries: string, head = '', root = 'urlset') =>
  `<?xml version="1.0" encoding="UTF-8"?><${root} ${NAMESPACES}>${head}<rs:md capability="${capability}"${
    capability === 'changelist' ? ' from="2026-01-01T00:00:00Z"' : ''
  }/>${entries}</${root}>`;
const changeOf = (loc: string, change: string, datetime: string) =>
  `<url><loc>${loc}</loc><rs:md change="${change}" datetime="${datetime}"/></url>`;

/** A site of two collections, `/one/` and `/two/`. */
async function startCollections(): Promise<LiveSite> {
  const site = await startLiveSite();
  const { url } = site;
  const lists = ['one', 'two'].map(
    (name) =>
      `<url><loc>${url}${name}/capabilitylist.xml</loc><rs:md capability="capabilitylist"/><rs:ln rel="describes" href="${url}${name}/"/></url>`,
  );
  site.put({ '/.well-known/resourcesync': documentOf('description', lists.join('')) });
  for (const name of ['one', 'two']) {
    const head = `<rs:ln rel="up" href="${url}.well-known/resourcesync"/><rs:ln rel="describes" href="${url}${name}/"/>`;
    const entry = `<url><loc>${url}${name}/changelist.xml</loc><rs:md capability="changelist"/></url>`;
    site.put({ [`/${name}/capabilitylist.xml`]: documentOf('capabilitylist', entry, head) });
  }
  tell(site, 'one', ['a created 2026-03-01T10:00:00Z']);
  tell(site, 'two', ['b created 2026-03-01', 'c updated 2026-03-02T00:00:00+02:00']);
  return site;
}

function tell(site: LiveSite, name: string, changes: readonly string[]): void {
  const entries = changes.map((line) => {
    const [path = '', change = '', datetime = ''] = line.split(' ');
    return changeOf(/^https?:/.test(path) ? path : `${site.url}${name}/${path}`, change, datetime);
  });
  const head = `<rs:ln rel="up" href="${site.url}${name}/capabilitylist.xml"/>`;
  site.put({ [`/${name}/changelist.xml`]: documentOf('changelist', entries.join(''), head) });
}

const configOf = ({ url }: LiveSite, extra: Partial<FeedConfig> = {}): FeedConfig => ({
  id: 'shrine',
  kind: 'feed',
  dialect: 'resourcesync',
  url,
  ...extra,
});
const tales = (lab: VisitLab, site: LiveSite) => lab.told(site.url).sort();

test('every collection is told once, and then only what is new, also late and of the same day', async () => {
  await using site = await startCollections();
  await using lab = await openVisitLab(configOf(site));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 3, notes: [] });
  expect(lab.commits, 'one for each collection').toBe(2);
  expect(tales(lab, site)).toEqual(['create /one/a', 'create /two/b', 'update /two/c']);
  const [first] = lab.log.filter(({ url }) => url.endsWith('/c'));
  expect(first).toMatchObject({
    source: 'shrine',
    claimedTime: '2026-03-01T22:00:00Z',
    provenance: { by: 'resourcesync', collection: `${site.url}two/`, originId: expect.any(String) },
  });
  const { commits } = lab;
  lab.advance(86_400_000);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.commits, 'nothing is written where nothing is new').toBe(commits);

  tell(site, 'two', [
    'b created 2026-03-01',
    'd created 2026-03-01',
    'c updated 2026-03-02T00:00:00+02:00',
    'b deleted 2026-02-01',
  ]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(tales(lab, site)).toEqual(['create /two/d', 'delete /two/b']);
  expect(lab.commits, 'one for the collection with news').toBe(commits + 1);
});

test('a collection that cannot be read is noted and read later; the other one is told meanwhile', async () => {
  await using site = await startCollections();
  await using lab = await openVisitLab(configOf(site));
  site.put({ '/two/changelist.xml': '<!doctype html><html><p>Oops</p></html>' });
  expect(await lab.visit()).toMatchObject({
    is: 'read',
    changes: 1,
    unread: 1,
    notes: [expect.stringContaining('/two/')],
  });
  expect(tales(lab, site)).toEqual(['create /one/a']);
  tell(site, 'two', ['b created 2026-03-01']);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: [] });
  expect(tales(lab, site)).toEqual(['create /two/b']);
});

test('where nothing can be read the check fails, changes nothing, and loses nothing', async () => {
  await using site = await startCollections();
  await using lab = await openVisitLab(configOf(site));
  await lab.visit();
  tell(site, 'one', ['a created 2026-03-01T10:00:00Z', 'e updated 2026-03-03T10:00:00Z']);
  const description = site.served.get('/.well-known/resourcesync') ?? '';
  for (const answer of ['<urlset>', { status: 503 }, '<!doctype html><p>Hello']) {
    site.put({ '/.well-known/resourcesync': answer });
    expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
    lab.advance(3600_000);
  }
  site.put({ '/.well-known/resourcesync': description });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.log.filter(({ url }) => url.endsWith('/e'))).toHaveLength(1);
});

test('pages on other sites are left out with a note, and filters count', async () => {
  await using site = await startCollections();
  tell(site, 'one', ['https://other.example/x deleted 2026-03-01', 'a created 2026-03-01']);
  await using lab = await openVisitLab(configOf(site, { exclude: ['/two/b'] }));
  expect(await lab.visit()).toMatchObject({ changes: 2, notes: [expect.stringContaining('on other sites')] });
  expect(tales(lab, site)).toEqual(['create /one/a', 'update /two/c']);
  const { commits } = lab;
  const note = `${site.url}one/: 1 change of pages on other sites left out so far.`;
  expect(await lab.visit(), 'the next check says it, too').toMatchObject({ changes: 0, notes: [note] });
  expect(lab.commits).toBe(commits);
});

test('a test of the source says what is there, also by the address of a Source Description, packed', async () => {
  await using site = await startCollections();
  const description = site.served.get('/.well-known/resourcesync');
  site.put({ '/else/description.xml.gz': gzipSync(String(description)) });
  await using lab = await openVisitLab(configOf(site));
  for (const path of ['', '.well-known/resourcesync', 'else/description.xml.gz']) {
    expect(await lab.test(configOf(site, { url: `${site.url}${path}` }))).toMatchObject({
      is: 'read',
      notes: [
        expect.stringContaining('ResourceSync with 2 collections'),
        `${site.url}one/: 1 change, the newest of 2026-03-01T10:00:00Z`,
        expect.stringContaining('2 changes'),
      ],
    });
  }
  site.remove('/.well-known/resourcesync');
  expect(await lab.test(configOf(site))).toMatchObject({ is: 'failed' });
});
