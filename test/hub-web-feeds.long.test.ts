import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FeedConfig } from '../src/hub/config/source-config.ts';
import { openVisitLab, type VisitLab } from './support/hub-visits.ts';
import { type LiveSite, startLiveSite } from './support/live-site.ts';

interface Post {
  readonly id: string;
  readonly url?: string;
  readonly title?: string;
  readonly text?: string;
  readonly updated?: string;
}

const DATE = '2026-03-01T12:00:00Z';

const entryOf = ({ id, url, title = `Title ${id}`, text = `Text of ${id}.`, updated = DATE }: Post) =>
  `<entry><id>${id}</id><title>${title}</title><updated>${updated}</updated>${
    url === undefined ? '' : `<link href="${url.replaceAll('&', '&amp;')}"/>`
  }<content type="html">&lt;p&gt;${text}&lt;/p&gt;</content></entry>`;
const atom = (posts: readonly Post[], head = '') =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:fh="http://purl.org/syndication/history/1.0">
  <id>urn:feed</id><title>Blog</title><updated>${DATE}</updated>${head}${posts.map(entryOf).join('')}</feed>`;
const rss = (items: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`;

async function labOf(site: LiveSite, path = 'feed.xml', extra: Partial<FeedConfig> = {}): Promise<VisitLab> {
  return await openVisitLab({ id: 'blog', kind: 'feed', dialect: 'atom', url: `${site.url}${path}`, ...extra });
}

const post = (site: LiveSite, id: string, extra: Partial<Post> = {}): Post => ({
  id,
  url: `${site.url}${id}`,
  ...extra,
});

