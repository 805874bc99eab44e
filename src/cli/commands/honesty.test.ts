import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageOf, sitemapOf, startLiveSite } from '../../../test/support/live-site.ts';
import { operate } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';

test('the baseline says so, a page that nobody told of is a finding, and what cannot be read is exit 3', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start'), '/a': pageOf('A'), '/changes.ndjson': '' });
  site.put({
    '/sitemap.xml': sitemapOf(site.url, ['', 'a']),
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}changes.ndjson` }),
  });
  using folder = temporaryFolder();
  const honesty = (...more: readonly string[]) =>
    operate([
      ...['honesty', site.url, '--state', join(folder.path, 'honesty.db'), '--cache', join(folder.path, 'cache')],
      ...['--allow-private', '--cooldown', '0', ...more],
    ]);
  const first = await honesty();
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('samples: 2, compared: 0') });
  site.put({ '/a': pageOf('A', 'It says that.') });
  const second = await honesty('--json', '--fail-on', 'findings');
  expect(second.code).toBe(1);
  expect(JSON.parse(second.out)).toMatchObject({
    url: site.url,
    dialect: 'aicf',
    sampled: 2,
    toldAndTrue: 0,
    toldNotSeen: 0,
    seenNotTold: 1,
    timesOff: { median: null, max: null },
    pages: expect.arrayContaining([expect.objectContaining({ url: `${site.url}a`, verdict: 'seen-not-told' })]),
  });
  site.remove('/.well-known/ai-changefeed');
  expect((await honesty()).code).toBe(3);
});

test('who runs it for the first time has no folder for what must last, and gets one', async () => {
  await using site = await startLiveSite({ '/': pageOf('Start'), '/changes.ndjson': '' });
  site.put({
    '/sitemap.xml': sitemapOf(site.url, ['']),
    '/.well-known/ai-changefeed': JSON.stringify({ aicf_version: '0.1', self: `${site.url}changes.ndjson` }),
  });
  using folder = temporaryFolder();
  const env = { XDG_STATE_HOME: join(folder.path, 'new', 'state') };
  const args = ['honesty', site.url, '--cache', join(folder.path, 'cache'), '--allow-private', '--cooldown', '0'];
  expect(await operate(args, env)).toMatchObject({ code: 0, out: expect.stringContaining('samples: 1, compared: 0') });
});
