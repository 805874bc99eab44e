import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { cursorOf } from '../codecs/diffdelta/cursor.ts';
import { hashOfText } from '../codecs/diffdelta/encode.ts';
import { DIFF_SCHEMA } from '../codecs/diffdelta/schema.ts';
import { validateFeed } from '../codecs/diffdelta/validate.ts';
import type { DiffDeltaFeed, DiffDeltaHead } from '../codecs/diffdelta/wire.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { type PublishOptions, publish } from './publish.ts';

const SITE = 'https://docs.example/';
const OWN = 'diff/docs_example';
const FEEDS = [`${OWN}/`, 'diff/source/docs_example/', 'diff/'];
const FRESH = 'public, max-age=60, must-revalidate';
const FOR_EVER = 'public, max-age=31536000, immutable';

const page = (text: string) =>
  htmlPage('Page', [
    { id: 'a', heading: 'First', text },
    { id: 'b', heading: 'Second', text: 'It stays.' },
    { id: 'c', heading: 'Third', text: 'It stays, too.' },
  ]);

function newSite(): TestFolder {
  const site = temporaryFolder();
  site.write({ 'index.html': page('One.'), 'x.html': page('The same.') });
  return site;
}

const publishTo = (site: TestFolder, options: Partial<PublishOptions> = {}) =>
  publish({ dir: site.path, site: SITE, ...options });
const feedAt = (site: TestFolder, folder: string) => JSON.parse(site.read(`${folder}latest.json`)) as DiffDeltaFeed;
const headAt = (site: TestFolder, folder: string) => JSON.parse(site.read(`${folder}head.json`)) as DiffDeltaHead;
const archivesOf = (site: TestFolder) =>
  Object.fromEntries(Object.entries(site.fingerprint()).filter(([path]) => /^archive\/.*Z_\w+\.json$/.test(path)));

clause(
  ['DD-R6', 'DD-H1', 'DD-A1'],
  'the first publish writes the feeds of the site and of all sources, each with its head and archive',
  async () => {
    using site = newSite();
    const report = await publishTo(site);
    for (const folder of FEEDS) {
      const feed = feedAt(site, folder);
      expect(feed).toMatchObject({
        changed: true,
        prev_cursor: null,
        ttl_sec: 300,
        sources_included: ['docs_example'],
        counts: { new: 2, updated: 0, removed: 0, flagged: 0 },
        sources: { docs_example: { name: 'docs.example', status: 'ok', changed: true, delta_counts: { new: 2 } } },
      });
      expect(feed.cursor).toBe(cursorOf(feed));
      expect(validateFeed(feed)).toEqual([]);
      const head = headAt(site, folder);
      expect(head).toMatchObject({
        cursor: feed.cursor,
        prev_cursor: null,
        changed: true,
        generated_at: feed.generated_at,
      });
      expect(site.read(new URL(head.latest_url, SITE).pathname.slice(1))).toBe(site.read(`${folder}latest.json`));
      expect(site.read(feed.archive_url?.slice(1) ?? '')).toBe(site.read(`${folder}latest.json`));
    }
    expect(feedAt(site, 'diff/')).not.toHaveProperty('source_id');
    expect(JSON.parse(site.read('diff/sources.json'))).toEqual({
      sources: [
        {
          source_id: 'docs_example',
          name: 'docs.example',
          tags: [],
          enabled: true,
          status: 'ok',
          cursor: feedAt(site, `${OWN}/`).cursor,
          ttl_sec: 300,
          head_url: '/diff/docs_example/head.json',
          latest_url: '/diff/docs_example/latest.json',
        },
      ],
    });
    expect(JSON.parse(site.read('.well-known/diffdelta.json'))).toMatchObject({
      endpoints: {
        diff_by_source_template: `${SITE}diff/{source}/latest.json`,
        diff_latest: `${SITE}diff/latest.json`,
      },
      sources_supported: ['docs_example'],
      polling: { recommended_ttl_sec: 300 },
    });
    expect(JSON.parse(site.read('schema/v1/diff.schema.json'))).toEqual(DIFF_SCHEMA);
    const written = Object.keys(site.fingerprint()).filter((path) => !/^[^/]+\.html$/.test(path));
    expect([...report.artifacts].sort()).toEqual(written.sort());
  },
);

