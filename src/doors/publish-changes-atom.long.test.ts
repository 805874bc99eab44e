import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnFreshPort } from '../../test/support/fresh-port.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, type TestSection, temporaryFolder } from '../../test/support/site.ts';
import { validAtom } from '../../test/support/xml-validity.ts';
import { decodeAtomFeed } from '../codecs/atom/decode-feed.ts';
import { takeAtomEntries } from '../codecs/atom/take-entries.ts';
import { ForeignFileError } from '../errors/foreign-file-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { type PublishOptions, publish } from './publish.ts';
import { announceEndpoint, changeSchema, newSigningKey } from './surface.ts';

const SITE = 'https://docs.example/guide/';
const FEED = 'changes.atom';
const HOSTILE = '</title>&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp; ]]&gt; \u202e\u0007"\'';

const limits = (text: string): TestSection => ({ id: 'rate-limits', heading: 'Rate limits', text });
const REST: TestSection[] = [
  { id: 'a', heading: 'A', text: 'The first of them.' },
  { id: 'b', heading: 'B', text: 'The second of them.' },
];

function siteWith(text = '60 requests a minute.'): TestFolder {
  const folder = temporaryFolder();
  folder.write({ 'index.html': htmlPage('Home', []), 'limits.html': htmlPage('Limits', [limits(text), ...REST]) });
  return folder;
}

const edit = (folder: TestFolder, text: string) =>
  folder.write({ 'limits.html': htmlPage('Limits', [limits(text), ...REST]) });
const run = (folder: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ dir: folder.path, site: SITE, formats: ['atom'], ...options });

function feedOf(text: string) {
  const feed = decodeAtomFeed(text);
  if (!feed.ok) throw new Error(feed.issues[0].message);
  return feed.value;
}

function entriesOf(text: string): readonly string[] {
  const entries = takeAtomEntries(text);
  if (!entries.ok) throw new Error(entries.issues[0].message);
  return entries.value;
}

/** As the document has it: markup of the entries is escaped once, texts in it twice. */
function contentOf(text: string): string {
  return entriesOf(text)
    .map((entry) => entry.slice(entry.indexOf('<content')))
    .join('');
}

/** All files that a reader comes to, from the feed on. */
function historyOf(folder: TestFolder): string[] {
  const files = [folder.read(FEED)];
  for (;;) {
    const { prevArchiveUrl } = feedOf(files.at(-1) ?? '');
    if (prevArchiveUrl === undefined) return files;
    files.push(folder.read(prevArchiveUrl.slice(SITE.length)));
  }
}

test('one entry for each publish that changed something, with what a short section said before', async () => {
  using site = siteWith();
  const report = await run(site, { title: 'Example Docs', author: 'Ann', websub: 'https://hub.example/' });
  expect(report.artifacts).toContain(FEED);
  const first = site.read(FEED);
  expect(feedOf(first)).toMatchObject({
    title: 'Changes of Example Docs',
    selfUrl: `${SITE}changes.atom`,
    hubUrls: ['https://hub.example/'],
    items: [{ title: '2 pages to begin with: Home and Limits', url: SITE }],
  });
  expect(first).toContain('<author><name>Ann</name></author>');
  expect(site.read('_headers')).toContain(`/guide/changes.atom\n  Content-Type: application/atom+xml\n`);

  await run(site);
  const [begin] = entriesOf(first);
  expect(entriesOf(site.read(FEED))).toEqual([begin]);
  edit(site, '100 requests a minute.');
  await run(site);
  const [news, ...older] = entriesOf(site.read(FEED));
  expect(older).toEqual([begin]);
  expect(news).toContain(
    '&lt;del&gt;60 requests a minute.&lt;/del&gt; → &lt;ins&gt;100 requests a minute.&lt;/ins&gt;',
  );
  const feed = feedOf(site.read(FEED));
  expect(feed).toMatchObject({
    title: 'Changes of docs.example/guide',
    items: [{ title: '1 page changed: Limits', url: `${SITE}limits.html` }, {}],
  });
  expect(feed.updatedMs).toBe(feed.items[0]?.updatedMs);
});

