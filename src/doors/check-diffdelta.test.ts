import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  archiveOf,
  edit,
  editArchive,
  edited,
  HEAD,
  LATEST,
  MANIFEST,
  ONES,
  OPTIONS,
  RUNS,
  sameCursor,
  sealed,
  serveSite,
  setHeader,
} from '../../test/support/checked-diffdelta.ts';
import { makeDiffDeltaFiles } from '../../test/support/diffdelta-site.ts';
import { DIFFDELTA_CLAUSES } from '../codecs/diffdelta/clauses.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check, checkReport } from './check.ts';

async function writeFolder(files: ReadonlyMap<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-dd-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

test('a good service has no findings, and every clause is in the report', async () => {
  const site = await serveSite();
  const report = await checkReport(site.origin, OPTIONS);
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ target: site.origin, spec: 'diffdelta' });
  expect(report.notes).toBeUndefined();
  expect(report.clauses.map(({ id }) => id)).toEqual(DIFFDELTA_CLAUSES.map(({ id }) => id));
  const passed = report.clauses.filter(({ status }) => status === 'pass').map(({ id }) => id.slice(3));
  const wanted = 'R1 R2 R3 R4 R6 H1 H2 H3 L1 A1 A2 A3 C1 C3 C4 P2 B1 B2 B3 G1 G3 G5 K1 O1 O2 O3 N1 N2 E9 E11 T1 T2 T6';
  expect(passed).toEqual(
    expect.arrayContaining(`${wanted} T8 T9 T10 T11 T12 T13 D1 D2 D3 D4 D5 D6 D7 I1 I2 I3 I8 U6 U7`.split(' ')),
  );
});

test('the same files as a folder have no findings either', async () => {
  const folder = await writeFolder(makeDiffDeltaFiles(RUNS, 'https://feeds.example/'));
  const { findings, clauses } = await checkReport(folder, { spec: 'diffdelta' });
  expect(findings).toEqual([]);
  const statusOf = (id: string) => clauses.find((clause) => clause.id === id)?.status;
  expect(['DD-A1', 'DD-H3', 'DD-P2', 'DD-C1'].map(statusOf)).toEqual(['pass', 'pass', 'pass', 'pass']);
  expect(['DD-T10', 'DD-U6', 'DD-T1', 'DD-R1'].map(statusOf)).toEqual(Array(4).fill('not-checkable'));
});

test('a field that is not asked for, and a later file under the same cursor, are fine', async () => {
  const site = await serveSite();
  edit(site, HEAD, { x_new: 1 });
  const feed = edited(site.files.get(LATEST), {
    changed: false,
    prev_cursor: sameCursor,
    generated_at: '2026-02-05T12:30:00.000Z',
    'sources.docs.changed': false,
    'sources.docs.prev_cursor': sameCursor,
    'sources.docs.delta_counts': undefined,
    'buckets.moved': [],
  });
  site.files.set(LATEST, sealed(feed));
  edit(site, HEAD, { changed: false, prev_cursor: sameCursor });
  setHeader('etag', `"${feed.cursor}.1.gz"`, /docs\/latest/)(site);
  expect(await check(site.origin, OPTIONS)).toEqual([]);
});

test('of a feed that says no more than that nothing changed since, the archive is judged by itself', async () => {
  const site = await serveSite();
  const kept = archiveOf(site);
  const later = { changed: false, prev_cursor: sameCursor, generated_at: '2026-02-05T12:30:00.000Z' };
  const entry = { 'sources.docs.changed': false, 'sources.docs.prev_cursor': sameCursor };
  const feed = edited(site.files.get(LATEST), { ...later, ...entry, 'sources.docs.delta_counts': undefined });
  site.files.set(LATEST, sealed(feed));
  edit(site, HEAD, { changed: false, prev_cursor: sameCursor });
  expect(await check(site.origin, OPTIONS)).toEqual([]);
  editArchive(site, kept, { ttl_sec: 0 });
  expect(await check(site.origin, OPTIONS)).toMatchObject([
    { clause: 'DD-G3', where: site.origin + kept.slice(1) },
    { clause: 'DD-I1', where: site.origin + kept.slice(1) },
  ]);
});

test('a run that comes between head and feed is no fault', async () => {
  const site = await serveSite();
  const head = site.files.get(HEAD) ?? '';
  edit(site, HEAD, { cursor: ONES });
  site.intercept = (path) => {
    if (path === LATEST) site.files.set(HEAD, head);
    return false;
  };
  expect(await check(site.origin, OPTIONS)).toEqual([]);
});

test('a cursor of others is opaque: that ours would be another is a hint', async () => {
  const site = await serveSite();
  const foreign = { cursor: ONES, 'sources.docs.cursor': ONES };
  const text = JSON.stringify(
    edited(site.files.get(LATEST), { ...foreign, archive_url: undefined, hash: ONES }),
    null,
    1,
  );
  site.files.set(LATEST, text);
  site.files.set('/archive/docs/2026/02/05/20260205T120300Z_111111111111.json', text);
  edit(site, HEAD, { cursor: ONES });
  const report = await checkReport(site.origin, OPTIONS);
  expect(report.findings.filter(({ level }) => level === 'MUST')).toEqual([]);
  expect(report.findings).toMatchObject([
    { clause: 'DD-C1', level: 'SHOULD', where: `${site.origin}diff/docs/latest.json` },
  ]);
  expect(report.clauses.find(({ id }) => id === 'DD-C1')?.status).toBe('pass');
});