test('items are told once, then only what is new or says something else; a moved date and a short window are no change', async () => {
  await using site = await startLiveSite();
  site.put({ '/feed.xml': atom([post(site, 'b'), post(site, 'a')]) });
  await using lab = await labOf(site);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2, notes: [] });
  expect(lab.told(site.url)).toEqual(['create /a', 'create /b']);
  expect(lab.log[0]).toMatchObject({
    source: 'blog',
    title: 'Title a',
    excerpt: 'Text of a.',
    claimedTime: DATE,
    provenance: { by: 'atom', originId: 'a' },
  });

  const { commits } = lab;
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.commits).toBe(commits);
  expect(site.takeRequests().at(-1)).toBe('304 /feed.xml');

  site.put({ '/feed.xml': atom([post(site, 'b', { updated: '2026-03-09T00:00:00Z' }), post(site, 'a')]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });

  site.put({ '/feed.xml': atom([post(site, 'c'), post(site, 'b', { text: 'It was corrected.' })]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 2 });
  expect(lab.told(site.url).sort()).toEqual(['create /c', 'update /b']);
  site.put({ '/feed.xml': atom([post(site, 'c')]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
});

test('RSS and JSON Feed are read by what they are, whatever dialect was said', async () => {
  await using site = await startLiveSite();
  const item = `<item><title>One</title><link>${site.url}one</link><description>First.</description></item>`;
  site.put({ '/feed.xml': rss(['<ttl>90</ttl>', item]) });
  await using lab = await labOf(site);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, freshMs: 90 * 60_000 });
  site.put({ '/feed.xml': rss([item.replace('First.', 'Second.')]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url)).toEqual(['create /one', 'update /one']);
  expect(lab.log.map(({ provenance }) => provenance.by)).toEqual(['rss', 'rss']);

  const items = [{ id: '1', url: `${site.url}j`, title: 'J', content_text: 'Said in JSON.' }];
  site.put({ '/feed.json': JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'F', items }) });
  await using json = await labOf(site, 'feed.json', { dialect: 'rss' });
  expect(await json.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(json.log[0]).toMatchObject({ excerpt: 'Said in JSON.', provenance: { by: 'json-feed', originId: '1' } });
});

test('ids that change with every answer, with the scheme or with a campaign are no news', async () => {
  await using site = await startLiveSite();
  const url = `${site.url}a`;
  const at = (posts: readonly Post[]) => site.put({ '/feed.xml': atom(posts) });
  at([{ id: 'x1', url, title: 'A', text: 'Same.' }]);
  await using lab = await labOf(site);
  await lab.visit();
  for (const id of ['x2', 'x3']) {
    at([{ id, url: `${url}?utm_source=${id}`, title: 'A', text: 'Same.' }]);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  }
  at([{ id: 'x4', url, title: 'A', text: 'Other.' }]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  at([{ id: 'x5', url, title: 'A', text: 'Other.' }]);
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  expect(lab.told(site.url)).toEqual(['create /a', 'update /a']);

  // Two items at one address are two, whatever their ids are at the next look.
  at([
    { id: 'y1', url, title: 'A', text: 'Other.' },
    { id: 'y2', url, title: 'A', text: 'A second one.' },
  ]);
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  at([
    { id: 'z2', url, title: 'A', text: 'A second one.' },
    { id: 'z1', url, title: 'A', text: 'Other.' },
  ]);
  expect(await lab.visit()).toMatchObject({ changes: 0 });
});

test('where one id stands for several items, their addresses tell them apart; of two versions the newer counts', async () => {
  await using site = await startLiveSite();
  const same = (path: string): Post => post(site, path, { id: 'all', title: path, text: path });
  site.put({ '/feed.xml': atom([same('a')]) });
  await using lab = await labOf(site);
  await lab.visit();
  site.put({ '/feed.xml': atom([same('c'), same('b'), same('a')]) });
  expect(await lab.visit()).toMatchObject({ changes: 2 });
  site.put({ '/feed.xml': atom([{ ...same('b'), text: 'New.' }, same('c')]) });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
  expect(lab.told(site.url)).toEqual(['create /a', 'create /b', 'create /c', 'update /b']);

  const newer = post(site, 'v', { text: 'Newer.', updated: '2026-04-01T00:00:00Z' });
  site.put({ '/two.xml': atom([post(site, 'v'), newer]) });
  await using two = await labOf(site, 'two.xml');
  expect(await two.visit()).toMatchObject({ changes: 1 });
  expect(two.log[0]?.excerpt).toBe('Newer.');
});

test('an id that is an address stays one when its site moves to https', async () => {
  await using site = await startLiveSite();
  site.put({ '/feed.xml': atom([{ id: 'http://blog.example/?p=1', url: 'http://blog.example/a' }]) });
  await using lab = await labOf(site);
  await lab.visit();
  const moved = { id: 'https://blog.example/?p=1', url: 'https://blog.example/a' };
  site.put({
    '/feed.xml': atom([
      { ...moved, title: 'Title http://blog.example/?p=1', text: 'Text of http://blog.example/?p=1.' },
    ]),
  });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
  site.put({ '/feed.xml': atom([{ ...moved, title: 'New', text: 'And new.' }]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told('https://blog.example/')).toEqual(['create http://blog.example/a', 'update /a']);
});

test('an item without an address stands on the page of its feed, under an anchor of its own', async () => {
  await using site = await startLiveSite();
  const page = `<link rel="alternate" href="${site.url}blog"/>`;
  site.put({ '/feed.xml': atom([{ id: 'n1' }, { id: 'n2' }], page) });
  await using lab = await labOf(site);
  expect(await lab.visit()).toMatchObject({ changes: 2 });
  for (const line of lab.told(site.url)) expect(line).toMatch(/^create \/blog#item-[0-9a-f]{12}$/);
  site.put({ '/feed.xml': atom([{ id: 'n3' }, { id: 'n2' }], page) });
  expect(await lab.visit()).toMatchObject({ changes: 1 });
});

test('an RSS item without guid and link is the one with its title, whatever its date; of several with one title the text tells', async () => {
  await using site = await startLiveSite();
  const item = (text: string, day: number, title = 'Outage') =>
    `<item><title>${title}</title><description>${text}</description><pubDate>0${day} Mar 2026 12:00:00 GMT</pubDate></item>`;
  const visitWith = async (...items: string[]) => {
    site.put({ '/feed.xml': rss(items) });
    const outcome = await lab.visit();
    return outcome.is === 'read' ? outcome.changes : outcome;
  };
  site.put({ '/feed.xml': rss([item('Disks.', 1)]) });
  await using lab = await labOf(site);
  await lab.visit();
  expect(await visitWith(item('Disks.', 2)), 'a moved date').toBe(0);
  expect(await visitWith(item('All disks.', 2)), 'another text').toBe(1);
  expect(await visitWith(item('Network.', 3), item('All disks.', 2)), 'a second one').toBe(1);
  expect(await visitWith(item('Network.', 4), item('All disks.', 4))).toBe(0);
  expect(await visitWith(item('Network.', 4)), 'the first one became old').toBe(0);
  expect(lab.log.map(({ action }) => action)).toEqual(['create', 'update', 'create']);
  expect(new Set(lab.log.map(({ anchor }) => anchor)).size).toBe(2);
  expect(await visitWith(item('No title.', 1, ''), item('Network.', 4))).toBe(1);
  expect(await visitWith(item('No title.', 5, ''), item('Network.', 4))).toBe(0);
});

test.each<[string, string | { status: number }, RegExp]>([
  ['a page of HTML', '<!doctype html><html><body><p>Welcome</p></body></html>', /is no feed/],
  ['an empty feed', atom([]), /holds no item, where earlier there were some/],
  ['nothing', '', /is no feed/],
  ['a feed that breaks off', atom([{ id: 'a', url: 'https://a.example/' }]).slice(0, -40), /is no feed/],
  ['410', { status: 410 }, /gone for good \(410\)/],
  ['500', { status: 500 }, /status 500/],
])('%s in place of a feed fails and changes nothing', async (_, answer, message) => {
  await using site = await startLiveSite();
  const before = atom([post(site, 'a')]);
  site.put({ '/feed.xml': before });
  await using lab = await labOf(site);
  await lab.visit();
  site.put({ '/feed.xml': answer });
  expect(await lab.visit()).toMatchObject({
    is: 'failed',
    changes: 0,
    error: { code: 'FeedUnreadableError', message: expect.stringMatching(message) },
  });
  site.put({ '/feed.xml': before });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
});

test('a page that names its feed is refused with the address to give', async () => {
  await using site = await startLiveSite();
  const link = '<link href="/blog/feed?a=1&amp;b=2" type="application/rss+xml" rel=\'alternate\' title="Blog">';
  site.put({ '/': `<!doctype html><html><head><link rel=icon href=x.png>${link}</head><p>Hello</p></html>` });
  await using lab = await labOf(site, '');
  const message = expect.stringContaining(`names the feed ${site.url}blog/feed?a=1&b=2: give that address.`);
  expect(await lab.visit()).toMatchObject({ is: 'failed', error: { message } });
});

test('what came and went between two checks is read from the pages behind, and nothing that was before the first', async () => {
  await using site = await startLiveSite();
  const dated = (id: string, day: number) =>
    post(site, id, { updated: `2026-03-${String(day).padStart(2, '0')}T00:00:00Z` });
  const next = (path: string) => `<link rel="next" href="${site.url}${path}"/>`;
  site.put({ '/feed.xml': atom([dated('c', 3), dated('b', 2)], next('2')), '/2': atom([dated('a', 1)]) });
  await using lab = await labOf(site);
  expect(await lab.visit()).toMatchObject({ changes: 2 });
  site.put({
    '/feed.xml': atom([dated('g', 7), dated('f', 6)], next('2')),
    '/2': atom([dated('e', 5), dated('d', 4)], next('3')),
    '/3': atom([dated('c', 3), dated('b', 2), dated('a', 1)], next('4')),
  });
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 4, notes: [] });
  expect(lab.told(site.url).slice(2)).toEqual(['create /d', 'create /e', 'create /f', 'create /g']);
  expect(site.takeRequests()).toEqual(['200 /feed.xml', '200 /2', '200 /3']);

  site.put({ '/feed.xml': atom([dated('z', 20)]) });
  const outcome = await lab.visit();
  expect(outcome).toMatchObject({ changes: 1, notes: [expect.stringMatching(/nothing in it was there/)] });
});

test('a page behind that fails for now is waited for; one that is not there is a gap that is told', async () => {
  await using site = await startLiveSite();
  site.put({ '/feed.xml': atom([post(site, 'a'), post(site, 'b')]) });
  await using lab = await labOf(site);
  await lab.visit();
  site.put({
    '/feed.xml': atom([post(site, 'c')], `<link rel="prev-archive" href="${site.url}old"/>`),
    '/old': { status: 500 },
  });
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0 });
  site.remove('/old');
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1, notes: [expect.stringMatching(/is not known/)] });
  expect(lab.told(site.url)).toEqual(['create /b', 'create /a', 'create /c']);
});

