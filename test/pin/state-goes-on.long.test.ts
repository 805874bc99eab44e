import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { audit } from '../../src/doors/audit.ts';
import { fsckFolder } from '../../src/doors/fsck-folder.ts';
import { openSink } from '../../src/doors/open-sink.ts';
import { prove } from '../../src/doors/prove.ts';
import { publish } from '../../src/doors/publish.ts';
import { newWitnessKey, runWitness } from '../../src/doors/run-witness.ts';
import { sync } from '../../src/doors/sync.ts';
import { checkDomain, issueToken } from '../../src/doors/verify-domain.ts';
import { verifyReceiptText } from '../../src/doors/verify-receipt.ts';
import { MIGRATIONS } from '../../src/io/postgres/cluster/cluster-schema.ts';
import { openSqliteSyncState } from '../../src/io/sqlite/sync-state.ts';
import { type LiveSite, linking, pageOf, startLiveSite } from '../support/live-site.ts';
import { htmlPage, temporaryFolder } from '../support/site.ts';
import { TEST_LOG_KEY } from '../support/tlog-site.ts';
import { keptFiles, placeKept, readKeptState, writeKeptState } from './kept-state.ts';
import { IS_RELEASING } from './pinned.ts';

/** Docs: docs/releases.md has every format, and which test reads it. */
const SITE = 'https://docs.example/';
const RECORDED_MS = Date.parse('2026-04-01T09:00:00Z');
const LATER_MS = Date.parse('2026-04-20T09:00:00Z');
const logger = { debug() {}, info() {}, warn() {}, error() {} };
const LOG = '.well-known/tidings';
const FORMATS = ['aicf', 'tlog'];

/** What is kept is of one time and read at a later one, whatever the clock of the machine says. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true, now: RECORDED_MS });
  if (IS_RELEASING) await record();
  vi.setSystemTime(LATER_MS);
}, 120_000);

afterAll(() => {
  vi.useRealTimers();
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const page = (text: string) => htmlPage('Home', [{ id: 'a', heading: 'First', text }]);
const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(?:shm|wal)$|\.lock$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

/** Writes every state down, as the build at hand leaves it. */
async function record(): Promise<void> {
  using folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const options = { dir: at('site'), site: SITE, logKeyText: TEST_LOG_KEY, allowPrivate: true, formats: FORMATS };
  folder.write({ 'site/index.html': page('One.'), 'site/about.html': page('About.') });
  await publish(options);
  await newWitnessKey(at('witness.key'), 'witness.example/test');
  const logs = [at(`site/${LOG}/vkey`)];
  {
    const place = { data: at('witness'), host: '127.0.0.1', port: 0, logger };
    await using witness = await runWitness({ key: at('witness.key'), logs, ...place });
    folder.write({ 'site/index.html': page('Two.') });
    vi.setSystemTime(RECORDED_MS + 3600_000);
    await publish({ ...options, witnesses: [`${witness.vkey}@${witness.url}`] });
  }
  await audit(at('site'), { state: at('audit') });
  const [memory = ''] = readdirSync(at('audit'));
  renameSync(join(at('audit'), memory), join(at('audit'), 'audit.ndjson'));
  folder.write({ 'receipt/receipt.json': (await prove(`${SITE}#a`, at('site'))).text });
  await issueToken('docs.example', { state: at('tokens') });
  await using live = await openLive();
  mkdirSync(at('sync'));
  await syncOnce(live, at('sync'));
  writeKeptState({
    ...Object.fromEntries(
      ['site', 'witness', 'audit', 'receipt', 'tokens'].map((name) => [
        name,
        keptFiles(at(name), filesBelow(at(name))),
      ]),
    ),
    sync: keptFiles(at('sync'), ['index.db', 'state/sync-1.db'], new URL(live.url).host),
    postgres: { 'migrations.sql': migrationsText(MIGRATIONS.length) },
  });
}

function openLive(): Promise<LiveSite> {
  return startLiveSite({ '/': linking('Home', 'a', 'b'), '/a': pageOf('Page a'), '/b': pageOf('Page b') });
}

async function syncOnce({ url }: LiveSite, folder: string): Promise<void> {
  const signal = new AbortController().signal;
  const state = join(folder, 'state');
  const sink = await openSink(`sqlite:${join(folder, 'index.db')}`, { state, signal });
  const options = { urls: url, sink, state, once: true, allowPrivate: true, cooldownMs: 0 };
  for await (const { pages } of sync(options)) expect(pages.put).toBe(3);
}

