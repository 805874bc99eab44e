import { expect, test } from 'vitest';
import {
  archiveOf,
  type Edits,
  edit,
  editArchive,
  edited,
  type Fields,
  HEAD,
  LATEST,
  MANIFEST,
  ONES,
  OPTIONS,
  sameCursor,
  sealed,
  serveSite,
  setHeader,
} from '../../test/support/checked-diffdelta.ts';
import type { DiffDeltaSite } from '../../test/support/diffdelta-site.ts';
import { check } from './check.ts';

/** Changes the feed and its archive alike, and seals both anew, so that nothing but the change is wrong. */
function editFeed(site: DiffDeltaSite, edits: Edits): void {
  const text = sealed(edited(site.files.get(LATEST), edits));
  site.files.set(LATEST, text);
  site.files.set(archiveOf(site), text);
}

function editEntry(site: DiffDeltaSite, edits: Edits): void {
  editFeed(site, Object.fromEntries(Object.entries(edits).map(([key, value]) => [`sources.docs.${key}`, value])));
}

const firstUpdated = (feed: Fields) => (feed.buckets as { updated: unknown[] }).updated[0];
const withFirstUpdated = (items: unknown[], feed: Fields) => [...items, firstUpdated(feed)];

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
