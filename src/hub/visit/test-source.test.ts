import { expect, test } from 'vitest';
import { openVisitLab } from '../../../test/support/hub-visits.ts';
import { linking, pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { startPublisher } from '../../../test/support/publisher.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { SourceConfig } from '../config/source-config.ts';

const names = (count: number) => Array.from({ length: count }, (_, number) => `p${number}`);

/** What a trial says; nothing may be written by it. */
async function tried(config: SourceConfig) {
  await using lab = await openVisitLab(config);
  const outcome = await lab.test(config);
  expect(lab.commits).toBe(0);
  return outcome;
}

test('a folder says how many pages it has', async () => {
  using folder = temporaryFolder();
  folder.write({ 'a.html': pageOf('A'), 'b.html': pageOf('B'), 'blog/c.html': pageOf('C') });
  const config = {
    id: 'docs',
    kind: 'folder',
    path: folder.path,
    site: 'https://docs.example/',
    exclude: ['/blog/'],
  } as const;
  expect(await tried(config)).toMatchObject({
    is: 'read',
    changes: 0,
    pages: 2,
    notes: [expect.stringContaining('2 pages')],
  });
  expect(await tried({ ...config, path: `${folder.path}/none` })).toMatchObject({
    is: 'failed',
    error: { code: 'FolderError' },
  });
  expect(await tried({ ...config, include: ['/none'] })).toMatchObject({ is: 'failed' });
});

test('a site says what its sitemap lists, reads three pages at most, and whether it has a feed', async () => {
  await using site = await startLiveSite(Object.fromEntries(names(24).map((name) => [`/${name}`, pageOf(name)])));
  site.put({
    '/sitemap.xml': sitemapOf(site.url, names(24)),
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}f.ndjson` }),
  });
  const outcome = await tried({ id: 'live', kind: 'site', url: site.url });
  expect(outcome).toMatchObject({ is: 'read', pages: 24, unread: 0 });
  const notes = outcome.is === 'read' ? outcome.notes : [];
  expect(notes[0]).toBe('24 pages by sitemap');
  expect(notes.at(-1)).toContain('It offers an AI Changefeed');
  expect(site.takeRequests().filter((request) => request.includes('/p'))).toHaveLength(3);
});

test('a site that is followed by the best way says which that is', async () => {
  await using publisher = await startPublisher();
  publisher.publish(publisher.event('1'));
  const fed = await tried({ id: 'any', kind: 'auto', url: `${publisher.origin}/` });
  expect(fed).toMatchObject({ is: 'read', notes: [expect.stringContaining('read by aicf: an AI Changefeed')] });
  await using site = await startLiveSite({ '/': pageOf('Home'), '/a': pageOf('A') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  const bare = await tried({ id: 'any', kind: 'auto', url: site.url });
  expect(bare).toMatchObject({ is: 'read', pages: 2 });
  expect(bare.is === 'read' && bare.notes).toContain('no feed that can be read: followed by its pages');
});

test('a site without a sitemap says how many links its first page has', async () => {
  await using site = await startLiveSite({
    '/': linking('Home', 'a', 'b', 'c', 'd'),
    '/a': pageOf('A'),
    '/about.html': pageOf('B'),
  });
  const outcome = await tried({ id: 'live', kind: 'site', url: site.url });
  expect(outcome).toMatchObject({ is: 'read', unread: 0 });
  const notes = outcome.is === 'read' ? outcome.notes.join('\n') : '';
  expect(notes).toContain('no sitemap; 5 links');
  expect(notes).not.toContain('Changefeed');
});

test('a site with sitemaps without end is not read to it', async () => {
  await using site = await startLiveSite();
  const entry = (number: number) => `<sitemap><loc>${site.url}s${number}.xml</loc></sitemap>`;
  site.put({
    '/sitemap.xml': `<sitemapindex>${names(100)
      .map((_, number) => entry(number))
      .join('')}</sitemapindex>`,
  });
  for (const [number] of names(100).entries()) site.put({ [`/s${number}.xml`]: sitemapOf(site.url, [`p${number}`]) });
  for (const name of names(100)) site.put({ [`/${name}`]: pageOf(name) });
  const outcome = await tried({ id: 'live', kind: 'site', url: site.url });
  expect(outcome.is === 'read' && outcome.notes[0]).toBe('at least 4 pages by sitemap');
  expect(site.takeRequests().length).toBeLessThan(12);
});

test('a site or a page that cannot be read fails with the reason', async () => {
  await using site = await startLiveSite({ '/': { status: 500 }, '/a.txt': 'text' });
  expect(await tried({ id: 'live', kind: 'site', url: site.url })).toMatchObject({
    is: 'failed',
    error: { httpStatus: 500 },
  });
  const urls = [`${site.url}a`];
  expect(await tried({ id: 'page', kind: 'page', urls })).toMatchObject({ is: 'failed', error: { httpStatus: 404 } });
  const text = [`${site.url}a.txt`];
  expect(await tried({ id: 'page', kind: 'page', urls: text })).toMatchObject({
    is: 'failed',
    error: { code: 'NotAPageError' },
  });
});

test('of many pages the first three are read', async () => {
  await using site = await startLiveSite(Object.fromEntries(names(5).map((name) => [`/${name}`, pageOf(name)])));
  const urls = names(5).map((name) => site.url + name);
  expect(await tried({ id: 'page', kind: 'page', urls })).toMatchObject({ is: 'read', pages: 5, unread: 0 });
  expect(site.takeRequests().filter((request) => request.includes('/p'))).toHaveLength(3);
});

test('a feed says what stands first in it', async () => {
  await using publisher = await startPublisher();
  const config = { id: 'acme', kind: 'feed', url: publisher.origin, dialect: 'aicf' } as const;
  expect(await tried(config)).toMatchObject({ is: 'read', notes: [expect.stringContaining('without events')] });
  publisher.publish(publisher.event('7'));
  expect(await tried(config)).toMatchObject({ is: 'read', notes: [expect.stringContaining('first event is 7')] });
  await using site = await startLiveSite();
  expect(await tried({ ...config, url: site.url })).toMatchObject({ is: 'failed', error: { httpStatus: 404 } });
  expect(await tried({ ...config, dialect: 'gopher' })).toMatchObject({
    is: 'failed',
    error: { code: 'SettingRefusedError' },
  });
});