const migrationsText = (count: number) =>
  MIGRATIONS.slice(0, count)
    .map((migrate) => migrate('"s"'))
    .join('---\n');

test('each state is kept, and small', () => {
  const states = readKeptState();
  expect(Object.keys(states)).toEqual(['site', 'witness', 'audit', 'receipt', 'tokens', 'sync', 'postgres']);
  for (const [name, files] of Object.entries(states)) {
    expect(Object.keys(files).length, name).toBeGreaterThan(0);
    expect(JSON.stringify(files).length, name).toBeLessThan(64_000);
  }
  expect(JSON.stringify(states)).not.toMatch(/"seed"|PRIVATE\+KEY/);
});

test('a publish goes on from a kept provable log, and all of it still holds', async () => {
  const dir = scratch();
  placeKept('site', dir);
  expect(await fsckFolder(dir)).toMatchObject({ findings: [] });
  const before = readFileSync(join(dir, LOG, 'log.ndjson'), 'utf8');
  const sizeOf = () => Number(readFileSync(join(dir, LOG, 'checkpoint'), 'utf8').split('\n')[1]);
  const size = sizeOf();
  const options = { dir, site: SITE, logKeyText: TEST_LOG_KEY, formats: FORMATS };
  expect(await publish(options)).toMatchObject({ changes: [], created: 0, updated: 0, deleted: 0 });
  expect(readFileSync(join(dir, LOG, 'log.ndjson'), 'utf8')).toBe(before);
  expect(sizeOf()).toBeGreaterThanOrEqual(size);
  expect(await fsckFolder(dir)).toMatchObject({ findings: [] });
  expect(await audit(dir)).toMatchObject({ ok: true, findings: [], unread: [] });
});

test('an audit goes on from what was remembered, and another log under the same key is found out', async () => {
  const dir = scratch();
  placeKept('site', dir);
  const state = scratch();
  placeKept('audit', state);
  const memoryOf = (place: string) =>
    join(state, `audit-${createHash('sha256').update(place).digest('hex').slice(0, 16)}.ndjson`);
  const fork = scratch();
  writeFileSync(join(fork, 'index.html'), page('Another history.'));
  await publish({ dir: fork, site: SITE, logKeyText: TEST_LOG_KEY, formats: FORMATS });
  for (const place of [dir, fork]) copyFileSync(join(state, 'audit.ndjson'), memoryOf(place));
  const report = await audit(dir, { state });
  expect(report).toMatchObject({ ok: true, proven: true, previousSize: report.size });
  expect(report.size).toBeGreaterThan(3);
  const forked = await audit(fork, { state });
  expect(forked).toMatchObject({ ok: false, proven: false });
  expect(forked.findings.length).toBeGreaterThan(0);
});

test('a witness goes on from its kept store: it cosigns what follows', async () => {
  const dir = scratch();
  placeKept('site', dir);
  const data = scratch();
  placeKept('witness', data);
  const key = join(scratch(), 'witness.key');
  await newWitnessKey(key, 'witness.example/other');
  const place = { data, host: '127.0.0.1', port: 0, logger };
  await using witness = await runWitness({ key, logs: [join(dir, LOG, 'vkey')], ...place });
  const { vkey } = witness;
  const index = join(dir, 'index.html');
  writeFileSync(index, page('Three.'));
  const options = { dir, site: SITE, logKeyText: TEST_LOG_KEY, formats: FORMATS, allowPrivate: true };
  const remarks: string[] = [];
  await publish({ ...options, witnesses: [`${vkey}@${witness.url}`], onRemark: (remark) => remarks.push(remark) });
  expect(remarks).toEqual([]);
  expect(await audit(dir, { witnesses: [vkey] })).toMatchObject({ ok: true, unread: [] });
});

test('a kept receipt proves what it did', () => {
  const folder = scratch();
  placeKept('receipt', folder);
  placeKept('site', join(folder, 'site'));
  const vkey = readFileSync(join(folder, 'site', LOG, 'vkey'), 'utf8').trim();
  const text = readFileSync(join(folder, 'receipt.json'), 'utf8');
  expect(verifyReceiptText(text, 'receipt.json', { vkey })).toMatchObject({ ok: true, signer: 'trusted' });
});

