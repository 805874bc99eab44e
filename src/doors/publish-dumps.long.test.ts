import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { type DecodedDocument, decodeResourceSync } from '../codecs/resourcesync/decode.ts';
import { type Dump, readDump } from './dump.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';

function page(title: string, text: string): string {
  return htmlPage(title, [{ id: 'one', heading: 'One', text }]);
}

async function dumpSite(folder: TestFolder, options: Partial<PublishOptions> = {}) {
  return await publish({ dir: folder.path, site: SITE, formats: ['resourcesync'], dumps: true, ...options });
}

function listOf(folder: TestFolder, path: string): DecodedDocument {
  const list = decodeResourceSync(folder.read(path));
  if (!list.ok) throw new Error(list.issues[0].message);
  expect(list.value.problems).toEqual([]);
  return list.value;
}

/** Each package that a dump lists, whose hash and length must be true. */
async function packagesOf(folder: TestFolder, path: string): Promise<readonly Dump[]> {
  const dumps: Dump[] = [];
  for (const { loc, md } of listOf(folder, path).entries) {
    const bytes = readFileSync(join(folder.path, loc.slice(SITE.length)));
    expect(md).toMatchObject({
      hash: `sha-256:${hash('sha256', bytes)}`,
      length: bytes.length,
      type: 'application/zip',
    });
    const dump = await readDump(bytes);
    expect(dump.problems).toEqual([]);
    dumps.push(dump);
  }
  return dumps;
}

async function contentOf({ entries }: Dump): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const { loc, md, read } of entries) {
    const bytes = await read();
    content[loc.slice(SITE.length)] = bytes === undefined ? (md.change ?? '') : String(bytes);
  }
  return content;
}

const RESOURCES = 'resourcesync/resourcedump.xml';
const CHANGES = 'resourcesync/changedump.xml';

/** Of the whole site, as its Resource Dump lists them. */
const packagePaths = (folder: TestFolder) => listOf(folder, RESOURCES).entries.map(({ loc }) => loc.slice(SITE.length));

test('the list of a publish that is cut off stays true, and what no list names is gone after the next one', async () => {
  using folder = temporaryFolder();
  const publishText = async (text: string) => {
    folder.write({ 'index.html': page('Home', text) });
    await dumpSite(folder);
  };
  await publishText('a');
  const [[first = ''], list] = [packagePaths(folder), folder.read(RESOURCES)];
  await publishText('b');
  // As if it had ended before its list.
  const newer = folder.read(RESOURCES);
  folder.write({ [RESOURCES]: list });
  expect(await packagesOf(folder, RESOURCES)).toHaveLength(1);
  folder.write({ [RESOURCES]: newer });
  const [second = ''] = packagePaths(folder);
  await publishText('c');
  const packages = Object.keys(folder.fingerprint()).filter((path) => path.includes('/resourcedump-'));
  expect(packages.filter((path) => path.endsWith('.zip'))).toEqual([second, ...packagePaths(folder)].sort());
  expect(packages).toHaveLength(4);
  expect(packages).not.toContain(first);
  await packagesOf(folder, RESOURCES);
});

test('a Resource Dump holds every page as it is served, and the Capability List names the dumps', async () => {
  using folder = temporaryFolder();
  const pages = { 'index.html': page('Home', 'a'), 'guide/index.html': page('Guide', 'b'), 'a b.html': page('C', 'c') };
  folder.write({ ...pages, '404.html': 'none' });
  const report = await dumpSite(folder);

  const [dump, ...more] = await packagesOf(folder, RESOURCES);
  expect(more).toEqual([]);
  expect(dump && (await contentOf(dump))).toEqual({
    '': pages['index.html'],
    'a%20b.html': pages['a b.html'],
    'guide/': pages['guide/index.html'],
  });
  expect(dump?.entries.map(({ file }) => file)).toEqual([
    'resources/index.html',
    'resources/a%20b.html',
    'resources/guide/index.html',
  ]);
  const capabilities = listOf(folder, 'resourcesync/capabilitylist.xml').entries;
  expect(capabilities.map(({ loc, md }) => [md.capability, loc.slice(SITE.length)])).toEqual([
    ['resourcelist', 'resourcesync/resourcelist.xml'],
    ['changelist', 'resourcesync/changelist.xml'],
    ['resourcedump', RESOURCES],
    ['changedump', CHANGES],
  ]);
  expect(report.artifacts).toEqual(expect.arrayContaining([RESOURCES, CHANGES, ...packagePaths(folder)]));
  for (const path of report.artifacts) expect(existsSync(join(folder.path, path)), path).toBe(true);
});

test('the copy of a manifest beside its package is that of the package', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a') });
  await dumpSite(folder);
  const [listed] = listOf(folder, RESOURCES).entries;
  const [path = ''] = packagePaths(folder);
  const copy = path.replace(/zip$/, 'xml');
  expect(listed?.links).toMatchObject([{ rel: 'contents', href: SITE + copy }]);
  const dump = await readDump(join(folder.path, path));
  expect(String(await dump.readManifest())).toBe(folder.read(copy));
});

