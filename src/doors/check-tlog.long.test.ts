import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { type FeedServer, startFeedServer } from '../../test/support/feed-server.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { check, checkReport } from './check.ts';
import { publish } from './publish.ts';

const PREFIX = '.well-known/tidings';

async function publishedSite(publishes = 2): Promise<TestFolder> {
  const folder = temporaryFolder();
  for (let round = 0; round < publishes; round += 1) {
    folder.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text: `Text ${round}.` }]) });
    await publish({ dir: folder.path, site: 'https://docs.example/', logKeyText: TEST_LOG_KEY });
  }
  return folder;
}

const GOOD = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
const TILE = { 'content-type': 'application/octet-stream', 'cache-control': 'public, max-age=31536000, immutable' };

async function serve(
  folder: TestFolder,
  headers: { readonly note?: object; readonly tile?: object } = {},
): Promise<FeedServer> {
  const server = await startFeedServer();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const files = readdirSync(join(folder.path, PREFIX), { recursive: true, withFileTypes: true });
  for (const entry of files.filter((each) => each.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.path.length);
    const said = path.includes('/tile/') ? { ...TILE, ...headers.tile } : { ...GOOD, ...headers.note };
    server.put(path, { body: readFileSync(file), headers: said as Record<string, string> });
  }
  return server;
}

const clausesOf = async (place: string) =>
  (await check(place, { spec: 'tlog', allowPrivate: true })).map(({ clause: id }) => id);

test('a published folder keeps every clause, and check lists it', async () => {
  using folder = await publishedSite();
  expect(await check(folder.path)).toEqual([]);
  const report = await checkReport(folder.path);
  expect(JSON.stringify(report)).toContain('tlog');
});

clause(['TL-T1', 'TL-T2'], 'a checkpoint is plain text that is not cached', async () => {
  using folder = await publishedSite();
  expect(await clausesOf((await serve(folder)).origin)).toEqual([]);
  expect(await clausesOf((await serve(folder, { note: { 'content-type': 'text/html' } })).origin)).toEqual(['TL-T1']);
  const kept = { 'cache-control': 'max-age=600' };
  expect(await clausesOf((await serve(folder, { note: kept })).origin)).toEqual(['TL-T2']);
  expect(folder.read('_headers')).toMatch(
    /tidings\/checkpoint\n {2}Content-Type: text\/plain; charset=utf-8\n {2}Cache-Control: no-cache\n {2}Access-Control-Allow-Origin: \*/,
  );
});

clause(['TL-T3', 'TL-T12', 'TL-E1'], 'tiles and bundles are bytes that are cached for long', async () => {
  using folder = await publishedSite();
  const other = { 'content-type': 'text/plain' };
  expect(new Set(await clausesOf((await serve(folder, { tile: other })).origin))).toEqual(new Set(['TL-T3', 'TL-E1']));
  const fresh = { 'cache-control': 'max-age=60' };
  expect(new Set(await clausesOf((await serve(folder, { tile: fresh })).origin))).toEqual(new Set(['TL-T12']));
  expect(folder.read('_headers')).toMatch(/tidings\/tile\/\*\n {2}Content-Type: application\/octet-stream\n/);
});

test('tiles that are missing or altered are found', async () => {
  using folder = await publishedSite();
  const paths = Object.keys(folder.fingerprint()).filter((path) => path.includes('/tile/'));
  const widest = Math.max(...paths.map((path) => Number(path.split('/').at(-1))));
  const [tile, bundle] = ['0', 'entries'].map((level) => `${PREFIX}/tile/${level}/000.p/${widest}`);
  const alter = async (path = '', bytes?: Uint8Array) => {
    const before = readFileSync(join(folder.path, path));
    if (bytes === undefined) folder.remove(path);
    else folder.write({ [path]: bytes });
    const found = await clausesOf(folder.path);
    folder.write({ [path]: before });
    return found;
  };
  expect(await alter(tile)).toContain('TL-T14');
  expect(await alter(bundle)).toContain('TL-T15');
  const hashes = Buffer.from(readFileSync(join(folder.path, tile ?? '')));
  hashes[0] = (hashes[0] ?? 0) ^ 1;
  expect(await alter(tile, hashes)).toEqual(expect.arrayContaining(['TL-T7', 'TL-E4']));
  expect(await alter(tile, hashes.subarray(1))).toContain('TL-T6');
  const entries = Buffer.from(readFileSync(join(folder.path, bundle ?? '')));
  expect(await alter(bundle, entries.subarray(0, -1))).toContain('TL-E5');
  expect(await clausesOf(folder.path)).toEqual([]);
});