test('a kept token of a domain is known', async () => {
  const state = scratch();
  placeKept('tokens', state);
  const nobody = { resolvers: ['127.0.0.1:9'], dnsPort: 9, httpsPort: 9, allowPrivate: true };
  // Nobody answers for the domain; without a token that would not be asked.
  expect(await checkDomain('docs.example', { state, ...nobody })).toMatchObject({ verified: false });
  await expect(checkDomain('other.example', { state, ...nobody })).rejects.toThrow(/token/);
});

test('the index and the state of a kept sync are read: what is held of each page, and up to where', async () => {
  const folder = scratch();
  placeKept('sync', folder);
  const urls = ['', 'a', 'b'].map((path) => `http://docs.example/${path}`);
  await using state = await openSqliteSyncState(join(folder, 'state/sync-1.db'));
  const { place, marks } = await state.load();
  expect(place).toMatchObject({ isWhole: true, cursor: expect.stringMatching(/^[0-9A-Z]{26}$/) });
  expect(marks.map(({ url }) => url).sort()).toEqual(urls);
  const sink = await openSink(`sqlite:${join(folder, 'index.db')}`, {
    state: folder,
    signal: new AbortController().signal,
  });
  for (const mark of marks) {
    const held = await sink.held(mark.url);
    expect(held).toMatchObject({ checksum: mark.is === 'held' ? mark.checksum : undefined });
    expect(held?.sections.map(({ anchor }) => anchor)).toEqual(expect.arrayContaining(['one', 'two', 'three']));
  }
  await sink.remove(urls[0] ?? '');
  const left: string[] = [];
  for await (const { url } of sink.pages()) left.push(url);
  expect(left.sort()).toEqual(urls.slice(1));
  await sink[Symbol.asyncDispose]?.();
});

test('the steps that made tables of PostgreSQL are as they were: later ones are added behind them', () => {
  const kept = String(readKeptState().postgres?.['migrations.sql']);
  expect(migrationsText(kept.split('---\n').length)).toBe(kept);
});

/** Where each format stands in the sources, and how docs/releases.md calls it. */
const FORMATS_SAID: readonly (readonly [file: string, source: string, said: string])[] = [
  ['log/log-file.ts', "FORMAT = 'log/1'", '`log/1`'],
  ['log/pages-file.ts', "FORMAT = 'pages/1'", '`pages/1`'],
  ['log/pages-file.ts', "PARTED_FORMAT = 'pages/2'", '`pages/2`'],
  ['produce/seen-site.ts', "FORMAT = 'seen/1'", '`seen/1`'],
  ['codecs/tlog/entry.ts', "LOG_FORMAT = 'tidings-log@v1'", '`tidings-log@v1`'],
  ['dialects/tlog/publish/tree-file.ts', "FORMAT = 'tree/1'", '`tree/1`'],
  ['announce/announced.ts', "FORMAT = 'announced/1'", '`announced/1`'],
  ['audit/audit-memory.ts', "TYPE = 'tidings audit 1'", '`tidings audit 1`'],
  ['dialects/tlog/log-key.ts', "FILE_TYPE = 'tidings log key'", '`tidings log key`'],
  ['io/sqlite/log-schema.ts', 'const VERSION = 1;', 'log 1 (`user_version`)'],
  ['io/sqlite/hub-schema.ts', 'const VERSION = 5;', 'hub 5 (`hub_format`)'],
  ['io/sqlite/catalogue-schema.ts', 'const VERSION = 2;', '| `catalogue.sqlite` | 2 |'],
  ['io/sqlite/follow-schema.ts', 'const VERSION = 2;', '2 (`follow_format`)'],
  ['io/sqlite/reader-schema.ts', 'const VERSION = 1;', '1 (`reader_format`)'],
  ['io/sqlite/sync-state.ts', "SYNC_STATE_FILE = 'sync-1.db'", '`sync-1.db`'],
  ['io/sqlite/document-cache.ts', "FILE = 'documents-1.db'", '`documents-1.db`'],
  ['io/postgres/cluster/cluster-schema.ts', '[TABLES, LIMITS]', '| PostgreSQL, table `head` | 2 |'],
];

test.each(FORMATS_SAID)('docs/releases.md has the format of %s: %s', (file, source, said) => {
  expect(readFileSync(join('src', file), 'utf8')).toContain(source);
  expect(readFileSync('docs/releases.md', 'utf8')).toContain(said);
});
