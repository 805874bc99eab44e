import { expect, test } from 'vitest';
import type { AIDocument } from '../codecs/aidocument/wire.ts';
import type { DocumentCache, DocumentCacheLimits, DocumentVariant, Snapshot } from './document-cache.ts';

const LIMITS: DocumentCacheLimits = { maxBytes: 1_000_000, maxDocumentBytes: 100_000, maxRedirects: 3 };

/** What every {@link DocumentCache} does. `open` gives a new, empty one. */
export function describeDocumentCache(
  name: string,
  open: (limits: DocumentCacheLimits) => Promise<DocumentCache>,
): void {
  test(`${name}: a document is found under its own URL, whole, until it is forgotten`, async () => {
    await using cache = await open(LIMITS);
    const snapshot = snapshotOf('/a', { markdown: 'Wörter \0 \u{1F600} "quoted"' });
    expect(await cache.find(keyOf('/a'))).toBeUndefined();
    await cache.keep(snapshot);
    expect(await cache.find(keyOf('/a'))).toEqual(snapshot);
    expect(await cache.find(keyOf('/b'))).toBeUndefined();
    await cache.forget(keyOf('/a'));
    expect(await cache.find(keyOf('/a'))).toBeUndefined();
  });

  test(`${name}: a static and a rendered copy of one page do not meet`, async () => {
    await using cache = await open(LIMITS);
    await cache.keep(snapshotOf('/a', { markdown: 'sent' }));
    await cache.keep(snapshotOf('/a', { markdown: 'drawn', variant: 'rendered' }));
    expect((await cache.find(keyOf('/a')))?.document.content.markdown).toBe('sent');
    expect((await cache.find(keyOf('/a', 'rendered')))?.document.content.markdown).toBe('drawn');
    await cache.forget(keyOf('/a', 'rendered'));
    expect(await cache.find(keyOf('/a'))).toBeDefined();
  });

  test(`${name}: the URL that led to a document finds it too, for as long as that may be believed`, async () => {
    await using cache = await open(LIMITS);
    await cache.keep(snapshotOf('/b', { freshUntilMs: 900 }), { url: urlOf('/a'), freshUntilMs: 500 });
    expect(await cache.find(keyOf('/a'))).toMatchObject({
      freshUntilMs: 500,
      document: { source: { url: urlOf('/b') } },
    });
    expect((await cache.find(keyOf('/b')))?.freshUntilMs).toBe(900);
    await cache.keep(snapshotOf('/b', { freshUntilMs: 300 }));
    expect((await cache.find(keyOf('/a')))?.freshUntilMs, 'the page itself is older').toBe(300);
    expect(await cache.find(keyOf('/a', 'rendered'))).toBeUndefined();
  });

  test(`${name}: a redirect that leads elsewhere now, or has become a page, leaves nothing of the old`, async () => {
    await using cache = await open(LIMITS);
    await cache.keep(snapshotOf('/b'), { url: urlOf('/a'), freshUntilMs: 500 });
    await cache.keep(snapshotOf('/c'), { url: urlOf('/a'), freshUntilMs: 500 });
    expect((await cache.find(keyOf('/a')))?.document.source.url).toBe(urlOf('/c'));
    await cache.keep(snapshotOf('/a', { freshUntilMs: 700 }));
    expect(await cache.find(keyOf('/a'))).toMatchObject({
      freshUntilMs: 700,
      document: { source: { url: urlOf('/a') } },
    });
    await cache.keep(snapshotOf('/b'), { url: urlOf('/a'), freshUntilMs: 500 });
    expect((await cache.find(keyOf('/a')))?.document.source.url).toBe(urlOf('/b'));
    await cache.forget(keyOf('/b'));
    expect(await cache.find(keyOf('/a')), 'what led to it').toBeUndefined();
  });

  test(`${name}: of redirects the latest are kept`, async () => {
    await using cache = await open(LIMITS);
    await cache.keep(snapshotOf('/2'));
    const paths = ['/1', '/2', '/3', '/1', '/4'];
    for (const path of paths) await cache.keep(snapshotOf('/b'), { url: urlOf(path), freshUntilMs: 500 });
    expect(await kept(cache, ['/1', '/2', '/3', '/4', '/b'])).toEqual(['/1', '/3', '/4', '/b']);
  });

  test(`${name}: a renewed copy keeps its document, and a replaced one is not renewed`, async () => {
    await using cache = await open(LIMITS);
    const old = snapshotOf('/b', { fetchedAtMs: 100, freshUntilMs: 200 });
    await cache.keep(old, { url: urlOf('/a'), freshUntilMs: 150 });
    const said = { validators: { etag: '"2"' }, caching: { vary: 'user-agent' }, reader: 'for one' };
    const renewed = { ...old, ...said, freshUntilMs: 800 };
    await cache.renew(renewed, { url: urlOf('/a'), freshUntilMs: 600 });
    expect(await cache.find(keyOf('/b'))).toEqual(renewed);
    expect((await cache.find(keyOf('/a')))?.freshUntilMs).toBe(600);

    const later = snapshotOf('/b', { fetchedAtMs: 300, freshUntilMs: 400 });
    await cache.keep(later);
    await cache.renew(renewed);
    expect(await cache.find(keyOf('/b'))).toEqual(later);
    await cache.forget(keyOf('/b'));
    await cache.renew(later, { url: urlOf('/a'), freshUntilMs: 600 });
    expect([await cache.find(keyOf('/b')), await cache.find(keyOf('/a'))]).toEqual([undefined, undefined]);
  });

  test(`${name}: when it is full, what was used longest ago goes first`, async () => {
    await using cache = await open({ ...LIMITS, maxBytes: 40_000, maxDocumentBytes: 20_000 });
    const large = (path: string) => snapshotOf(path, { markdown: 'x'.repeat(10_000) });
    for (const path of ['/1', '/2', '/3']) await cache.keep(large(path));
    await cache.find(keyOf('/1'));
    await cache.keep(large('/4'));
    expect(await kept(cache, ['/1', '/2', '/3', '/4'])).toEqual(['/1', '/3', '/4']);
  });

  test(`${name}: a document that is too long is not kept, and the one before it is gone`, async () => {
    await using cache = await open({ ...LIMITS, maxBytes: 40_000, maxDocumentBytes: 20_000 });
    await cache.keep(snapshotOf('/a'));
    await cache.keep(snapshotOf('/a', { markdown: 'x'.repeat(20_001) }));
    expect(await cache.find(keyOf('/a'))).toBeUndefined();
  });
}

