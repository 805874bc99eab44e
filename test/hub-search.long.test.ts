import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { decodeEvent } from '../src/codecs/aicf/decode.ts';
import { decodeAtomFeed } from '../src/codecs/atom/decode-feed.ts';
import { type RunningHub, startHub } from '../src/doors/hub.ts';
import { pageOf } from './support/live-site.ts';
import { temporaryFolder } from './support/site.ts';

const DOCS = { id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/', intervalSeconds: 1 };
const SETTINGS = { port: 0, data: './data', sources: [DOCS] };
const SITE = { 'site/index.html': pageOf('Home'), 'site/guide/limits.html': pageOf('Rate limits') };

async function get(hub: RunningHub, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(new URL(path, hub.url), { headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function searched(hub: RunningHub, query: string) {
  return JSON.parse((await get(hub, `api/v1/views/search?${query}`)).text);
}

test('what a hub found is searched by words, as changes and as pages, and followed as a feed', async () => {
  using folder = temporaryFolder();
  folder.write(SITE);
  await using hub = await startHub(SETTINGS, { base: folder.path });
  const found = await vi.waitFor(async () => {
    const facts = await searched(hub, 'q=rate+lim&path=/guide/**');
    expect(facts.changes).toHaveLength(1);
    return facts;
  });
  expect(found.changes[0]).toMatchObject({ source: 'docs', url: 'https://docs.example/guide/limits.html' });
  expect(found.pages.state).toBe('whole');
  expect(found.pages.hits[0]).toMatchObject({ url: 'https://docs.example/guide/limits.html', title: 'Rate limits' });

  const atom = await get(hub, 'search.atom?q=rate');
  expect(atom.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(decodeAtomFeed(atom.text)).toMatchObject({
    ok: true,
    value: { items: [{ url: 'https://docs.example/guide/limits.html' }] },
  });
  const again = await get(hub, 'search.atom?q=rate', { 'if-none-match': atom.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  const lines = (await get(hub, 'search.ndjson?source=docs')).text.trimEnd().split('\n');
  const all = await searched(hub, 'source=docs');
  expect(lines.map((line) => decodeEvent(line))).toMatchObject(
    all.changes.toReversed().map(({ id }: { id: string }) => ({ ok: true, value: { id } })),
  );
});

test('pages are searched as they are now', async () => {
  using folder = temporaryFolder();
  folder.write(SITE);
  await using hub = await startHub(SETTINGS, { base: folder.path });
  const hitsOf = async (query: string): Promise<readonly { readonly url: string }[]> =>
    (await searched(hub, query)).pages.hits;
  await vi.waitFor(async () => expect(await hitsOf('q=rate')).not.toEqual([]), { timeout: 5000 });
  folder.write({ 'site/guide/limits.html': pageOf('Quotas') });
  await vi.waitFor(async () => expect(await hitsOf('q=quotas')).not.toEqual([]), { timeout: 5000 });
  expect(await hitsOf('q=rate')).toEqual([]);
  expect(await hitsOf('q=home')).not.toEqual([]);
});

test('a hub whose catalogue cannot be opened goes on, and says so', async () => {
  using folder = temporaryFolder();
  folder.write(SITE);
  mkdirSync(join(folder.path, 'data', 'catalogue.sqlite', 'in-the-way'), { recursive: true });
  const said: string[] = [];
  const note = (_: object, message: string) => void said.push(message);
  const logger = { debug() {}, info() {}, warn: note, error: note };
  await using hub = await startHub(SETTINGS, { base: folder.path, logger });
  await vi.waitFor(async () => {
    expect(JSON.parse((await get(hub, 'api/v1/changes')).text).changes.length).toBeGreaterThan(0);
  });
  expect(said.filter((line) => line.startsWith('The index over the log cannot be used'))).toHaveLength(1);
  const page = await get(hub, 'search');
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('CatalogueUnavailableError')]);
  expect((await get(hub, '')).status).toBe(200);
  expect((await get(hub, 'search.atom')).status).toBe(503);
});