test('a source that was removed need not be listed while the feed of all says that it is disabled', async () => {
  const site = await serveSite();
  edit(site, MANIFEST, { sources_supported: ['docs'] });
  const listing = async () => (await check(site.origin, OPTIONS)).filter(({ clause }) => clause === 'DD-D5');
  edit(site, '/diff/latest.json', { 'sources.blog.status': 'error' });
  expect(await listing()).toMatchObject([{ seen: expect.stringContaining('It names "blog"') }]);
  edit(site, '/diff/latest.json', { 'sources.blog.status': 'disabled' });
  expect(await listing()).toEqual([]);
});

test.each(['diff/docs/head.json', 'diff/docs/latest.json', 'diff/source/docs/latest.json'])(
  'of %s one source is checked, and the manifest',
  async (path) => {
    const site = await serveSite();
    site.files.delete('/diff/blog/head.json');
    edit(site, HEAD, { ttl_sec: 0 });
    expect(await check(site.origin + path, OPTIONS)).toMatchObject([{ clause: 'DD-G3' }]);
    expect(site.paths.filter((asked) => asked.includes('blog'))).toEqual([]);
  },
);

test('a service below the root of its host is found there; clients look at the root', async () => {
  const site = await serveSite();
  const manifest = site.files.get(MANIFEST) ?? '';
  site.files.delete(MANIFEST);
  site.files.set(`/docs${MANIFEST}`, manifest);
  for (const path of ['docs/', `docs${MANIFEST}`]) {
    expect(await check(site.origin + path, OPTIONS)).toMatchObject([
      { clause: 'DD-D1', where: `${site.origin}.well-known/diffdelta.json`, seen: expect.stringContaining('/docs/') },
    ]);
  }
});

test('a site without DiffDelta has findings; a folder without it cannot be checked', async () => {
  const site = await serveSite();
  site.files.clear();
  expect((await check(site.origin, OPTIONS)).map(({ clause }) => clause)).toEqual(['DD-R6', 'DD-D1']);
  const folder = await writeFolder(new Map([['/index.html', '<h1>Hello']]));
  await expect(check(folder, { spec: 'diffdelta' })).rejects.toThrow(/holds no DiffDelta/);
  await expect(check(folder)).rejects.toThrow(UnreadableTargetError);
});

test.each([
  [99, 'MUST'],
  [100, 'SHOULD'],
])('of a feed of all that names %i sources and not all, that is a %s', async (count, level) => {
  const site = await serveSite();
  const names = Array.from({ length: count - 2 }, (_, index) => `many${index}`);
  const text = site.files.get('/diff/latest.json') ?? '';
  const feed = JSON.parse(text) as { sources: Record<string, object> };
  for (const name of names) feed.sources[name] = { ...feed.sources.docs };
  site.files.set('/diff/latest.json', JSON.stringify(feed));
  const manifest = JSON.parse(site.files.get('/.well-known/diffdelta.json') ?? '');
  manifest.sources_supported = ['blog', 'docs', ...names, 'one_more'];
  site.files.set('/.well-known/diffdelta.json', JSON.stringify(manifest));
  const findings = await check(site.origin, OPTIONS);
  expect(findings.find(({ clause }) => clause === 'DD-R6')?.level).toBe(level);
});

test('without a wish, each dialect that a folder holds is checked', async () => {
  const files = makeDiffDeltaFiles(RUNS, 'https://feeds.example/');
  files.set('/diff/docs/head.json', '{}');
  const only = await writeFolder(files);
  expect(await checkReport(only)).toMatchObject({ spec: 'diffdelta' });
  files.set('/.well-known/ai-changefeed', '{"aicf_version":"0.1","self":"https://feeds.example/ai-changes.ndjson"}');
  files.set('/ai-changes.ndjson', 'x\n');
  const both = await writeFolder(files);
  const report = await checkReport(both);
  expect(report).toMatchObject({ spec: 'aicf', others: [{ spec: 'diffdelta' }] });
  const clauses = (await check(both)).map(({ clause }) => clause);
  expect(clauses).toEqual(expect.arrayContaining(['AICF-F4', 'DD-H1']));
  expect((await check(both, { spec: 'aicf' })).map(({ clause }) => clause)).not.toContain('DD-H1');
});

test('what a _headers file says of a folder is held against the clauses', async () => {
  const files = makeDiffDeltaFiles(RUNS, 'https://feeds.example/');
  const rule = (value: string) =>
    `  Content-Type: application/json; charset=utf-8\n  Cache-Control: ${value}\n  CDN-Cache-Control: ${value}\n`;
  const fresh = rule('public, max-age=60, must-revalidate');
  const still = rule('public, max-age=31536000, immutable');
  files.set('/_headers', `/diff/*\n${fresh}/archive/*\n${still}/schema/*\n${still}`);
  const good = await checkReport(await writeFolder(files), { spec: 'diffdelta' });
  expect(good.findings).toEqual([]);
  expect(good.clauses.find(({ id }) => id === 'DD-T9')?.status).toBe('pass');
  files.set('/_headers', `/diff/*\n${rule('no-cache')}/archive/*\n${still}/schema/*\n${still}`);
  const bad = await check(await writeFolder(files), { spec: 'diffdelta' });
  expect(new Set(bad.map(({ clause }) => clause))).toEqual(new Set(['DD-T10', 'DD-T11']));
});

test('a chain of archives that loops is walked once', async () => {
  const site = await serveSite();
  editArchive(site, archiveOf(site, 2), {
    prev_archive_url: archiveOf(site),
    prev_cursor: edited(site.files.get(LATEST), {}).cursor,
  });
  const found = await check(`${site.origin}diff/docs/head.json`, OPTIONS);
  expect(found).toMatchObject([{ clause: 'DD-P2', seen: expect.stringContaining('comes back') }]);
  expect(site.paths.filter((path) => path === archiveOf(site, 1))).toHaveLength(1);
});