async function kept(cache: DocumentCache, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await cache.find(keyOf(path))) !== undefined) found.push(path);
  return found;
}

function urlOf(path: string): string {
  return `https://docs.example${path}`;
}

function keyOf(path: string, variant: DocumentVariant = 'static') {
  return { url: urlOf(path), variant };
}

function snapshotOf(
  path: string,
  { markdown = 'words', ...part }: Partial<Snapshot> & { markdown?: string } = {},
): Snapshot {
  const document: AIDocument = {
    schema: { name: 'AIDocument', version: '2.0', ref: 'aidoc:sha256:0' },
    source: { url: urlOf(path), fetched_at: '2026-05-13T12:34:56Z', status_code: 200, freshness_policy: 'cache_first' },
    cache: { status: 'miss', origin_contacted: true, body_fetched: true },
    identity: {},
    content: { markdown },
    structure: {},
    signals: { has_json_ld: false, heading_hierarchy_ok: false },
  };
  return {
    variant: 'static',
    document,
    fetchedAtMs: 100,
    freshUntilMs: 1000,
    validators: { etag: '"1"', lastModified: 'Thu, 21 Aug 2025 12:00:00 GMT' },
    caching: { 'cache-control': 'max-age=60' },
    reader: '1',
    ...part,
  };
}
