import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { cursorOf, decodeFeed, hashOfText } from '../src/doors/diffdelta.ts';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { clause } from './clause.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
const FRESH = 'public, max-age=60, must-revalidate';
const JSON_TYPE = 'application/json; charset=utf-8';

let folder: string;
let hub: RunningHub;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidings-diffdelta-'));
  for (const name of ['z', 'a']) await cp('examples/site', join(folder, name), { recursive: true });
  const source = (id: string) => ({
    id,
    kind: 'folder' as const,
    path: `./${id}`,
    site: `https://${id}.example/`,
    cleanUrls: true,
    intervalSeconds: 1,
    tags: ['example'],
  });
  const broken = { id: 'broken', kind: 'folder' as const, path: './not-there', site: 'https://broken.example/' };
  hub = await startHub(
    { port: 0, allowPrivate: true, limits: { perMinute: 100_000 }, sources: [source('z'), source('a'), broken] },
    { base: folder, token: 'test-token-of-the-diffdelta-hub' },
  );
  await until(async () => (await getJson('diff/latest.json')).sources_included.length === 2);
  await until(async () => (await getJson('diff/broken/latest.json')).sources.broken.status === 'error');
  for (const name of ['a/', 'z/', '']) await until(async () => !(await getJson(`diff/${name}head.json`)).changed);
});

