import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { htmlPage, type TestFolder, type TestSection, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { decodeEvents } from '../codecs/aicf/decode.ts';
import { SafetyStopError } from '../errors/safety-stop-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const FEED = 'ai-changes.ndjson';

const TIERS: TestSection = { id: 'tiers', heading: 'Tiers', text: 'There are two tiers.' };
const TAXES: TestSection = { id: 'taxes', heading: 'Taxes', text: 'Prices are without taxes.' };
const LIMITS: TestSection = { id: 'limits', heading: 'Limits', text: 'Ten requests a second.' };
const PRICING = [TIERS, TAXES, LIMITS];

function newSite(): TestFolder {
  const folder = temporaryFolder();
  folder.write({
    'index.html': htmlPage('Home', [{ id: 'start', heading: 'Start', text: 'Read this first.' }]),
    'pricing.html': htmlPage('Pricing', PRICING),
    'guide/index.html': htmlPage('Guide', [{ id: 'install', heading: 'Install', text: 'Run the installer.' }]),
    '404.html': htmlPage('Not found', []),
  });
  return folder;
}

const publishTo = (site: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ dir: site.path, site: SITE, ...options });
const eventsOf = (site: TestFolder, path = FEED) => decodeEvents(site.read(path)).events;

clause(['AICF-D3', 'AICF-D5', 'AICF-E5'], 'the first publish says one create per page', async () => {
  using site = newSite();
  const report = await publishTo(site);

  expect(report).toMatchObject({ pages: 3, created: 3, updated: 0, deleted: 0, unchanged: 0, failed: [] });
  expect(eventsOf(site).map(({ action, url, anchor }) => ({ action, url, anchor }))).toEqual([
    { action: 'create', url: `${SITE}guide/`, anchor: undefined },
    { action: 'create', url: SITE, anchor: undefined },
    { action: 'create', url: `${SITE}pricing.html`, anchor: undefined },
  ]);
  expect(JSON.parse(site.read('.well-known/ai-changefeed'))).toEqual({
    aicf_version: '0.1',
    about: `${SITE}changes/`,
    self: SITE + FEED,
  });
  expect(report.artifacts).toEqual(
    expect.arrayContaining([FEED, '.well-known/ai-changefeed', '_headers', '.nojekyll']),
  );
});

