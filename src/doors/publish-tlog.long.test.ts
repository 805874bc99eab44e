import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { readTestLog, rootOf, TEST_LOG_KEY } from '../../test/support/tlog-site.ts';
import { encodeTilePath, TILE_WIDTH } from '../codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../codecs/tlog/tiles-of-size.ts';
import { encodeLogKey, newLogKey } from '../dialects/tlog/log-key.ts';
import { check } from './check.ts';
import { fsckFolder } from './fsck-folder.ts';
import { type PublishOptions, publish } from './publish.ts';
import { announceEndpoint, newSigningKey } from './surface.ts';

const SITE = 'https://docs.example/';

const build = (text: string) => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]),
  'x.html': htmlPage('X', [{ id: 'a', heading: 'First', text: 'The same.' }]),
});

async function publishTo(folder: TestFolder, text: string, options: Partial<PublishOptions> = {}) {
  folder.write(build(text));
  return await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY, ...options });
}

const typesOf = (folder: TestFolder) => readTestLog(folder.path).entries.map(({ type }) => type);

test('a publish with a key begins a log: every change, then every file', async () => {
  using folder = temporaryFolder();
  const { artifacts } = await publishTo(folder, 'One.');
  const { entries, faults, note } = readTestLog(folder.path);
  expect(faults).toEqual([]);
  expect(note.split('\n')[0]).toBe('docs.example/.well-known/tidings');
  expect(entries[0]).toMatchObject({ type: 'begin', count: 0, origin: 'docs.example/.well-known/tidings' });
  expect(entries.slice(1, 3)).toMatchObject([
    { type: 'change', seq: 1 },
    { type: 'change', seq: 2 },
  ]);
  const named = entries.flatMap((entry) => (entry.type === 'artifact' ? [entry.path] : []));
  expect(named).toEqual(expect.arrayContaining(['ai-changes.ndjson', 'changes.atom', 'diff/latest.json']));
  expect(artifacts).toEqual(expect.arrayContaining(['.well-known/tidings/checkpoint', '.well-known/tidings/vkey']));
  for (const path of artifacts) expect([path, folder.fingerprint()[path] !== undefined]).toEqual([path, true]);
});

test('each publish goes on from the one before, and one that finds nothing says so', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'One.');
  const first = readTestLog(folder.path);
  await publishTo(folder, 'One.');
  const second = readTestLog(folder.path);
  expect(second.entries.at(-1)).toMatchObject({ type: 'checked', count: 1, after: 2 });
  await publishTo(folder, 'Two.');
  const third = readTestLog(folder.path);
  expect(third.entries.slice(second.size).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['change', 'artifact']),
  );
  for (const { size, root } of [first, second]) expect(rootOf(third.bytes.slice(0, size))).toBe(root);
  expect(third.faults).toEqual([]);
});

test('a log that begins late commits to the changes before', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'One.', { logKeyText: undefined });
  expect(folder.fingerprint()['.well-known/tidings/checkpoint']).toBeUndefined();
  await publishTo(folder, 'Two.');
  const { entries } = readTestLog(folder.path);
  expect(entries[0]).toMatchObject({ type: 'begin', count: 2 });
  expect(entries[1]).toMatchObject({ type: 'change', seq: 3 });
});

test('a log without its key goes no further, and nothing is written', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'One.');
  folder.write(build('Two.'));
  const before = folder.fingerprint();
  await expect(publish({ dir: folder.path, site: SITE })).rejects.toThrow(/--log-key .*TIDINGS_LOG_KEY.*--formats/);
  const other = encodeLogKey(newLogKey(new Uint8Array(32).fill(8), '2026-11-18T00:00:00Z'));
  await expect(publish({ dir: folder.path, site: SITE, logKeyText: other })).rejects.toThrow(/begun with/);
  expect(folder.fingerprint()).toEqual(before);
  await publish({ dir: folder.path, site: SITE, formats: ['aicf'] });
  expect(readTestLog(folder.path).entries.at(-1)?.type).toBe('artifact');
  await publish({ dir: folder.path, site: SITE, logKeyText: TEST_LOG_KEY });
  const changes = readTestLog(folder.path).entries.filter(({ type }) => type === 'change');
  expect(changes).toHaveLength(3);
  expect(changes.at(-1)).toMatchObject({ hashed: { excerpt: expect.any(String) } });
});

test('a site without a key hears of the log once, and pays nothing', async () => {
  using folder = temporaryFolder();
  const first = await publishTo(folder, 'One.', { logKeyText: undefined });
  expect(first.suggestions?.join(' ')).toContain('tidings keys new --log');
  const second = await publishTo(folder, 'Two.', { logKeyText: undefined });
  expect(second.suggestions ?? []).toEqual([]);
  expect(folder.read('.well-known/tidings/log.ndjson')).not.toContain('salts');
});

test('a machine without anything goes on from a copy of the site', async () => {
  using live = temporaryFolder();
  for (const text of ['One.', 'Two.', 'Three.']) await publishTo(live, text);
  using fresh = temporaryFolder();
  await publishTo(fresh, 'Four.', { previous: live.path });
  const { bytes, faults } = readTestLog(fresh.path);
  const { size, root } = readTestLog(live.path);
  expect(faults).toEqual([]);
  expect(rootOf(bytes.slice(0, size))).toBe(root);
  const partials = Object.keys(live.fingerprint()).filter((path) => path.includes('.p/'));
  expect(partials.length).toBeGreaterThan(5);
  const carried = fresh.fingerprint();
  for (const path of partials) expect(carried[path]).toBe(live.fingerprint()[path]);
});

