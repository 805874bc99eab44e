import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sitemapOf, startLiveSite } from './support/live-site.ts';
import { htmlPage, temporaryFolder } from './support/site.ts';
import { tidingsCached as tidings, tidingsHere } from './support/tidings-here.ts';

const pageOf = (title: string, text: string) => htmlPage(title, [{ id: 'one', heading: 'One', text }]);

test('publish a live site, edit it, publish again', async () => {
  await using site = await startLiveSite({ '/': pageOf('Home', 'Hello.'), '/a': pageOf('A', 'One.') });
  site.put({ '/sitemap.xml': sitemapOf(site.url, ['', 'a']) });
  using folder = temporaryFolder();
  const local = ['--allow-private', '--force', '--cooldown', '0', '--cache', join(folder.path, 'cache')];
  const publish = (...options: string[]) =>
    tidings('publish', site.url, '--out', join(folder.path, 'feeds'), ...local, ...options);

  const stderr = expect.stringMatching(/^tidings: You may add to robots.txt: Sitemap: /);
  expect(await publish()).toMatchObject({ code: 0, stderr, stdout: expect.stringContaining('2 pages: 2 created') });
  site.put({ '/a': pageOf('A', 'Two.') });
  expect(await publish()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^update {2}.*\/a#one/) });
  expect(await tidings('check', join(folder.path, 'feeds'), '--fail-on', 'must')).toMatchObject({ code: 0 });

  site.put({ '/a': { status: 500 } });
  const failed = await publish('--json');
  expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining('/a answered with status 500') });
  expect(JSON.parse(failed.stdout)).toMatchObject({ changes: [], unchanged: 2, failed: [{ file: `${site.url}a` }] });
});

test('usage that cannot work ends with 2 and says why', async () => {
  using folder = temporaryFolder();
  const cache = ['--cache', join(folder.path, 'cache')];
  const noOut = await tidingsHere('publish', 'https://docs.example/', ...cache);
  expect(noOut).toMatchObject({ code: 2, stderr: expect.stringContaining('Give the folder') });
  const noSite = await tidingsHere('publish', folder.path);
  expect(noSite).toMatchObject({ code: 2, stderr: expect.stringContaining('--site') });
  const plain = await tidingsHere('publish', 'http://127.0.0.1:9/', '--out', folder.path, ...cache);
  expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  const closed = await tidingsHere('publish', 'http://127.0.0.1:9/', '--out', folder.path, '--force', ...cache);
  expect(closed).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-private') });
});
