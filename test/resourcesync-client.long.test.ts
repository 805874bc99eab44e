import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../src/doors/publish.ts';
import { clause } from './clause.ts';
import { type Copy, ResourceSyncClient } from './support/resourcesync-client.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';
import { validResourceSync } from './support/xml-validity.ts';

const SITE = 'https://docs.example/';
const COLLECTIONS = [
  { path: '/shrine/', title: 'My shrine', author: 'Ann' },
  { path: '/shrine/inner/' },
  { path: '/gallery/', title: 'Gallery' },
];
const DESCRIBED = [SITE, `${SITE}gallery/`, `${SITE}shrine/`, `${SITE}shrine/inner/`];

/** File → what it says; a new text is a change, a new stamp is noise. */
type Build = Readonly<Record<string, string>>;

const FIRST: Build = {
  'index.html': 'welcome',
  'about.html': 'who we are',
  'shrine/index.html': 'hail',
  'shrine/relics.html': 'a bone',
  'shrine/inner/index.html': 'silence',
  'gallery/index.html': 'three pictures',
  'gallery/a b.html': 'a picture',
  'gallery/é.html': 'another',
};
/** What each build makes different; undefined takes a page away, nothing at all is noise. */
const HISTORY: readonly Record<string, string | undefined>[] = [
  { 'about.html': 'who we were' },
  {},
  { 'shrine/relics.html': 'two bones', 'gallery/é.html': 'another one' },
  { 'shrine/relics.html': undefined, 'shrine/saints.html': 'nine saints' },
  { 'about.html': 'who we are', 'index.html': 'welcome back', 'c.html': 'c', 'd.html': 'd', 'e.html': 'e' },
  {},
  {},
  { 'shrine/relics.html': 'a bone', 'd.html': undefined, 'shrine/inner/index.html': 'a murmur' },
  { 'gallery/index.html': 'four pictures', 'gallery/f&g.html': 'the fourth' },
  { 'gallery/index.html': 'five pictures', 'gallery/a b.html': undefined },
  { 'gallery/a b.html': 'a picture', 'gallery/index.html': 'six pictures', 'c.html': undefined },
  { 'about.html': 'nobody' },
];

clause(
  ['RS-S10', 'RS-S11', 'RS-L11'],
  'a client of ResourceSync copies a published site, follows it and audits its copy',
  async () => {
    using out = temporaryFolder();
    await using server = await serveFolder(out.path);
    const port = Number(new URL(server.url).port);
    const client = new ResourceSyncClient(SITE, port);
    const sleeper = new ResourceSyncClient(SITE, port);

    let texts = FIRST;
    await publishBuild(out, texts, 0);
    const followed = await copies(client);
    const slept = await copies(sleeper);
    expect(Array.from(followed.keys()).sort()).toEqual(DESCRIBED);
    expect(contentOf(followed)).toEqual(contentNow(texts));

    for (const [at, difference] of HISTORY.entries()) {
      const before = listsOf(out);
      texts = next(texts, difference);
      await publishBuild(out, texts, at + 1);
      const isNoise = Object.keys(difference).length === 0;

      const told = await update(client, followed);
      expect(told.map((line) => line.replace(/^\w+ /, '')).sort()).toEqual(Object.keys(difference).map(urlOf).sort());
      expect(contentOf(followed)).toEqual(contentNow(texts));
      if (isNoise) {
        const { changeLists, resourceLists } = listsOf(out);
        expect(changeLists).toEqual(before.changeLists);
        for (const [path, text] of Object.entries(resourceLists)) expect(text).not.toBe(before.resourceLists[path]);
      }
      // Its pages are those of the collections, in their newest bytes: a copy by changes alone may have older noise.
      const fresh = await copies(client);
      expect(contentOf(fresh)).toEqual(contentNow(texts));
      for (const collection of await client.collections()) {
        expect(await client.audit(collection, copyOf(fresh, collection.describes))).toEqual([]);
      }
      if (at % 5 === 4 || at === HISTORY.length - 1) {
        await update(sleeper, slept);
        expect(contentOf(slept)).toEqual(contentNow(texts));
      }
    }

    const newcomer = new ResourceSyncClient(SITE, port);
    await copies(newcomer);
    for (const collection of await newcomer.collections()) await newcomer.changes(collection, 0);
    const read = Array.from(newcomer.documents.values());
    expect(await validResourceSync(...read.map(({ text }) => text))).toEqual([]);
    const changeLists = read.filter(({ document }) => document.md.capability === 'changelist' && !document.isIndex);
    expect(changeLists.length).toBeGreaterThan(DESCRIBED.length + 3);
    for (const { text, document } of changeLists) {
      expect(document.entries.length).toBeLessThanOrEqual(3);
      expect(text).not.toMatch(/hash=|length=/);
    }
    expect(read.some(({ document }) => document.md.capability === 'resourcelist' && document.isIndex)).toBe(true);
    for (const { text } of read) await expectResolvable(newcomer, text);
  },
);