afterAll(async () => {
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

/** Polls until it holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitFor(async () => expect(await holds()).toBe(true), { timeout: 60_000, interval: 50 });
}

async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(new URL(path, hub.url), { headers });
}

// biome-ignore lint/suspicious/noExplicitAny: a reader of JSON, as a script would be
async function getJson(path: string): Promise<any> {
  const answer = await ask(path);
  expect(answer.status, path).toBe(200);
  return answer.json();
}

const SOURCE_FILES = ['diff/a/head.json', 'diff/a/latest.json', 'diff/source/a/head.json', 'diff/source/a/latest.json'];
const FILES = ['diff/head.json', 'diff/latest.json', ...SOURCE_FILES];

clause(['DD-R1', 'DD-T1'], 'heads and feeds have type and ETag', async () => {
  for (const path of FILES) {
    const { headers } = await ask(path);
    expect(headers.get('content-type'), path).toBe(JSON_TYPE);
    expect(headers.get('etag'), path).toMatch(/^"sha256:[0-9a-f]{64}(?:\.\d+)?(?:\.gz)?"$/);
  }
});

clause(['DD-T8', 'DD-T10', 'DD-T11'], 'heads and feeds have cache rules, for networks too', async () => {
  expect(new Set(FILES.map((path) => path.split('/').at(-1)))).toEqual(new Set(['head.json', 'latest.json']));
  for (const path of FILES) {
    const { headers } = await ask(path);
    expect(headers.get('cache-control'), path).toBe(FRESH);
    expect(headers.get('cdn-cache-control'), path).toBe(FRESH);
  }
});

clause(
  ['DD-T2'],
  'the ETag is the quoted cursor, with a count behind it for later bytes under the same cursor',
  async () => {
    const answer = await ask('diff/a/head.json');
    const { cursor } = (await answer.json()) as { cursor: string };
    expect(answer.headers.get('etag')).toMatch(new RegExp(`^"${cursor}(?:\\.\\d+)?"$`));
  },
);

clause(['DD-T6', 'DD-T13'], 'who has it gets an empty 304 with ETag and cache rule', async () => {
  for (const path of FILES) {
    const first = await ask(path);
    await first.arrayBuffer();
    const second = await ask(path, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(second.status, path).toBe(304);
    expect((await second.arrayBuffer()).byteLength).toBe(0);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('cache-control')).toBe(FRESH);
  }
});

clause(
  ['DD-R6', 'DD-O1', 'DD-O2'],
  'the feed of all sources has the items of both, and names them in order',
  async () => {
    const text = await (await ask('diff/latest.json')).text();
    const feed = JSON.parse(text);
    expect(feed.sources_included).toEqual(['a', 'z']);
    const items = Object.values(feed.buckets as Record<string, { source: string }[]>).flat();
    expect(new Set(items.map(({ source }) => source))).toEqual(new Set(['a', 'z']));
    expect(Object.keys(feed.sources)).toEqual(['a', 'broken', 'z']);
  },
);

clause(['DD-H1', 'DD-H2', 'DD-H3'], 'a head is small, and leads to the feed with its cursor', async () => {
  const answer = await ask('diff/a/head.json');
  const text = await answer.text();
  const head = JSON.parse(text);
  expect(Object.keys(head).sort()).toEqual(
    ['changed', 'cursor', 'generated_at', 'latest_url', 'prev_cursor', 'ttl_sec'].sort(),
  );
  expect(text.length).toBeLessThan(1000);
  const feed = await getJson(new URL(head.latest_url, answer.url).pathname);
  expect(feed.cursor).toBe(head.cursor);
});

clause(['DD-C1', 'DD-G5', 'DD-L1'], 'the cursor and the hash of a served feed can be computed from it', async () => {
  const text = await (await ask('diff/a/latest.json')).text();
  const feed = JSON.parse(text);
  expect(cursorOf(feed)).toBe(feed.cursor);
  expect(hashOfText(text)).toBe(feed.hash);
  expect(decodeFeed(text)).toMatchObject({ ok: true });
  expect(Object.keys(feed.buckets)).toEqual(['new', 'updated', 'removed', 'flagged']);
  expect(feed.sources.a).toMatchObject({ status: 'ok', cursor: feed.cursor });
});

clause(['DD-C4', 'DD-C7', 'DD-E3'], 'a source that was never read has null cursors', async () => {
  const feed = await getJson('diff/broken/latest.json');
  expect(feed).toMatchObject({ cursor: null, prev_cursor: null, changed: false });
  expect(feed.sources.broken).toMatchObject({ status: 'error', changed: false, stale: true, cursor: null });
  expect(feed.sources.broken).not.toHaveProperty('last_ok_at');
  expect(await getJson('diff/broken/head.json')).toMatchObject({ cursor: null, prev_cursor: null });
});

clause(['DD-A1', 'DD-A3', 'DD-T9'], 'an edit is a run; its archive is the feed', async () => {
  const before = await getJson('diff/z/head.json');
  const archived = await getJson('diff/z/latest.json');
  const oldArchive = Buffer.from(await (await ask(archived.archive_url)).arrayBuffer());
  const page = join(folder, 'z', 'pricing.html');
  await writeFile(page, (await readFile(page, 'utf8')).replace(/<h2[^>]*>/, '$&Now '));
  await until(async () => (await getJson('diff/z/head.json')).cursor !== before.cursor);

  const answer = await ask('diff/z/latest.json');
  const bytes = Buffer.from(await answer.arrayBuffer());
  const feed = JSON.parse(bytes.toString());
  expect(feed.archive_url).toMatch(/^\/archive\/z\/\d{4}\/\d\d\/\d\d\/\d{8}T\d{6}Z_[0-9a-f]{12}\.json$/);
  expect(feed.archive_url).toContain(`_${feed.cursor.slice(7, 19)}.json`);
  expect(feed.prev_archive_url).toBe(archived.archive_url);
  const archive = await ask(feed.archive_url);
  expect(archive.headers.get('cache-control')).toBe(IMMUTABLE);
  expect(archive.headers.get('cdn-cache-control')).toBe(IMMUTABLE);
  const archiveBytes = Buffer.from(await archive.arrayBuffer());
  const kept = JSON.parse(archiveBytes.toString());
  expect(kept).toMatchObject({ changed: true, prev_cursor: before.cursor, cursor: feed.cursor });
  expect(kept.sources.z.delta_counts).toEqual({ new: 0, updated: 1, removed: 0 });
  expect(Buffer.from(await (await ask(archived.archive_url)).arrayBuffer()).equals(oldArchive)).toBe(true);
  expect(feed.changed).toBe(true);
  expect(archiveBytes.equals(bytes)).toBe(true);

  await until(async () => (await getJson('diff/z/head.json')).changed === false);
  const quiet = await getJson('diff/z/latest.json');
  expect(quiet).toMatchObject({ cursor: feed.cursor, prev_cursor: feed.cursor, buckets: kept.buckets });
  expect(quiet.sources.z).not.toHaveProperty('delta_counts');
});

clause(['DD-D1', 'DD-D4'], 'discovery says how often to ask', async () => {
  const manifest = await getJson('.well-known/diffdelta.json');
  expect(manifest.polling.recommended_ttl_sec).toBeGreaterThan(0);
});

clause(
  ['DD-D2', 'DD-D3', 'DD-D5'],
  'discovery names the sources, the feed of all and where that of each is',
  async () => {
    const manifest = await getJson('.well-known/diffdelta.json');
    expect(manifest.sources_supported).toEqual(['a', 'broken', 'z']);
    expect((await getJson(new URL(manifest.endpoints.diff_latest).pathname)).sources_included).toEqual(['a', 'z']);
    for (const id of manifest.sources_supported) {
      const latest = manifest.endpoints.diff_by_source_template.replace('{source}', id);
      const head = manifest.endpoints.diff_head_by_source_template.replace('{source}', id);
      expect((await getJson(new URL(latest).pathname)).source_id).toBe(id);
      await getJson(new URL(head).pathname);
    }
  },
);

clause(['DD-D6', 'DD-D7'], 'discovery says that there are ETags and cursors', async () => {
  const { capabilities } = await getJson('.well-known/diffdelta.json');
  expect(capabilities).toMatchObject({ etag_supported: true, cursor_supported: true });
});

clause(['DD-T12', 'DD-R5'], 'the schema stays for ever, the list of sources and the health are there', async () => {
  const schema = await ask('schema/v1/diff.schema.json');
  expect(schema.headers.get('cache-control')).toBe(IMMUTABLE);
  expect(schema.headers.get('cdn-cache-control')).toBe(IMMUTABLE);
  expect(await schema.json()).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  const { sources } = await getJson('diff/sources.json');
  const { cursor } = await getJson('diff/a/head.json');
  expect(sources[0]).toEqual({
    source_id: 'a',
    name: 'a',
    tags: ['example'],
    enabled: true,
    status: 'ok',
    cursor,
    ttl_sec: 1,
    head_url: '/diff/a/head.json',
    latest_url: '/diff/a/latest.json',
  });
  expect((await getJson('state/health.json')).sources.a.cursor).toBe(cursor);
  expect(await getJson('healthz.json')).toEqual({ ok: true, time: expect.any(String) });
});
