import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type DiffDeltaSite,
  makeDiffDeltaFiles,
  type SiteRun,
  serveDiffDelta,
} from '../../test/support/diffdelta-site.ts';
import { DIFFDELTA_CLAUSES } from '../codecs/diffdelta/clauses.ts';
import { sha256 } from '../codecs/diffdelta/cursor.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { check, checkReport } from './check.ts';

const RUNS: readonly SiteRun[] = [
  { source: 'docs', pages: { a: { action: 'create' }, b: { action: 'create', excerpt: 'First words.' } } },
  { source: 'blog', pages: { x: { action: 'create' }, evil: { action: 'create', risk: 0.4 } } },
  { source: 'docs', pages: { a: { action: 'update' }, c: { action: 'create' } } },
  { source: 'docs', pages: { b: { action: 'delete' }, a: { action: 'update' }, c: { action: 'update' } } },
];
const OPTIONS = { spec: 'diffdelta', allowPrivate: true } as const;

async function serveSite(): Promise<DiffDeltaSite> {
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(RUNS, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

async function writeFolder(files: ReadonlyMap<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-dd-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const LATEST = '/diff/docs/latest.json';
const HEAD = '/diff/docs/head.json';
const MANIFEST = '/.well-known/diffdelta.json';
/** By the path of a field: its new value, what makes that of the old one, or undefined to take it away. */
type Edits = Readonly<Record<string, unknown>>;
type Fields = Record<string, unknown>;

function edited(text: string | undefined, edits: Edits): Fields {
  const fields: Fields = JSON.parse(text ?? '{}');
  for (const [path, value] of Object.entries(edits)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const place = keys.reduce((at, key) => at[key] as Fields, fields);
    place[last] = typeof value === 'function' ? value(place[last], fields) : value;
    // What is undefined in a list would be null.
    if (place[last] === undefined) delete place[last];
  }
  return fields;
}

function edit(site: DiffDeltaSite, path: string, edits: Edits): void {
  site.files.set(path, JSON.stringify(edited(site.files.get(path), edits)));
}

/** Changes the feed and its archive alike, and seals both anew, so that nothing but the change is wrong. */
function editFeed(site: DiffDeltaSite, edits: Edits): void {
  const text = sealed(edited(site.files.get(LATEST), edits));
  site.files.set(LATEST, text);
  site.files.set(archiveOf(site), text);
}

/** Changes one archive, and seals it anew. */
function editArchive(site: DiffDeltaSite, path: string, edits: Edits): void {
  site.files.set(path, sealed(edited(site.files.get(path), edits)));
}

/** A feed in our spelling, with its hash. */
function sealed({ hash: _, ...fields }: Fields): string {
  const body = `${JSON.stringify(fields).slice(1)}\n`;
  return `{"hash":"${sha256(`{${body}`)}",${body}`;
}

function editEntry(site: DiffDeltaSite, edits: Edits): void {
  editFeed(site, Object.fromEntries(Object.entries(edits).map(([key, value]) => [`sources.docs.${key}`, value])));
}

/** The path of the archive of the last run of docs, or of one before it. */
function archiveOf(site: DiffDeltaSite, runsBefore = 0): string {
  let path = String(edited(site.files.get(LATEST), {}).archive_url);
  for (let run = 0; run < runsBefore; run += 1) path = String(edited(site.files.get(path), {}).prev_archive_url);
  return path;
}

const sameCursor = (_: unknown, feed: Fields) => feed.cursor;
const firstUpdated = (feed: Fields) => (feed.buckets as { updated: unknown[] }).updated[0];
const withFirstUpdated = (items: unknown[], feed: Fields) => [...items, firstUpdated(feed)];
const setHeader = (name: string, value: string | undefined, where: RegExp) => (site: DiffDeltaSite) => {
  site.headers = (path, headers) => (where.test(path) ? { ...headers, [name]: value } : headers);
};

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

const STALE = {
  status: 'error',
  changed: false,
  prev_cursor: sameCursor,
  stale: true,
  stale_since: '2026-02-05T12:00:00Z',
  last_ok_at: '2026-02-05T12:00:00Z',
  stale_age_sec: 60,
  error: { code: 'http_error', http_status: 503 },
  delta_counts: undefined,
};
const DEGRADED = { status: 'degraded', fallback_active: true, fallback_index: 0, degraded_reason: 'x' };
const ZEROS = `sha256:${'0'.repeat(64)}`;
const ONES = `sha256:${'1'.repeat(64)}`;

type Plant = (site: DiffDeltaSite) => unknown;
const inManifest = (edits: Edits) => (site: DiffDeltaSite) => edit(site, MANIFEST, edits);
const inHead = (edits: Edits) => (site: DiffDeltaSite) => edit(site, HEAD, edits);
const inGlobal = (edits: Edits) => (site: DiffDeltaSite) => edit(site, '/diff/latest.json', edits);
const inFeed = (edits: Edits) => (site: DiffDeltaSite) => editFeed(site, edits);
const inEntry = (edits: Edits) => (site: DiffDeltaSite) => editEntry(site, edits);
const inArchive = (runsBefore: number, edits: Edits) => (site: DiffDeltaSite) =>
  editArchive(site, archiveOf(site, runsBefore), edits);
const agedArchive = (site: DiffDeltaSite, aged: string) => {
  site.headers = (path, headers) => (path === aged ? { ...headers, 'cache-control': 'max-age=60' } : headers);
};
const without = (path: string) => (site: DiffDeltaSite) => site.files.delete(path);
const asText = (path: string, text: string) => (site: DiffDeltaSite) => site.files.set(path, text);

const PLANTED: readonly (readonly [clause: string, fault: string, plant: Plant])[] = [
  ['DD-D1', 'no manifest', without(MANIFEST)],
  ['DD-D1', 'a manifest of HTML', asText(MANIFEST, '<!doctype html><p>Hello')],
  ['DD-D2', 'no diff_latest', inManifest({ 'endpoints.diff_latest': undefined })],
  ['DD-D3', 'a template without a hole', inManifest({ 'endpoints.diff_by_source_template': '/diff/latest.json' })],
  ['DD-D3', 'a template that leads nowhere', inManifest({ 'endpoints.diff_by_source_template': '/x/{source}.json' })],
  ['DD-D4', 'no interval', inManifest({ 'polling.recommended_ttl_sec': '300' })],
  ['DD-D5', 'no list of sources', inManifest({ sources_supported: undefined })],
  ['DD-D5', 'a source that is not there', inManifest({ sources_supported: ['blog', 'docs', 'x'] })],
  ['DD-D5', 'a source that is not listed', inManifest({ sources_supported: ['docs'] })],
  ['DD-D6', 'no etag_supported', inManifest({ 'capabilities.etag_supported': undefined })],
  ['DD-D7', 'cursor_supported as text', inManifest({ 'capabilities.cursor_supported': 'true' })],
  ['DD-R2', 'no head', without(HEAD)],
  ['DD-R3', 'no feed', without(LATEST)],
  ['DD-R3', 'the feed of another source', inFeed({ source_id: 'blog' })],
  ['DD-R4', 'no archive', (site) => site.files.delete(archiveOf(site))],
  ['DD-R4', 'an archive at another place', inFeed({ archive_url: '/old/docs.json' })],
  ['DD-R4', 'an archive on another origin', inFeed({ archive_url: 'http://127.0.0.1:1/a.json' })],
  ['DD-R6', 'no feed of all', without('/diff/latest.json')],
  ['DD-R6', 'a feed of all without a source', inGlobal({ sources_included: ['docs'], 'sources.blog': undefined })],
  ['DD-H1', 'a head without cursor', inHead({ cursor: undefined })],
  ['DD-H1', 'a head without prev_cursor', inHead({ prev_cursor: undefined })],
  ['DD-H1', 'a head without changed', inHead({ changed: undefined })],
  ['DD-H1', 'a head without generated_at', inHead({ generated_at: undefined })],
  ['DD-H1', 'a head without ttl_sec', inHead({ ttl_sec: undefined })],
  ['DD-H1', 'a head without latest_url', inHead({ latest_url: undefined })],
  ['DD-H1', 'a latest_url that is no text', inHead({ latest_url: 7 })],
  ['DD-H1', 'a head of HTML', asText(HEAD, '<html><p>Sign in')],
  ['DD-H1', 'a head of a list', asText(HEAD, '[]')],
  ['DD-H1', 'a head of brackets', asText(HEAD, '['.repeat(100_000))],
  ['DD-H2', 'a head with buckets', inHead({ buckets: {} })],
  ['DD-H2', 'a large head', inHead({ usage: 'x'.repeat(2000) })],
  ['DD-H3', 'a head of another run', inHead({ cursor: ONES })],
  ['DD-H3', 'a feed on another origin', inHead({ latest_url: 'http://127.0.0.1:1/x' })],
  ['DD-H3', 'a feed that is not there', inHead({ latest_url: '/nowhere.json' })],
  ['DD-L1', 'a bucket that is missing', inFeed({ 'buckets.flagged': undefined })],
  ['DD-L1', 'no status map', inFeed({ sources: undefined })],
  ['DD-L1', 'no entry in the status map', inFeed({ sources: {} })],
  ['DD-L1', 'an item twice', inFeed({ 'buckets.removed': withFirstUpdated })],
  ['DD-A1', 'an archive with other bytes', (site) => site.files.set(archiveOf(site), `${site.files.get(LATEST)}\n`)],
  [
    'DD-A1',
    'an archive of another run',
    (site) => site.files.set(archiveOf(site), site.files.get(archiveOf(site, 1)) ?? ''),
  ],
  ['DD-A2', 'an archive that was deleted', (site) => site.files.delete(archiveOf(site, 2))],
  [
    'DD-A2',
    'an archive that changes',
    (site) => {
      const path = archiveOf(site);
      site.intercept = (asked) => {
        if (asked === path) site.files.set(path, `${site.files.get(path)} `);
        return false;
      };
    },
  ],
  [
    'DD-A3',
    'an archive with other digits',
    inFeed({ archive_url: (path: string) => path.replace(/_[0-9a-f]+/, '_0123456789abcdef') }),
  ],
  [
    'DD-O3',
    'an older archive with items out of order',
    (site) => editArchive(site, archiveOf(site, 2), { 'buckets.new': (items: unknown[]) => items.toReversed() }),
  ],
  ['DD-L1', 'an older archive without a bucket', inArchive(1, { 'buckets.flagged': undefined })],
  ['DD-I1', 'an older archive with an interval as text', inArchive(1, { ttl_sec: '300' })],
  ['DD-I2', 'an older archive with half an item', inArchive(1, { 'buckets.new.0.url': undefined })],
  ['DD-C7', 'an older archive with a zero cursor', inArchive(2, { prev_cursor: ZEROS })],
  ['DD-C1', 'an older archive of other items', inArchive(1, { 'buckets.new.0.id': 'x' })],
  ['DD-B2', 'an older archive with one cursor', inArchive(1, { prev_cursor: sameCursor })],
  ['DD-R4', 'an older archive of another source', inArchive(1, { source_id: 'blog' })],
  [
    'DD-G5',
    'an older archive that was changed',
    (site) => edit(site, archiveOf(site, 2), { batch_narrative: 'Another story.' }),
  ],
  ['DD-T9', 'an older archive that grows old', (site) => agedArchive(site, archiveOf(site, 1))],
  ['DD-P2', 'a chain that leads to another run', (site) => editFeed(site, { prev_archive_url: archiveOf(site, 2) })],
  ['DD-P2', 'a chain that loops', (site) => edit(site, archiveOf(site, 2), { prev_archive_url: archiveOf(site) })],
  ['DD-C1', 'a cursor of other items', inFeed({ 'buckets.updated.0.id': 'x' })],
  ['DD-C3', 'a cursor in upper case', inFeed({ cursor: (cursor: string) => cursor.toUpperCase() })],
  ['DD-C3', 'a cursor with half a character', inFeed({ cursor: 'sha256:\ud800', archive_url: undefined })],
  ['DD-C3', 'an empty cursor', inHead({ prev_cursor: '' })],
  ['DD-C4', 'no cursor for items', inFeed({ cursor: null })],
  ['DD-C7', 'a zero cursor', inHead({ prev_cursor: ZEROS })],
  ['DD-B1', 'changed as text', inFeed({ changed: 'true' })],
  ['DD-B2', 'changed with one cursor', inFeed({ prev_cursor: sameCursor })],
  ['DD-B3', 'unchanged with two cursors', inHead({ changed: false })],
  ['DD-B3', 'an entry with two cursors', inEntry({ changed: false })],
  ['DD-G1', 'a time in words', inHead({ generated_at: 'yesterday' })],
  ['DD-G3', 'no interval', inHead({ ttl_sec: 0 })],
  [
    'DD-G5',
    'a file that was changed',
    (site) => site.files.set(LATEST, String(site.files.get(LATEST)).replace('A run.', 'A dog.')),
  ],
  ['DD-K1', 'no basis', inFeed({ cursor_basis: undefined })],
  ['DD-O1', 'sources out of order', inFeed({ sources_included: ['docs', 'a'] })],
  [
    'DD-O2',
    'a status map out of order',
    inGlobal({ sources: ({ blog, docs }: { blog: unknown; docs: unknown }) => ({ docs, blog }) }),
  ],
  ['DD-O3', 'items out of order', inFeed({ 'buckets.updated': (items: unknown[]) => items.toReversed() })],
  ['DD-I1', 'a feed of HTML', asText(LATEST, '<html></html>')],
  ['DD-I1', 'a score as text', inFeed({ 'buckets.updated.0.risk': { score: '1' } })],
  ['DD-I2', 'an item without a headline', inFeed({ 'buckets.removed.0.headline': undefined })],
  ['DD-I2', 'an item that is a text', inFeed({ 'buckets.updated.0': 'page' })],
  ['DD-I3', 'an item without a hash', inFeed({ 'buckets.updated.0.provenance.content_hash': undefined })],
  ['DD-I6', 'a risk of nothing', inFeed({ 'buckets.updated.0.risk': { score: 0, reasons: [] } })],
  ['DD-I8', 'a risk that is not flagged', inFeed({ 'buckets.updated.0.risk': { score: 0.4 } })],
  ['DD-I8', 'an item that is flagged and not', inFeed({ 'buckets.flagged': withFirstUpdated })],
  ['DD-N1', 'no counts', inEntry({ delta_counts: undefined })],
  ['DD-N1', 'wrong counts', inEntry({ 'delta_counts.new': 7 })],
  ['DD-N2', 'counts of nothing', inEntry({ changed: false, prev_cursor: sameCursor })],
  ['DD-E1', 'an error that changed', inEntry({ ...STALE, changed: true })],
  ['DD-E2', 'an error that is not stale', inEntry({ ...STALE, stale: false })],
  ['DD-E3', 'a cursor that was lost', inEntry({ ...STALE, cursor: null, prev_cursor: null })],
  ['DD-E4', 'an error with two cursors', inEntry({ ...STALE, prev_cursor: null })],
  ['DD-E5', 'no stale_since', inEntry({ ...STALE, stale_since: undefined })],
  ['DD-E6', 'no last_ok_at', inEntry({ ...STALE, last_ok_at: undefined })],
  ['DD-E7', 'a broken age', inEntry({ ...STALE, stale_age_sec: 1.5 })],
  ['DD-E8', 'an error without a code', inEntry({ ...STALE, error: {} })],
  ['DD-E9', 'an error of a good source', inEntry({ error: { code: 'x' } })],
  ['DD-E10', 'disabled for no reason', inEntry({ ...STALE, status: 'disabled', error: undefined })],
  ['DD-E11', 'a reason to be disabled', inEntry({ disabled_reason: 'x' })],
  ['DD-E12', 'failures of a good source', inEntry({ consecutive_failures: 3 })],
  ['DD-F2', 'degraded without fallback_active', inEntry({ ...DEGRADED, fallback_active: undefined })],
  ['DD-F3', 'degraded without fallback_index', inEntry({ ...DEGRADED, fallback_index: undefined })],
  ['DD-F4', 'degraded without degraded_reason', inEntry({ ...DEGRADED, degraded_reason: undefined })],
  ['DD-R1', 'no charset', setHeader('content-type', 'application/json', /head/)],
  ['DD-T1', 'no ETag', setHeader('etag', undefined, /head/)],
  ['DD-T1', 'an ETag without quotes', setHeader('etag', 'abc', /latest/)],
  ['DD-T2', 'another ETag', setHeader('etag', '"abc"', /latest/)],
  ['DD-T8', 'no CDN-Cache-Control', setHeader('cdn-cache-control', undefined, /head/)],
  ['DD-T9', 'archives that grow old', setHeader('cache-control', 'max-age=60', /archive/)],
  ['DD-T10', 'heads for five minutes', setHeader('cache-control', 'public, max-age=300, must-revalidate', /head/)],
  ['DD-T11', 'feeds for ever', setHeader('cdn-cache-control', 'max-age=31536000', /latest/)],
  ['DD-T12', 'schemas that grow old', setHeader('cache-control', undefined, /schema/)],
  ['DD-U6', 'a limit without a reset', setHeader('x-ratelimit-reset', undefined, /latest/)],
  ['DD-U6', 'a reset that is over', setHeader('x-ratelimit-reset', '60', /latest/)],
  ['DD-U7', 'a tier for nobody', setHeader('x-diffdelta-tier', 'free', /latest/)],
];

test.each(PLANTED)('%s: %s is found', async (id, _, plant) => {
  const site = await serveSite();
  plant(site);
  const found = await check(site.origin, OPTIONS);
  expect(found.map(({ clause }) => clause)).toContain(id);
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

test.each([
  ['DD-T6', 'answers its own ETag with the whole file', { isKnown: false }],
  ['DD-T13', 'leaves out Cache-Control in its 304', { isKnown: true }],
])('%s: a server that %s is found', async (id, _, { isKnown }) => {
  const site = await serveSite();
  const asked = new Set<string>();
  site.intercept = (path, response) => {
    if (!path.endsWith('head.json') || !asked.has(path)) {
      asked.add(path);
      return false;
    }
    const etag = `"${edited(site.files.get(path), {}).cursor}"`;
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? undefined : site.files.get(path));
    return true;
  };
  const found = await check(site.origin, OPTIONS);
  expect(found).toMatchObject([{ clause: id, seen: expect.stringContaining('2 more of the responses') }]);
});

test('limits that no response has are a hint: a static host cannot send them', async () => {
  const site = await serveSite();
  const none = { 'x-ratelimit-limit': undefined, 'x-ratelimit-remaining': undefined, 'x-ratelimit-reset': undefined };
  site.headers = (_, headers) => ({ ...headers, ...none });
  const report = await checkReport(site.origin, OPTIONS);
  expect(report.findings).toMatchObject([{ clause: 'DD-U6', level: 'SHOULD' }]);
  expect(report.clauses.find(({ id }) => id === 'DD-U6')).toMatchObject({ status: 'not-checkable' });
  site.headers = (path, headers) => (path.includes('docs') ? { ...headers, ...none } : headers);
  expect(await check(site.origin, OPTIONS)).toMatchObject([{ clause: 'DD-U6', level: 'MUST' }]);
});

test.each([500, 503, 429])('a server that answers %i anywhere is not judged', async (status) => {
  for (const broken of [MANIFEST, '/diff/latest.json', HEAD, LATEST]) {
    const site = await serveSite();
    site.intercept = (path, response) => {
      if (path === broken) response.writeHead(status).end();
      return path === broken;
    };
    const failure = check(site.origin, OPTIONS);
    await expect(failure).rejects.toThrow(UnreadableTargetError);
    await expect(failure).rejects.toMatchObject({ recovery: 'retry-later' });
  }
});

test('a redirect to another origin is found', async () => {
  const [site, other] = [await serveSite(), await serveSite()];
  site.intercept = (path, response) => {
    if (path === HEAD) response.writeHead(302, { location: new URL(path, other.origin).href }).end();
    return path === HEAD;
  };
  expect(await check(site.origin, OPTIONS)).toMatchObject([
    { clause: 'DD-R2', where: `${site.origin}diff/docs/head.json`, seen: expect.stringContaining(other.origin) },
  ]);
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

test('a body without an end is a finding, and is not read to its end', async () => {
  const site = await serveSite();
  let sent = 0;
  site.intercept = (path, response) => {
    if (path !== HEAD) return false;
    const piece = Buffer.alloc(65_536, ' ');
    const pour = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
    };
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', pour);
    pour();
    return true;
  };
  const found = await check(site.origin, OPTIONS);
  expect(found.map(({ clause }) => clause)).toEqual(['DD-R2', 'DD-D5']);
  expect(sent).toBeLessThan(32 * 1024 * 1024);
});

test('of a hundred thousand broken items a few are shown and the others counted', async () => {
  const site = await serveSite();
  edit(site, LATEST, { 'buckets.new': Array.from({ length: 100_000 }, (_, at) => ({ id: `${at}` })) });
  const found = await check(`${site.origin}diff/docs/latest.json`, OPTIONS);
  const ofItems = found.filter(({ clause }) => clause === 'DD-I2');
  expect(ofItems).toHaveLength(21);
  expect(ofItems.at(-1)?.seen).toBe('and 99980 more');
});

/** A service with so many sources, which all are one. */
async function serveMany(count: number): Promise<DiffDeltaSite> {
  const runs = Array.from(
    { length: count },
    (_, at): SiteRun => ({
      source: `s${at}`,
      pages: { a: { action: 'create' } },
    }),
  );
  const site = await serveDiffDelta((origin) => makeDiffDeltaFiles(runs, origin));
  onTestFinished(() => site[Symbol.asyncDispose]());
  return site;
}

test('of many sources twenty are read, and it is said how many were left out', async () => {
  const site = await serveMany(23);
  const { findings, notes } = await checkReport(site.origin, OPTIONS);
  expect(findings).toEqual([]);
  expect(notes).toEqual(['3 of 23 sources were left out: at most 20 are read.']);
  expect(new Set(site.paths.filter((path) => /^\/diff\/s\d+\/head/.test(path))).size).toBe(20);
});

test('a server that allows sixty requests a minute is asked no more, and it is said what was left out', async () => {
  const site = await serveMany(23);
  let left = 60;
  site.headers = (_, headers) => {
    left -= 1;
    return { ...headers, 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(left) };
  };
  const { findings, notes } = await checkReport(site.origin, OPTIONS);
  expect(findings).toEqual([]);
  expect(left).toBeGreaterThanOrEqual(0);
  expect(notes).toEqual([
    expect.stringMatching(/^Of \d+ sources neither 304 nor earlier archives were tried/),
    expect.stringMatching(
      /^\d+ of 23 sources were left out: the server allows no more requests now\. A key \(TIDINGS_/,
    ),
  ]);
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