test('the same pages make the same bytes, and a second publish writes nothing', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a'), 'b.html': page('B', 'b') });
  await dumpSite(folder);
  const before = folder.fingerprint();
  await dumpSite(folder);
  expect(folder.fingerprint()).toEqual(before);
  const [path = ''] = packagePaths(folder);
  folder.remove(path);
  folder.write({ [path.replace(/zip$/, 'xml')]: 'damaged' });
  await dumpSite(folder);
  expect(folder.fingerprint()).toEqual(before);
});

test('a Change Dump has a package for each publish that changed something, which stays as it is', async () => {
  using folder = temporaryFolder();
  const first = { 'index.html': page('Home', 'a'), 'b.html': page('B', 'b') };
  folder.write(first);
  await dumpSite(folder, { dumps: false });
  folder.write({ 'c.html': page('C', 'c'), 'b.html': page('B', 'b, changed') });
  await dumpSite(folder);
  const [one] = listOf(folder, CHANGES).entries;
  const closed = readFileSync(join(folder.path, one?.loc.slice(SITE.length) ?? ''));
  await dumpSite(folder);
  folder.remove('c.html');
  folder.write({ 'index.html': page('Home', 'a, changed') });
  await dumpSite(folder, { allowDeletes: true });
  // Noise: the bytes of the page are others, what it says is not.
  folder.write({ 'b.html': `${page('B', 'b, changed')}<!-- build 2 -->` });
  await dumpSite(folder);

  const dumps = await packagesOf(folder, CHANGES);
  expect(await Promise.all(dumps.map(contentOf))).toEqual([
    { 'b.html': page('B', 'b, changed'), 'c.html': page('C', 'c') },
    { '': page('Home', 'a, changed'), 'c.html': 'deleted' },
  ]);
  expect(dumps.map(({ entries }) => entries.map(({ md }) => md.change))).toEqual([
    ['updated', 'created'],
    ['updated', 'deleted'],
  ]);
  const { md, entries } = listOf(folder, CHANGES);
  expect(entries[0]?.md.from?.startMs).toBe(md.from?.startMs);
  expect(entries[1]?.md.from?.startMs).toBe(entries[0]?.md.until?.startMs);
  for (const dump of dumps) expect(dump.manifest.md.until?.startMs).toBe(dump.entries.at(-1)?.md.datetime?.startMs);
  expect(readFileSync(join(folder.path, one?.loc.slice(SITE.length) ?? ''))).toEqual(closed);
  const [resources] = await packagesOf(folder, RESOURCES);
  expect(resources && (await contentOf(resources))['b.html']).toContain('build 2');
});

test('what publishes without dumps changed is in the next package, as its net effect', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a'), 'b.html': page('B', 'b') });
  await dumpSite(folder);
  folder.write({ 'a.html': page('A', 'a'), 'c.html': page('C', 'c') });
  await dumpSite(folder, { dumps: false });
  folder.write({ 'c.html': page('C', 'c, changed'), 'd.html': page('D', 'd') });
  await dumpSite(folder, { dumps: false });
  folder.remove('d.html');
  folder.write({ 'a.html': page('A', 'a, changed') });
  await dumpSite(folder, { allowDeletes: true });
  const dumps = await packagesOf(folder, CHANGES);
  expect(dumps.map(({ entries }) => entries.map(({ loc, md }) => [loc.slice(SITE.length), md.change]))).toEqual([
    [
      ['b.html', 'created'],
      ['', 'created'],
    ],
    [
      ['c.html', 'created'],
      ['a.html', 'created'],
      ['d.html', 'deleted'],
    ],
  ]);
  expect(dumps[1] && (await contentOf(dumps[1]))['c.html']).toBe(page('C', 'c, changed'));
});

test('packages keep to the limits, and those of old times are brought from where the site is', async () => {
  using folder = temporaryFolder();
  using next = temporaryFolder();
  const pages = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`p${at}.html`, page(`P${at}`, 'text')]));
  folder.write(pages);
  await dumpSite(folder, { dumpBytes: 3000 });
  const resources = await packagesOf(folder, RESOURCES);
  expect(resources.length).toBeGreaterThan(2);
  expect(resources.flatMap(({ entries }) => entries.map(({ loc }) => loc.slice(SITE.length)))).toEqual(
    Object.keys(pages),
  );
  expect((await packagesOf(folder, CHANGES)).length).toBe(resources.length);
  for (const { md } of listOf(folder, RESOURCES).entries) expect(md.length).toBeLessThan(3000);
  await dumpSite(folder, { listEntries: 2 });
  expect(await packagesOf(folder, RESOURCES)).toHaveLength(5);

  next.write({ ...pages, 'p0.html': page('P0', 'other text') });
  await dumpSite(next, { previous: folder.path });
  const changes = await packagesOf(next, CHANGES);
  expect(changes).toHaveLength(resources.length + 1);
  expect(changes.at(-1)?.entries.map(({ loc }) => loc)).toEqual([`${SITE}p0.html`]);
  expect(listOf(folder, CHANGES).entries).toEqual(listOf(next, CHANGES).entries.slice(0, -1));
});