clause(
  ['DD-B3', 'DD-G6', 'DD-K13'],
  'a second publish of one build says once that nothing changed, and a third changes no byte',
  async () => {
    using site = newSite();
    await publishTo(site);
    const first = feedAt(site, 'diff/');
    const before = steadyFiles(site);
    const startMs = Date.now();
    await publishTo(site);
    for (const folder of FEEDS) {
      const feed = feedAt(site, folder);
      expect(feed).toMatchObject({ changed: false, cursor: first.cursor, prev_cursor: first.cursor });
      expect(feed.sources.docs_example).toMatchObject({ changed: false, prev_cursor: first.cursor });
      expect(feed.sources.docs_example).not.toHaveProperty('delta_counts');
      expect(feed.buckets).toEqual(first.buckets);
      expect(headAt(site, folder)).toMatchObject({ changed: false, cursor: first.cursor, prev_cursor: first.cursor });
      expect(Date.parse(feed.generated_at)).toBeGreaterThanOrEqual(startMs);
      expect(Date.parse(feed.generated_at)).toBeLessThanOrEqual(Date.now());
      expect(hashOfText(site.read(`${folder}latest.json`))).toBe(feed.hash);
    }
    expect(feedAt(site, 'diff/').prev_hash).toBe(first.hash);
    expect(feedAt(site, 'diff/').hash).not.toBe(first.hash);
    expect(steadyFiles(site)).toEqual(before);
    const settled = site.fingerprint();
    await publishTo(site);
    await publishTo(site);
    expect(site.fingerprint()).toEqual(settled);
  },
);

clause(
  ['DD-P2', 'DD-A2', 'DD-A3'],
  'ten publishes make one chain of archives, none of which is ever touched',
  async () => {
    using site = newSite();
    let archives: Record<string, string> = {};
    let last: DiffDeltaFeed | undefined;
    for (let round = 0; round < 10; round += 1) {
      site.write({ 'index.html': page(`Round ${round}.`) });
      if (round === 4) site.remove('x.html');
      await publishTo(site);
      const feed = feedAt(site, `${OWN}/`);
      expect(feed).toMatchObject({ prev_cursor: last?.cursor ?? null, prev_hash: last?.hash ?? null });
      expect(feed.prev_archive_url).toBe(last?.archive_url);
      expect(archivesOf(site)).toMatchObject(archives);
      archives = archivesOf(site);
      expect(Object.keys(site.fingerprint()).filter((path) => path.startsWith('archive/'))).toEqual(
        Object.keys(archives),
      );
      expect(Object.keys(archives)).toHaveLength(2 * (round + 1));
      if (round % 3 === 0) await publishTo(site);
      last = feedAt(site, `${OWN}/`);
    }
    for (const path of Object.keys(archives)) {
      const feed = JSON.parse(site.read(path)) as DiffDeltaFeed;
      expect(path).toContain(`Z_${feed.cursor?.slice(7, 19)}.json`);
      expect(feed).toMatchObject({ changed: true, archive_url: `/${path}` });
    }
    const { archives: listed } = JSON.parse(site.read('diff/docs_example/archives.json')) as {
      archives: { url: string }[];
    };
    expect(listed).toHaveLength(10);
    const removed = listed.map(
      ({ url }) => (JSON.parse(site.read(url.slice(1))) as DiffDeltaFeed).buckets.removed.length,
    );
    expect(removed).toEqual([0, 0, 0, 0, 1, 0, 0, 0, 0, 0]);
  },
);

test('an edited section is one item of its page, with the section inside', async () => {
  using site = newSite();
  await publishTo(site);
  site.write({ 'index.html': page('Two.') });
  await publishTo(site);
  expect(feedAt(site, 'diff/').buckets).toMatchObject({
    new: [],
    updated: [
      { id: SITE, url: SITE, content: { sections: [{ anchor: 'a', action: 'update' }] }, provenance: { revision: 2 } },
    ],
    removed: [],
  });
});

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const FRESH_RULE = { ...JSON_TYPE, 'Cache-Control': FRESH, 'CDN-Cache-Control': FRESH };
const LASTING_RULE = { ...JSON_TYPE, 'Cache-Control': FOR_EVER, 'CDN-Cache-Control': FOR_EVER };

clause(['DD-T10', 'DD-T11', 'DD-R1'], 'static hosts are told that heads and feeds hold for a minute', async () => {
  using site = newSite();
  await publishTo(site);
  const rules = headerRules(site.read('_headers'));
  for (const folder of FEEDS) {
    expect(rules(`/${folder}head.json`)).toEqual([FRESH_RULE]);
    expect(rules(`/${folder}latest.json`)).toEqual([FRESH_RULE]);
  }
  for (const path of [`/${OWN}/archives.json`, '/diff/archives.json']) expect(rules(path)).toEqual([FRESH_RULE]);
  expect(rules('/.well-known/diffdelta.json')).toEqual([FRESH_RULE]);
  expect(rules('/diff/index.html')).toEqual([]);
});

clause(['DD-T8', 'DD-T9', 'DD-T12'], 'static hosts are told that archives and the schema hold for ever', async () => {
  using site = newSite();
  await publishTo(site);
  const rules = headerRules(site.read('_headers'));
  const archives = Object.keys(archivesOf(site));
  expect(archives.length).toBeGreaterThan(0);
  for (const path of archives) expect(rules(`/${path}`)).toEqual([LASTING_RULE]);
  expect(rules('/archive/2019/a-post.html')).toEqual([]);
  expect(rules('/schema/v1/diff.schema.json')).toEqual([LASTING_RULE]);
});