const ROUNDS = shortOrLong(12, 30);

test(`what is published stays as it is over ${ROUNDS} publishes, in the feed or in its archives`, async () => {
  using site = siteWith();
  const published = new Map<string, string>();
  const archives = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    edit(site, `${round} requests a minute.`);
    await run(site, { atomEntries: 4, title: `Docs ${round}` });
    for (const entry of entriesOf(site.read(FEED))) published.set(entry, `round ${round}`);
    for (const [path, text] of archives) expect(site.read(path)).toBe(text);
    const { prevArchiveUrl = '' } = feedOf(site.read(FEED));
    if (prevArchiveUrl !== '')
      archives.set(prevArchiveUrl.slice(SITE.length), site.read(prevArchiveUrl.slice(SITE.length)));
  }
  const history = historyOf(site);
  expect(published.size).toBe(ROUNDS);
  expect(history.length).toBeGreaterThan(ROUNDS / 3);
  expect(history.flatMap(entriesOf)).toEqual([...published.keys()].reverse());
  expect(history.slice(1).every((text) => feedOf(text).isArchive && feedOf(text).currentUrl === SITE + FEED)).toBe(
    true,
  );
  expect(await validAtom(...history)).toEqual([]);
});

test('a publish that was cut off between an archive and the feed is completed by the next', async () => {
  using site = siteWith();
  for (const number of [1, 2]) {
    edit(site, `${number} requests.`);
    await run(site, { atomEntries: 2 });
  }
  const before = site.read(FEED);
  edit(site, '3 requests.');
  await run(site, { atomEntries: 2 });
  const [feed, archive] = [site.read(FEED), site.read('changes-1.atom')];

  site.write({ [FEED]: before });
  await run(site, { atomEntries: 2 });
  expect(site.read('changes-1.atom')).toBe(archive);
  expect(site.read(FEED)).toBe(feed);

  // Turned on late, or lost altogether: the log knows it all.
  site.remove('changes-1.atom');
  await run(site, { atomEntries: 2 });
  expect(site.read('changes-1.atom')).toBe(archive);
  site.remove('changes-1.atom');
  site.remove(FEED);
  await run(site, { atomEntries: 2 });
  expect([site.read(FEED), site.read('changes-1.atom')]).toEqual([feed, archive]);
});

test('archives that are lost are made again, and no other one changes a byte', async () => {
  using site = siteWith();
  const archives = () => Object.entries(site.fingerprint()).filter(([path]) => /^changes-\d+\.atom$/.test(path));
  for (let round = 0; round < 14; round += 1) {
    edit(site, `${round} requests.`);
    await run(site, { atomEntries: 4 });
  }
  const whole = Object.fromEntries(archives());
  expect(Object.keys(whole)).toHaveLength(5);
  // As an earlier Tidings worded it.
  site.write({ 'changes-2.atom': site.read('changes-2.atom').replaceAll('1 page changed', '1 page was changed') });
  const old = Object.fromEntries(archives());
  expect(old).not.toEqual(whole);
  for (const lost of [[1], [3, 4], [5], [1, 5]]) {
    for (const number of lost) site.remove(`changes-${number}.atom`);
    await run(site, { atomEntries: 4 });
    expect(Object.fromEntries(archives()), `${lost}`).toEqual(old);
  }
  // The feed, which leads to them, is lost, and has another title from now on.
  const feed = entriesOf(site.read(FEED));
  site.remove(FEED);
  await run(site, { atomEntries: 4, title: 'Other' });
  expect(Object.fromEntries(archives())).toEqual(old);
  expect(entriesOf(site.read(FEED))).toEqual(feed);
  // What is empty is lost.
  site.write({ 'changes-2.atom': '' });
  await run(site, { atomEntries: 4, title: 'Other' });
  expect(Object.keys(Object.fromEntries(archives()))).toEqual(Object.keys(whole));
  expect(entriesOf(site.read('changes-2.atom'))).toHaveLength(2);
  site.write({ [FEED]: '' });
  await run(site, { atomEntries: 4, title: 'Other' });
  expect(entriesOf(site.read(FEED))).toEqual(feed);
  // In the place of one that is lost.
  site.write({ 'changes-3.atom': '<feed>mine</feed>' });
  await expect(run(site, { atomEntries: 4 })).rejects.toThrow(ForeignFileError);
});