test('a page that is written while the site is published is in the next dumps', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a'), 'b.html': page('B', 'b') });
  const rebuild = () => folder.write({ 'b.html': page('B', 'b, in between') });
  await dumpSite(folder, { onProgress: (done, total) => done === total && rebuild() });
  const locsOf = (dumps: readonly Dump[]) =>
    dumps.map(({ entries }) => entries.map(({ loc }) => loc.slice(SITE.length)));
  expect(locsOf(await packagesOf(folder, RESOURCES))).toEqual([['']]);
  expect(locsOf(await packagesOf(folder, CHANGES))).toEqual([]);
  await dumpSite(folder);
  expect(locsOf(await packagesOf(folder, RESOURCES))).toEqual([['', 'b.html']]);
  const [changes, ...more] = await packagesOf(folder, CHANGES);
  expect(more).toEqual([]);
  expect(changes && (await contentOf(changes))['b.html']).toBe(page('B', 'b, in between'));
  expect(changes?.entries.map(({ md }) => md.change)).toEqual(['created', 'created']);
});

test('behind a package that is lost the Change Dump begins anew', async () => {
  using folder = temporaryFolder();
  for (const text of ['a', 'b', 'c']) {
    folder.write({ 'index.html': page('Home', text) });
    await dumpSite(folder);
  }
  const [, second, third] = listOf(folder, CHANGES).entries;
  folder.remove(second?.loc.slice(SITE.length) ?? '');
  await dumpSite(folder);
  const { md, entries } = listOf(folder, CHANGES);
  expect(entries.map(({ loc }) => loc)).toEqual([third?.loc]);
  expect(md.from?.startMs).toBe(second?.md.until?.startMs);
});

test('pages whose addresses are one name on some disks are all there', async () => {
  using folder = temporaryFolder();
  const pages = { 'A.html': page('A', '1'), 'a.html': page('B', '2'), 'x.html': page('C', '3') };
  folder.write({ ...pages, 'x/index.html': page('D', '4') });
  await dumpSite(folder);
  const [dump] = await packagesOf(folder, RESOURCES);
  expect(dump && (await contentOf(dump))).toEqual({ ...pages, 'x/': page('D', '4') });
});

test('each collection has dumps of its own', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a'), 'blog/one.html': page('One', 'b') });
  await dumpSite(folder, { collections: [{ path: '/blog/' }] });
  const locsOf = async (path: string) =>
    (await packagesOf(folder, path)).map(({ entries }) => entries.map(({ loc }) => loc.slice(SITE.length)));
  expect(await locsOf(RESOURCES)).toEqual([['']]);
  expect(await locsOf('resourcesync/blog/resourcedump.xml')).toEqual([['blog/one.html']]);
  expect(await locsOf('resourcesync/blog/changedump.xml')).toEqual([['blog/one.html']]);
});

test('dumps are refused where they cannot be made', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a') });
  const refused = { name: 'SettingRefusedError', setting: 'dumps' };
  await expect(dumpSite(folder, { formats: ['aicf'] })).rejects.toMatchObject(refused);
  await expect(dumpSite(folder, { dumpBytes: 0 })).rejects.toMatchObject({ setting: 'dump-bytes' });
  const out = join(folder.path, 'out');
  await expect(publish({ url: SITE, out, dumps: true })).rejects.toMatchObject(refused);
  expect(existsSync(out)).toBe(false);
});

test('a publish without dumps no longer offers them', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'a') });
  const offered = async (dumps: boolean) => {
    await dumpSite(folder, { dumps });
    return listOf(folder, 'resourcesync/capabilitylist.xml').entries.map(({ md }) => md.capability);
  };
  expect(await offered(false)).toEqual(['resourcelist', 'changelist']);
  expect(await offered(true)).toContain('changedump');
  expect(await offered(false)).toEqual(['resourcelist', 'changelist']);
});

test('a collection that holds other pages than before begins its Change Dump anew', async () => {
  using folder = temporaryFolder();
  folder.write({ 'index.html': page('Home', 'One.'), 'a/x.html': page('X', 'One.') });
  await dumpSite(folder, { collections: [{ path: '/a/' }] });
  expect(await packagesOf(folder, CHANGES)).toHaveLength(1);
  folder.write({ 'index.html': page('Home', 'Two.') });
  await dumpSite(folder);
  const [dump, ...others] = await packagesOf(folder, CHANGES);
  expect([Object.keys(await contentOf(dump as Dump)), others]).toEqual([[''], []]);
  const { md } = listOf(folder, CHANGES);
  const { entries } = listOf(folder, 'resourcesync/changelist.xml');
  expect(md.from?.startMs).toBe(entries[0]?.md.datetime?.startMs);
  expect(entries.at(-1)?.md.datetime?.startMs).toBeGreaterThan(md.from?.startMs ?? Infinity);
});