/** The rules of a `_headers` file that match a path, as Netlify and Cloudflare read them. */
function headerRules(text: string): (path: string) => Record<string, string>[] {
  const rules: { path: string; headers: Record<string, string> }[] = [];
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    const [, name, value] = /^\s+([^:]+): (.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) rules.push({ path: line, headers: {} });
    else Object.assign(rules.at(-1)?.headers ?? {}, { [name]: value });
  }
  const matches = (rule: string, path: string) =>
    rule.endsWith('*') ? path.startsWith(rule.slice(0, -1)) : rule === path;
  return (path) => rules.filter((rule) => matches(rule.path, path)).map(({ headers }) => headers);
}

test('a site below a path has its feeds there', async () => {
  using site = newSite();
  await publish({ dir: site.path, site: 'https://docs.example/guide/' });
  const feed = feedAt(site, `${OWN}/`);
  expect(headAt(site, `${OWN}/`).latest_url).toBe('/guide/diff/docs_example/latest.json');
  expect(feed.archive_url).toMatch(/^\/guide\/archive\/docs_example\//);
  expect(site.read(feed.archive_url?.slice('/guide/'.length) ?? '')).toBe(site.read(`${OWN}/latest.json`));
  expect(site.read('_headers')).toContain('/guide/archive/docs_example/*\n');
  expect(JSON.parse(site.read('diff/archives.json'))).toMatchObject({
    archives: [{ url: expect.stringMatching(/^\/guide\/archive\/_global\/20/) }],
  });
});

clause('DD-G3', 'the interval is that of --ttl, and 300 s without one', async () => {
  using site = newSite();
  await publishTo(site, { ttlSeconds: 0 });
  expect(headAt(site, 'diff/').ttl_sec).toBe(300);
  await publishTo(site, { ttlSeconds: 60 });
  expect(headAt(site, 'diff/').ttl_sec).toBe(60);
  expect(feedAt(site, 'diff/')).toMatchObject({ ttl_sec: 60, sources: { docs_example: { ttl_sec: 60 } } });
});

clause(
  ['DD-E13', 'DD-P2'],
  'a site of which no page can be read is in error, keeps its cursor, and recovers',
  async () => {
    using site = newSite();
    await publishTo(site);
    const { cursor } = headAt(site, 'diff/');
    site.write({ 'index.html': '', 'x.html': '' });
    expect((await publishTo(site)).failed).toHaveLength(2);
    const failed = feedAt(site, 'diff/');
    expect(failed).toMatchObject({
      cursor,
      prev_cursor: cursor,
      changed: false,
      sources: { docs_example: { status: 'error', stale: true, cursor, prev_cursor: cursor } },
    });
    expect(validateFeed(failed)).toEqual([]);
    expect(JSON.parse(site.read('diff/sources.json'))).toMatchObject({ sources: [{ status: 'error' }] });
    const settled = site.fingerprint();
    await publishTo(site);
    expect(site.fingerprint()).toEqual(settled);

    site.write({ 'index.html': page('One.'), 'x.html': page('The same.') });
    await publishTo(site);
    expect(feedAt(site, 'diff/')).toMatchObject({ cursor, changed: false });
    expect(feedAt(site, 'diff/').sources.docs_example).not.toHaveProperty('stale');
  },
);

test('only the formats that are asked for are written', async () => {
  using aicf = newSite();
  await publishTo(aicf, { formats: ['aicf'] });
  expect(Object.keys(aicf.fingerprint()).filter((path) => /diff|archive|schema/.test(path))).toEqual([]);
  expect(aicf.read('_headers')).not.toContain('/diff/');
  aicf.write({ 'index.html': page('Two.') });
  await publishTo(aicf);
  expect(Object.keys(archivesOf(aicf))).toHaveLength(4);

  using diffdelta = newSite();
  await publishTo(diffdelta, { formats: ['diffdelta'] });
  expect(Object.keys(diffdelta.fingerprint())).not.toContain('ai-changes.ndjson');
  for (const formats of [[], ['rss']] as unknown as PublishOptions['formats'][])
    await expect(publishTo(diffdelta, { formats })).rejects.toThrow(SettingRefusedError);
});

test('a dry run writes none of it', async () => {
  using site = newSite();
  await publishTo(site);
  const before = site.fingerprint();
  site.write({ 'index.html': page('Two.') });
  await publishTo(site, { dryRun: true });
  expect({ ...site.fingerprint(), 'index.html': '' }).toEqual({ ...before, 'index.html': '' });
});