test('a live site that answers with a page for what it does not have has no feed, list or dump yet', async () => {
  using live = siteWith();
  await run(live, { formats: ['aicf'] });
  const server = createServer(({ url = '' }, response) => {
    const path = url.slice('/guide/'.length);
    const isFile = Object.hasOwn(live.fingerprint(), path);
    const body = isFile ? live.read(path) : '<!doctype html><p>An app.';
    response.writeHead(200, { 'content-type': isFile ? 'text/plain' : 'text/html' }).end(body);
  });
  const port = await listenOnFreshPort(server);
  onTestFinished(() => void server.close());
  const previous = `http://127.0.0.1:${port}/guide/`;
  for (const formats of [['atom'], ['diffdelta'], ['resourcesync']] as const) {
    using fresh = siteWith('6 requests.');
    const dumps = formats[0] === 'resourcesync';
    const { artifacts } = await run(fresh, { formats, dumps, previous, allowPrivate: true });
    expect(artifacts.length).toBeGreaterThan(3);
  }
});

test('--previous is continued, with its archives', async () => {
  using live = siteWith();
  for (const number of [1, 2, 3, 4, 5]) {
    edit(live, `${number} requests.`);
    await run(live, { atomEntries: 2 });
  }
  using fresh = siteWith('6 requests.');
  await run(fresh, { atomEntries: 2, previous: live.path });
  const earlier = historyOf(live);
  expect(historyOf(fresh).flatMap(entriesOf).slice(1)).toEqual(earlier.flatMap(entriesOf));
  expect(fresh.read('changes-1.atom')).toBe(live.read('changes-1.atom'));

  const other = live.read(FEED).replace('5 requests', '7 requests');
  live.write({ [FEED]: other });
  const before = fresh.fingerprint();
  edit(fresh, 'none');
  await expect(run(fresh, { atomEntries: 2, previous: live.path })).rejects.toThrow(
    expect.objectContaining({ name: 'StateContradictionError' }),
  );
  edit(fresh, '6 requests.');
  expect(fresh.fingerprint()).toEqual(before);
});

test('a feed of somebody else is never overwritten', async () => {
  const foreign = '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>urn:x:1</id></feed>';
  for (const path of [FEED, 'changes-1.atom']) {
    using site = siteWith();
    if (path !== FEED) await run(site, { atomEntries: 1 });
    edit(site, 'now');
    site.write({ [path]: foreign });
    const before = site.fingerprint();
    await expect(run(site, { atomEntries: 1 })).rejects.toThrow(ForeignFileError);
    await expect(run(site, { atomEntries: 1 })).rejects.toThrow(/Move it .* leave atom out of --formats/);
    expect(site.fingerprint()).toEqual(before);
    await run(site, { formats: ['aicf'] });
    expect(site.read(path)).toBe(foreign);
  }
  using site = siteWith();
  using out = temporaryFolder();
  site.write({ [FEED]: foreign });
  await expect(run(site, { out: out.path })).rejects.toThrow(ForeignFileError);

  using next = siteWith();
  await expect(run(next, { previous: site.path })).rejects.toThrow(ForeignFileError);
  site.write({ [FEED]: '<!doctype html><html><body>Not found</body></html>' });
  await run(next, { previous: site.path });
  expect(entriesOf(next.read(FEED))).toHaveLength(1);
  await expect(run(site)).rejects.toThrow(ForeignFileError);
});

