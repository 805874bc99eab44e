import { expect, test } from 'vitest';
import { type LiveSite, pageOf, sitemapOf, startLiveSite } from '../../test/support/live-site.ts';
import { type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { decodeEvents } from '../codecs/aicf/decode.ts';
import type { Change } from '../model/change.ts';
import { publish } from './publish.ts';
import { readDocument } from './read-document.ts';

const LOCAL = { allowPrivate: true, cooldownMs: 0 };
const robots = (line: string) => `User-agent: *\nAllow: /\n${line}\n`;

async function startSite(): Promise<LiveSite> {
  const site = await startLiveSite({
    '/': pageOf('Start'),
    '/a': pageOf('A'),
    '/robots.txt': robots('Content-Signal: ai-train=no'),
  });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  return site;
}
const publishLive = (site: LiveSite, out: TestFolder) =>
  publish({ ...LOCAL, url: site.url, out: out.path, force: true });
const logged = (out: TestFolder): Change[] =>
  out
    .read('.well-known/tidings/log.ndjson')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Change);

test('a publish of a live site writes what its pages may be used for, and tells once when that is said otherwise', async () => {
  await using site = await startSite();
  using out = temporaryFolder();
  await publishLive(site, out);
  expect(logged(out).map(({ uses }) => uses)).toEqual([{ 'ai-train': 'no' }, { 'ai-train': 'no' }]);
  site.put({ '/robots.txt': robots('Content-Signal: ai-train=yes') });
  expect((await publishLive(site, out)).changes).toMatchObject([
    { action: 'update', url: site.url, note: 'terms site ai-train=no>yes' },
  ]);
  expect(logged(out).at(-1)).toMatchObject({ note: 'terms site ai-train=no>yes', uses: { 'ai-train': 'yes' } });
  expect(decodeEvents(out.read('ai-changes.ndjson')).events.at(-1)).toMatchObject({
    note: 'terms site ai-train=no>yes',
  });
  expect((await publishLive(site, out)).changes).toEqual([]);
});

test('a document says what its page may be used for, also where the page is as it was', async () => {
  await using site = await startSite();
  using cache = temporaryFolder();
  const read = () => readDocument(`${site.url}a`, { ...LOCAL, cacheDir: cache.path, refresh: true });
  const first = await read();
  expect(first.usage).toEqual({
    uses: { 'ai-train': 'no' },
    statements: [
      {
        vocabulary: 'content-signal',
        where: `${site.url}robots.txt`,
        said: 'ai-train=no',
        wishes: { 'ai-train': 'no' },
      },
    ],
  });
  site.put({ '/robots.txt': robots('Content-Usage: search=n') });
  const second = await read();
  expect(second.cache.status).toBe('stale_revalidated');
  expect(second.usage?.uses).toEqual({ search: 'no' });
  const kept = await readDocument(`${site.url}a`, { ...LOCAL, cacheDir: cache.path });
  expect(kept).toMatchObject({ cache: { status: 'hit' }, usage: { uses: { search: 'no' } } });
  expect(kept.schema.ref).toBe(first.schema.ref);
});