test('a chain of pages without an end is followed for twenty documents, and never to another host', async () => {
  await using site = await startLiveSite();
  site.put({ '/feed.xml': atom([post(site, 'a'), post(site, 'b')]) });
  await using lab = await labOf(site);
  await lab.visit();
  const page = (number: number) => `<link rel="next" href="${site.url}p${number + 1}"/>`;
  for (let number = 0; number < 40; number += 1) {
    site.put({ [`/p${number}`]: atom([post(site, `n${number}`)], page(number)) });
  }
  site.put({ '/feed.xml': atom([post(site, 'new')], page(-1)) });
  site.takeRequests();
  expect(await lab.visit()).toMatchObject({ changes: 21, notes: [expect.stringMatching(/20 documents/)] });
  expect(site.takeRequests()).toHaveLength(21);
  site.put({ '/feed.xml': atom([post(site, 'newer')], '<link rel="next" href="http://127.0.0.2:1/"/>') });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
});

test('of a feed that is complete, what is gone is deleted; too much of it waits for a person', async () => {
  await using site = await startLiveSite();
  const names = Array.from({ length: 40 }, (_, number) => `n${number}`);
  const at = (ids: readonly string[]) =>
    site.put({
      '/feed.xml': atom(
        ids.map((id) => post(site, id)),
        '<fh:complete/>',
      ),
    });
  at(names);
  await using lab = await labOf(site);
  await lab.visit();
  at(names.slice(1));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url).at(-1)).toBe('delete /n0');
  at(names.slice(20));
  expect(await lab.visit()).toMatchObject({ is: 'failed', changes: 0, error: { code: 'SafetyStopError' } });
  expect(await lab.visit({ allowDeletes: true })).toMatchObject({ is: 'read', changes: 19 });
  at(names.slice(19));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(site.url).at(-1)).toBe('create /n19');

  // An answer that does not say that it is complete says nothing of what is gone, and makes nothing forgotten.
  site.put({ '/feed.xml': atom(['m0', ...names.slice(21)].map((id) => post(site, id))) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
  at(names.slice(21));
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 3 });
  expect(lab.told(site.url).slice(-3).sort()).toEqual(['delete /m0', 'delete /n19', 'delete /n20']);
});