test('a build with the same bytes rewrites nothing', async () => {
  using out = temporaryFolder();
  await publishBuild(out, FIRST, 0);
  // The second one lets DiffDelta say that nothing changed.
  await publishBuild(out, FIRST, 0);
  const before = written(out);
  await publishBuild(out, FIRST, 0);
  expect(written(out)).toEqual(before);
  expect(Object.keys(before).filter((path) => path.includes('resourcesync')).length).toBeGreaterThan(9);
});

test('noise rewrites hash, length, lastmod and time of the Resource List, and of its page alone', async () => {
  using out = temporaryFolder();
  await using server = await serveFolder(out.path);
  const client = new ResourceSyncClient(SITE, Number(new URL(server.url).port));
  const resources = async () => {
    await copies(client);
    const { document } = client.documents.get(`${SITE}resourcesync/resourcelist.xml`) ?? expect.unreachable();
    return document;
  };
  const texts = { 'index.html': 'welcome', 'about.html': 'who we are' };
  await publishBuild(out, texts, 0, []);
  const before = await resources();
  const about = out.read('about.html');
  await publishBuild(out, texts, 10_000, []);
  out.write({ 'about.html': about });
  await publish({ dir: out.path, site: SITE });
  const after = await resources();

  const entryOf = (document: typeof before, loc: string) => document.entries.find((entry) => entry.loc === loc);
  const [old, renewed] = [entryOf(before, SITE), entryOf(after, SITE)];
  expect(renewed?.md.hash).not.toBe(old?.md.hash);
  expect(Number(renewed?.md.length)).toBe(Number(old?.md.length) + 4);
  expect(Date.parse(renewed?.lastmod ?? '')).toBeGreaterThan(Date.parse(old?.lastmod ?? ''));
  expect(Date.parse(after.md.at ?? '')).toBeGreaterThan(Date.parse(before.md.at ?? ''));
  const { md } = entryOf(after, `${SITE}about.html`) ?? expect.unreachable();
  expect(md).toEqual(entryOf(before, `${SITE}about.html`)?.md);
});

test('a client that does not find what it was promised says so', async () => {
  using out = temporaryFolder();
  await using server = await serveFolder(out.path);
  const client = new ResourceSyncClient(SITE, Number(new URL(server.url).port));
  await publishBuild(out, FIRST, 0);
  const [collection = expect.unreachable()] = await client.collections();
  const copy = await client.baseline(collection);
  out.write({ 'about.html': htmlPage('Other', []) });
  await expect(client.baseline(collection)).rejects.toThrow(/about\.html: length/);
  copy.resources.set(`${SITE}about.html`, Buffer.from(''));
  copy.resources.set(`${SITE}never.html`, Buffer.from(''));
  copy.resources.delete(SITE);
  expect(await client.audit(collection, copy)).toHaveLength(3);
});