clause(['AICF-A1', 'AICF-E9', 'AICF-E11'], 'an edited section is one update with its anchor', async () => {
  using site = newSite();
  await publishTo(site);
  site.write({ 'pricing.html': htmlPage('Pricing', [{ ...TIERS, text: 'There are three tiers.' }, TAXES, LIMITS]) });
  const report = await publishTo(site);

  expect(report).toMatchObject({ pages: 3, created: 0, updated: 1, deleted: 0, unchanged: 2 });
  expect(report.changes).toMatchObject([{ action: 'update', url: `${SITE}pricing.html`, anchor: 'tiers' }]);
  const [, , created, edited] = eventsOf(site);
  expect(edited).toMatchObject({ action: 'update', anchor: 'tiers' });
  expect(edited?.checksum).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(edited?.checksum).not.toBe(created?.checksum);
  expect(Date.parse(edited?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(created?.time ?? ''));
});

clause(['AICF-F2', 'AICF-E3', 'AICF-E4'], 'the feed only grows, in order of its ids', async () => {
  using site = newSite();
  let earlier = '';
  for (let round = 0; round < 6; round += 1) {
    site.write({
      'pricing.html': htmlPage('Pricing', [{ ...TIERS, text: `There are ${round} tiers.` }, TAXES, LIMITS]),
    });
    await publishTo(site);
    const feed = site.read(FEED);
    expect(feed.startsWith(earlier)).toBe(true);
    expect(feed.length).toBeGreaterThan(earlier.length);
    earlier = feed;
  }
  const ids = eventsOf(site).map(({ id }) => id);
  expect(new Set(ids).size).toBe(8);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  for (const line of earlier.trimEnd().split('\n')) expect(typeof JSON.parse(line)).toBe('object');
});

test('two publishes of one build change no byte', async () => {
  using site = newSite();
  await publishTo(site);
  const once = steadyFiles(site);
  const report = await publishTo(site);
  expect(report).toMatchObject({ unchanged: 3, changes: [] });
  expect(steadyFiles(site)).toEqual(once);
});

clause('AICF-P3', 'every create and update has a checksum, a delete has none', async () => {
  using site = newSite();
  await publishTo(site);
  site.remove('guide');
  site.write({ 'pricing.html': htmlPage('Pricing', [TIERS, { ...TAXES, text: 'Taxes are included.' }, LIMITS]) });
  expect(await publishTo(site)).toMatchObject({ pages: 2, deleted: 1, updated: 1, unchanged: 1 });
  for (const { action, checksum } of eventsOf(site)) {
    if (action === 'delete') expect(checksum).toBeUndefined();
    else expect(checksum).toMatch(/^sha256:/);
  }
  expect(eventsOf(site).at(-1)).toMatchObject({ action: 'delete', url: `${SITE}guide/` });
});

test('a dry run says what would change and writes nothing', async () => {
  using site = newSite();
  const before = site.fingerprint();
  expect(await publishTo(site, { dryRun: true })).toMatchObject({ created: 3, artifacts: [] });
  expect(site.fingerprint()).toEqual(before);
});

clause(
  ['AICF-D2', 'AICF-F1', 'AICF-D8'],
  'static hosts are told media types and cache rules, and own rules stay',
  async () => {
    using site = newSite();
    const own = '/*\n  X-Frame-Options: DENY\n';
    site.write({ _headers: own });
    await publishTo(site, { ttlSeconds: 60, license: 'CC BY 4.0', about: `${SITE}about` });
    const headers = site.read('_headers');
    expect(headers.startsWith(own)).toBe(true);
    expect(headers).toContain('/.well-known/ai-changefeed\n  Content-Type: application/json\n');
    expect(headers).toContain(
      '/ai-changes.ndjson\n  Content-Type: application/x-ndjson\n  Cache-Control: public, max-age=60\n',
    );
    expect(JSON.parse(site.read('.well-known/ai-changefeed'))).toMatchObject({
      ttl_seconds: 60,
      license: 'CC BY 4.0',
      about: `${SITE}about`,
    });

    await publishTo(site, { ttlSeconds: 60 });
    expect(site.read('_headers')).toBe(headers);

    // Bytes that are no UTF-8, and other line ends.
    const own8859 = Buffer.from('# caf\xe9 \xff\r\n/x\r\n  A: b\r\n', 'latin1');
    site.write({ _headers: own8859 });
    await publishTo(site);
    expect(readFileSync(join(site.path, '_headers')).subarray(0, own8859.length).equals(own8859)).toBe(true);
  },
);

clause(
  ['AICF-P4', 'AICF-P5', 'AICF-P6'],
  'a feed that grows too large goes on in a new file, which self names',
  async () => {
    using site = newSite();
    const options = { rotateBytes: 800 };
    for (let round = 0; round < 6; round += 1) {
      site.write({
        'pricing.html': htmlPage('Pricing', [{ ...TIERS, text: `There are ${round} tiers.` }, TAXES, LIMITS]),
      });
      const before = site.fingerprint();
      await publishTo(site, options);
      const { archives = [] } = JSON.parse(site.read('.well-known/ai-changefeed')) as { archives?: string[] };
      for (const closed of archives.slice(0, -1))
        expect(site.fingerprint()).toMatchObject({ [closed.slice(SITE.length)]: before[closed.slice(SITE.length)] });
    }
    const { self, archives } = JSON.parse(site.read('.well-known/ai-changefeed')) as {
      self: string;
      archives: string[];
    };
    expect(archives[0]).toBe(SITE + FEED);
    const files = [...archives, self].map((url) => eventsOf(site, url.slice(SITE.length)).map(({ id }) => id));
    for (const [index, ids] of files.slice(1).entries()) expect(files[index]).toContain(ids[0]);
    expect(new Set(files.flat()).size).toBe(8);
    expect(eventsOf(site, self.slice(SITE.length)).at(-1)?.anchor).toBe('tiers');
  },
);

test('an empty folder is a safety stop, before and after the first publish', async () => {
  using empty = temporaryFolder();
  await expect(publishTo(empty)).rejects.toThrow(SafetyStopError);
  expect(empty.fingerprint()).toEqual({});

  using site = newSite();
  await publishTo(site);
  const published = site.fingerprint();
  for (const path of ['index.html', 'pricing.html', 'guide']) site.remove(path);
  const { 'index.html': _1, 'pricing.html': _2, 'guide/index.html': _3, ...rest } = published;
  await expect(publishTo(site)).rejects.toThrow(SafetyStopError);
  expect(site.fingerprint()).toEqual(rest);
  site.write({ 'bad.html': '' });
  await expect(publishTo(site), 'a file that is no page does not count as one').rejects.toThrow(SafetyStopError);
  site.remove('bad.html');
  expect(await publishTo(site, { allowDeletes: true })).toMatchObject({ pages: 0, deleted: 3 });
});

test.each([
  { ttlSeconds: -1 },
  { ttlSeconds: 1.5 },
  { rotateBytes: 0 },
  { rotateBytes: Number.NaN },
  { about: 'not a uri' },
])('the setting %o is refused and nothing is written', async (setting) => {
  using site = newSite();
  const before = site.fingerprint();
  await expect(publishTo(site, setting)).rejects.toThrow(SettingRefusedError);
  expect(site.fingerprint()).toEqual(before);
});

test('the deletion breaker stops when over 30 % and over 10 pages vanish', async () => {
  using site = temporaryFolder();
  const pages = Array.from({ length: 33 }, (_, index) => `p${index}.html`);
  site.write(Object.fromEntries(pages.map((name) => [name, htmlPage(name, PRICING)])));
  await publishTo(site);
  for (const name of pages.slice(0, 10)) site.remove(name);
  expect(await publishTo(site)).toMatchObject({ deleted: 10 });
  for (const name of pages.slice(10, 21)) site.remove(name);
  const before = site.fingerprint();
  await expect(publishTo(site)).rejects.toThrow(/11 of 23 pages would be deleted/);
  expect(site.fingerprint()).toEqual(before);
  expect(await publishTo(site, { allowDeletes: true })).toMatchObject({ deleted: 11 });
});

test('a file that cannot be read as a page changes and deletes nothing', async () => {
  using site = newSite();
  await publishTo(site);
  site.write({
    'index.html': new Uint8Array([0x3c, 0x70, 0x3e, 0xff, 0xfe, 0x41]),
    'pricing.html': '',
    'guide/index.html': '{"not": "html"}',
    'new.html': htmlPage('New', []),
  });
  const report = await publishTo(site);
  expect(report.changes).toMatchObject([{ action: 'create', url: `${SITE}new.html` }]);
  expect(report.failed.map(({ file }) => file.slice(site.path.length + 1))).toEqual([
    'guide/index.html',
    'index.html',
    'pricing.html',
  ]);
  expect(report).toMatchObject({ pages: 4, created: 1, deleted: 0 });
});

test('a page that only redirects is gone', async () => {
  using site = newSite();
  await publishTo(site);
  site.write({
    'guide/index.html': '<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url=/manual/">',
  });
  expect(await publishTo(site)).toMatchObject({ pages: 2, deleted: 1 });
});

test('a refused --site writes nothing', async () => {
  using site = newSite();
  const before = site.fingerprint();
  await expect(publishTo(site, { site: 'http://docs.example/' })).rejects.toThrow(
    expect.objectContaining({ name: 'SiteRefusedError' }),
  );
  expect(site.fingerprint()).toEqual(before);
});

test('a site under a path keeps it in every address', async () => {
  using site = newSite();
  await publishTo(site, { site: 'https://host.example/docs' });
  expect(eventsOf(site).map(({ url }) => url)).toContain('https://host.example/docs/pricing.html');
  expect(JSON.parse(site.read('.well-known/ai-changefeed'))).toMatchObject({
    self: 'https://host.example/docs/ai-changes.ndjson',
  });
});

clause('AICF-I1', "the site's own sitemap and robots.txt stay untouched", async () => {
  using site = newSite();
  site.write({ 'sitemap.xml': '<urlset/>', 'robots.txt': 'User-agent: *\nDisallow:\n' });
  await publishTo(site);
  expect(site.read('sitemap.xml')).toBe('<urlset/>');
  expect(site.read('robots.txt')).toBe('User-agent: *\nDisallow:\n');
});

clause(['AICF-X5', 'AICF-X6'], 'by default no extension is on, and discovery names none', async () => {
  using site = newSite();
  await publishTo(site);
  const core = ['id', 'action', 'url', 'time', 'anchor', 'checksum', 'note'];
  const lines = site
    .read(FEED)
    .trimEnd()
    .split('\n')
    .map((line) => Object.keys(JSON.parse(line)));
  expect(lines.flat().filter((key) => !core.includes(key))).toEqual([]);
  expect(JSON.parse(site.read('.well-known/ai-changefeed'))).not.toHaveProperty('capabilities');
});

test('a first publish in which no file is a page writes nothing', async () => {
  using site = temporaryFolder();
  site.write({ 'a.html': 'not html' });
  const before = site.fingerprint();
  expect(await publishTo(site)).toMatchObject({
    pages: 0,
    artifacts: [],
    failed: [{ file: expect.stringContaining('a.html') }],
  });
  expect(site.fingerprint()).toEqual(before);
});