test('a feed that does not belong to the log is refused', async () => {
  using site = siteWith();
  await run(site);
  site.remove('.well-known/tidings');
  await expect(run(site)).rejects.toThrow(/tells of changes that the log does not have/);
});

test('an entry that an earlier Tidings worded otherwise keeps its words', async () => {
  using site = siteWith();
  await run(site);
  const feed = site.read(FEED).replace('2 pages to begin with', 'Two pages');
  site.write({ [FEED]: feed });
  edit(site, 'now');
  await run(site);
  expect(entriesOf(site.read(FEED))[1]).toBe(entriesOf(feed)[0]);
});

test('a feed that was reformatted on its way is made again', async () => {
  using site = siteWith();
  await run(site);
  const feed = site.read(FEED);
  site.write({ [FEED]: feed.replaceAll('\n', '') });
  await run(site);
  expect(site.read(FEED)).toBe(feed);
});

test.each([{ atomEntries: 0 }, { atomEntries: 1.5 }, { websub: 'javascript:alert(1)' }, { websub: 'hub' }])(
  '%j is refused',
  async (options) => {
    using site = siteWith();
    await expect(run(site, options)).rejects.toThrow(SettingRefusedError);
  },
);

test('hostile pages, pages that go and sections with new names', async () => {
  using site = siteWith();
  const texts: string[] = [];
  const next = async (files: Readonly<Record<string, string>>, options: Partial<PublishOptions> = {}) => {
    site.write(files);
    await run(site, options);
    texts.push(site.read(FEED));
    return feedOf(site.read(FEED)).items[0];
  };
  await next({ 'gone.html': htmlPage('Gone', []), 'bad.html': htmlPage(HOSTILE, [limits(HOSTILE), ...REST]) });
  await next({ 'bad.html': htmlPage(HOSTILE, [limits(`now ${HOSTILE}`), ...REST]) }, { title: HOSTILE });
  expect(entriesOf(site.read(FEED))[0]).toMatch(/&lt;ins&gt;now .*alert\(1\)/);
  expect(contentOf(texts.at(-1) ?? '')).not.toContain('&lt;script');
  for (const character of ['\u202e', '\u0007']) expect(texts.at(-1)).not.toContain(character);

  const renamed = htmlPage('Limits', [{ heading: 'Quota', text: '60 requests a minute.', id: 'quota' }, ...REST]);
  expect((await next({ 'limits.html': renamed }))?.content).toContain('Rate limits → Quota');

  site.remove('gone.html');
  const gone = await next({});
  expect(gone).toMatchObject({ title: '1 page removed: Gone', url: SITE });
  expect(entriesOf(site.read(FEED))[0]).not.toContain('href=&quot;');
  expect(await validAtom(...texts)).toEqual([]);
});

test('what is said of an API is told, too', async () => {
  using site = siteWith();
  using keys = temporaryFolder();
  const key = join(keys.path, 'key.json');
  await newSigningKey({ key });
  const target = { dir: site.path, site: 'https://docs.example/', key };
  const publishAll = () => run(site, { site: 'https://docs.example/' });
  await publishAll();
  const endpoint = 'https://docs.example/api/orders';
  await announceEndpoint(target, { endpointId: 'orders', endpoint, protocol: 'rest', version: '1.0' });
  await changeSchema(target, { endpointId: 'orders', from: '1.0', to: '1.1', migration: { add: ['/currency'] } });
  await publishAll();
  const [item] = feedOf(site.read(FEED)).items;
  expect(item).toMatchObject({ title: '2 API changes: orders 1.0 (rest) and orders 1.1 (rest)' });
  expect(item?.content).toContain('The schema of orders changed from 1.0 to 1.1: /currency added.');
});