test('encodings: what the server says, what the document says, and gzip without a word', async () => {
  await using site = await startLiveSite();
  // The bytes 0x93 and 0x94 are quotes in what the web calls ISO-8859-1.
  const text = atom([post(site, 'a', { title: '\x93Käse\x94' })]).replace(
    '<?xml version="1.0"?>',
    '<?xml version="1.0" encoding="iso-8859-1"?>',
  );
  const latin = Buffer.from(text, 'latin1');
  site.put({ '/feed.xml': latin, '/feed.xml.gz': gzipSync(latin) });
  for (const path of ['feed.xml', 'feed.xml.gz']) {
    await using lab = await labOf(site, path);
    expect(await lab.visit()).toMatchObject({ is: 'read', changes: 1 });
    expect(lab.log[0]?.title).toBe('“Käse”');
  }
});

test('filters, freshness, a move for good, and what a test of the source says', async () => {
  await using site = await startLiveSite();
  site.put({
    '/old.xml': { status: 301, headers: { location: '/feed.xml' } },
    '/feed.xml': {
      status: 200,
      headers: { 'content-type': 'application/atom+xml', 'cache-control': 'max-age=7200' },
      body: atom([post(site, 'docs/a'), post(site, 'blog/b')]),
    },
  });
  await using lab = await labOf(site, 'old.xml', { include: ['/docs/'] });
  expect(await lab.visit()).toMatchObject({
    is: 'read',
    changes: 1,
    freshMs: 7_200_000,
    notes: [expect.stringContaining('has moved for good')],
  });
  const config: FeedConfig = { id: 'x', kind: 'feed', dialect: 'atom', url: `${site.url}feed.xml` };
  expect(await lab.test(config)).toMatchObject({
    is: 'read',
    notes: [expect.stringMatching(/an Atom feed with 2 items; the first is "Title docs\/a" of 2026-03-01/)],
  });
});

test('a mirror of a feed tells what the feed has not told, and nothing twice', async () => {
  await using site = await startLiveSite();
  site.put({ '/feed.xml': atom([post(site, 'a')]), '/mirror.xml': atom([post(site, 'b'), post(site, 'a')]) });
  await using lab = await labOf(site, 'feed.xml', { fallbacks: [`${site.url}mirror.xml`] });
  await lab.visit();
  site.remove('/feed.xml');
  expect(await lab.visit()).toMatchObject({ is: 'read', fallback: 0, changes: 1 });
  site.put({ '/feed.xml': atom([post(site, 'b'), post(site, 'a')]) });
  expect(await lab.visit()).toMatchObject({ is: 'read', changes: 0 });
});