test('a state that is kept elsewhere is enough to go on in an empty folder', async () => {
  using state = temporaryFolder();
  using one = temporaryFolder();
  await publishTo(one, 'One.', { state: state.path });
  using two = temporaryFolder();
  await publishTo(two, 'Two.', { state: state.path });
  const { bytes, faults } = readTestLog(two.path);
  const { size, root } = readTestLog(one.path);
  expect(faults).toEqual([]);
  expect(rootOf(bytes.slice(0, size))).toBe(root);
});

test('two logs of which neither is the beginning of the other are a contradiction', async () => {
  using live = temporaryFolder();
  await publishTo(live, 'One.');
  using fork = temporaryFolder();
  await publishTo(fork, 'One.', { previous: live.path });
  await publishTo(live, 'One.');
  const before = fork.fingerprint();
  await expect(publishTo(fork, 'One.', { previous: live.path })).rejects.toThrow(/beginning of the other/);
  expect(fork.fingerprint()).toEqual(before);
});

test('did.json of an agent-feed tells the key of the log, and nothing else of the feed changes', async () => {
  using folder = temporaryFolder();
  using keys = temporaryFolder();
  const target = { dir: folder.path, site: SITE, key: join(keys.path, 'key.json') };
  await newSigningKey(target);
  await announceEndpoint(target, { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.0' });
  await publishTo(folder, 'One.');
  const did = folder.read('.well-known/did.json');
  expect(did).toContain('#tidings-log');
  await publishTo(folder, 'Two.');
  expect(folder.read('.well-known/did.json')).toBe(did);
  await announceEndpoint(target, { endpointId: 'orders', endpoint: '/orders', protocol: 'rest', version: '1.1' });
  expect(folder.read('.well-known/did.json')).toContain('#tidings-log');
  await publishTo(folder, 'Two.');
  expect(await check(folder.path)).toEqual([]);
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
});

test('a machine without anything goes on from the live site, below a path', async () => {
  using live = temporaryFolder();
  const site = 'https://docs.example/guide/';
  for (let round = 0; round < 18; round += 1) await publishTo(live, `Text ${round}.`, { site });
  const { size, root, note } = readTestLog(live.path);
  expect(size).toBeGreaterThan(TILE_WIDTH);
  expect(note.split('\n')[0]).toBe('docs.example/guide/.well-known/tidings');
  await using server = await serveFolder(live.path);
  using fresh = temporaryFolder();
  await publishTo(fresh, 'Another.', { site, previous: server.url, allowPrivate: true });
  const { bytes, faults } = readTestLog(fresh.path);
  expect(faults).toEqual([]);
  expect(rootOf(bytes.slice(0, size))).toBe(root);
  const asked = server.requests.filter((path) => path.includes('/tile/'));
  expect(asked).toEqual(['/.well-known/tidings/tile/entries/000']);
});

test('a large site that nobody touched is not read, and nothing is claimed of it', async () => {
  using folder = temporaryFolder();
  const options = { stateBytes: 8000 };
  for (let page = 0; page < 60; page += 1) {
    const text = `It is ${page}.`;
    folder.write({ [`p/${page}.html`]: htmlPage(`Page ${page}`, [{ id: 'a', heading: 'First', text }]) });
  }
  for (let round = 0; round < 3; round += 1) await publishTo(folder, 'One.', options);
  expect(readTestLog(folder.path).entries.at(-1)?.type).toBe('checked');
  const before = folder.fingerprint();
  expect(Object.keys(before)).toContain('.well-known/tidings/seen.json');
  await publishTo(folder, 'One.', options);
  expect(folder.fingerprint()).toEqual(before);
  await publishTo(folder, 'Two.', options);
  expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
});

test('a dry run writes nothing of a log', async () => {
  using folder = temporaryFolder();
  await publishTo(folder, 'One.');
  folder.write(build('Two.'));
  const before = folder.fingerprint();
  await publishTo(folder, 'Two.', { dryRun: true });
  expect(folder.fingerprint()).toEqual(before);
  expect(typesOf(folder).filter((type) => type === 'checked')).toEqual([]);
});

clause(
  ['TL-T9', 'TL-T15', 'TL-E1'],
  'what a checkpoint needed stays until the full tile is there, and the first entries stay for ever',
  async () => {
    using folder = temporaryFolder();
    const sizes: number[] = [];
    let removed = 0;
    for (let round = 0; (sizes.at(-1) ?? 0) < 2 * TILE_WIDTH; round += 1) {
      await publishTo(folder, `Text ${round}.`);
      sizes.push(readTestLog(folder.path).size);
      for (const size of sizes) {
        for (const tile of [...newBundles(0, size), ...newTiles(0, size)]) {
          const isThere = [tile, { ...tile, width: TILE_WIDTH }].map((each) =>
            existsSync(join(folder.path, '.well-known/tidings', encodeTilePath(each))),
          );
          expect([size, encodeTilePath(tile), isThere.includes(true)]).toEqual([size, encodeTilePath(tile), true]);
          if (isThere[0] === false) removed += 1;
        }
      }
    }
    expect(removed).toBeGreaterThan(0);
    expect(existsSync(join(folder.path, '.well-known/tidings/tile/entries/000'))).toBe(true);
    expect(await fsckFolder(folder.path)).toMatchObject({ ok: true, findings: [] });
  },
);