async function publishBuild(out: TestFolder, texts: Build, stamp: number, collections = COLLECTIONS): Promise<void> {
  for (const name of Object.keys(out.fingerprint())) if (name.endsWith('.html')) out.remove(name);
  const html = ([name, text]: [string, string]) =>
    htmlPage(name, [{ id: 'text', heading: 'Text', text }]).replace(
      '<head>',
      `<head><meta name="build" content="${stamp}">`,
    );
  out.write(Object.fromEntries(Object.entries(texts).map((page) => [page[0], html(page)])));
  await publish({ dir: out.path, site: SITE, collections, listEntries: 3, allowDeletes: true });
}

function next(texts: Build, difference: Record<string, string | undefined>): Build {
  const all = Object.entries({ ...texts, ...difference });
  return Object.fromEntries(all.filter((page): page is [string, string] => page[1] !== undefined));
}

/** A first copy of each collection. */
async function copies(client: ResourceSyncClient): Promise<Map<string, Copy>> {
  const all = new Map<string, Copy>();
  for (const collection of await client.collections()) {
    all.set(collection.describes, await client.baseline(collection));
  }
  return all;
}

async function update(client: ResourceSyncClient, all: ReadonlyMap<string, Copy>): Promise<string[]> {
  const told: string[] = [];
  for (const collection of await client.collections()) {
    told.push(...(await client.incremental(collection, copyOf(all, collection.describes))));
  }
  return told;
}

function copyOf(all: ReadonlyMap<string, Copy>, describes: string): Copy {
  return all.get(describes) ?? expect.unreachable(`no copy of ${describes}`);
}

/** Without the stamp, which is no content. */
function contentOf(all: ReadonlyMap<string, Copy>): Record<string, string> {
  const pages: Record<string, string> = {};
  for (const [describes, { resources }] of all) {
    for (const [url, body] of resources) {
      expect(DESCRIBED.filter((base) => url.startsWith(base)).at(-1)).toBe(describes);
      pages[url] = /<p>([^<]*)<\/p>\n<\/main>/.exec(body.toString())?.[1] ?? '';
    }
  }
  return pages;
}

function contentNow(texts: Build): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [urlOf(name), text]));
}

function urlOf(name: string): string {
  return new URL(name.replace(/(^|\/)index\.html$/, '$1'), SITE).href;
}

function listsOf(out: TestFolder): { changeLists: Record<string, string>; resourceLists: Record<string, string> } {
  const read = (kind: string) => {
    const paths = Object.keys(out.fingerprint()).filter(
      (path) => path.startsWith('resourcesync/') && path.includes(kind),
    );
    return Object.fromEntries(paths.map((path) => [path, out.read(path)]));
  };
  return { changeLists: read('changelist'), resourceLists: read('resourcelist') };
}

/** Every file but the pages, with what tells that it was written. */
function written(out: TestFolder): Record<string, string> {
  const files = readdirSync(out.path, { recursive: true, encoding: 'utf8' })
    .map((path) => [path, statSync(join(out.path, path))] as const)
    .filter(([path, stats]) => stats.isFile() && !path.endsWith('.html'));
  return Object.fromEntries(files.map(([path, { ino, mtimeMs }]) => [path, `${ino} ${mtimeMs}`]));
}

/** All that documents point to, but for pages in Change Lists, which may be gone by now. */
async function expectResolvable(client: ResourceSyncClient, text: string): Promise<void> {
  const isChangeList = /<urlset/.test(text) && /capability="changelist"/.test(text.split('<url>')[0] ?? '');
  const links = text.matchAll(isChangeList ? /<rs:ln rel="(?:up|index)" href="([^"]*)"/g : /(?:href="|<loc>)([^"<]*)/g);
  for (const [, address = ''] of links) {
    const { status } = await client.get(address.replaceAll('&amp;', '&'));
    expect([address, status]).toEqual([address, 200]);
  }
}
