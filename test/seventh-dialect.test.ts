import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkPlace } from '../src/check/check.ts';
import { createFolderSource } from '../src/check/folder-source.ts';
import { feedDialects } from '../src/dialects/feed-readers.ts';
import { DIALECTS } from '../src/dialects/registry.ts';
import { inMemoryStorage } from '../src/dialects/storage.ts';
import { openPolite } from '../src/doors/open-http.ts';
import { runHub } from '../src/doors/run-hub.ts';
import { followSources } from '../src/follow/follow.ts';
import { MemoryFollowState } from '../src/follow/memory-follow-state.ts';
import { decodeHubConfig } from '../src/hub/config/decode-config.ts';
import { createFileBuiltSite } from '../src/io/files/built-site.ts';
import { createFileFolder } from '../src/io/files/folder.ts';
import { wait } from '../src/io/node/timer-wait.ts';
import { openFileLog } from '../src/io/state/log.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import { builtSource } from '../src/produce/built-source.ts';
import { LOG_FILE } from '../src/produce/load-state.ts';
import { produce } from '../src/produce/produce.ts';
import { TALLY } from './seventh-dialect/tally.ts';
import { encodeTally, TALLY_FILE } from './seventh-dialect/tally-text.ts';
import { NO_PARTS } from './support/check-parts.ts';
import { htmlPage, type TestFolder, temporaryFolder } from './support/site.ts';
import { serveFolder } from './support/static-server.ts';

const SITE = 'https://docs.example/';
const ALL = [...DIALECTS, TALLY];
const STATE = '.well-known/tidings';

test('a dialect outside of src/ is published: its file grows with the log, and nothing of an author is overwritten', async () => {
  using site = siteWith('One.');
  await publish(site);
  const first = site.read(TALLY_FILE);
  expect(first).toBe(
    encodeTally([
      { action: 'create', url: SITE },
      { action: 'create', url: `${SITE}x.html` },
    ]),
  );
  write(site, 'Two.');
  await publish(site);
  expect(site.read(TALLY_FILE)).toBe(`${first}3 update ${SITE}#a\n`);
  expect(site.read('_headers')).toContain(`/${TALLY_FILE}\n  Content-Type: text/plain`);

  using foreign = siteWith('One.');
  foreign.write({ [TALLY_FILE]: 'my own tally' });
  await expect(publish(foreign)).rejects.toThrow('not overwritten');
  expect(foreign.read(TALLY_FILE)).toBe('my own tally');
});

test('it is followed: each change once, in order, also where the follower stops in the middle of a batch', async () => {
  using site = siteWith('One.');
  await publish(site);
  await using server = await serveFolder(site.path);
  const state = new MemoryFollowState();
  expect(await follow(server.url, state, 1)).toEqual([`create ${SITE}`]);
  expect(await follow(server.url, state)).toEqual([`create ${SITE}x.html`]);
  write(site, 'Two.');
  await publish(site);
  expect(await follow(server.url, state)).toEqual([`update ${SITE}#a`]);
  expect(await follow(server.url, state)).toEqual([]);
});

test('it is checked beside the others, against its own clauses', async () => {
  using site = siteWith('One.');
  await publish(site);
  const whole = await check(site);
  expect(whole.map(({ spec }) => spec)).toEqual(['aicf', 'diffdelta', 'resourcesync', 'tally']);
  expect(whole.flatMap(({ findings }) => findings).filter(({ level }) => level === 'MUST')).toEqual([]);

  site.write({ [TALLY_FILE]: site.read(TALLY_FILE).replace('\n2 ', '\n3 ') });
  const broken = (await check(site)).find(({ spec }) => spec === 'tally');
  expect(broken?.findings).toMatchObject([{ clause: 'TALLY-2', where: expect.stringContaining(':3') }]);
  expect(broken?.clauses).toMatchObject([
    { id: 'TALLY-1', status: 'pass' },
    { id: 'TALLY-2', status: 'fail' },
  ]);
});

test('a hub reads it as a source and serves it, with what it serves made again from the log at the next start', async () => {
  using site = siteWith('One.');
  await publish(site);
  await using server = await serveFolder(site.path);
  using data = temporaryFolder();
  const sources = [{ id: 'docs', kind: 'feed', url: server.url, dialect: 'tally', intervalSeconds: 1 }];
  const settings = { port: 0, data: data.path, allowPrivate: true, sources };
  const config = decodeHubConfig(settings, { base: data.path, dialects: feedDialects(ALL) });
  const expected = site.read(TALLY_FILE);
  for (let start = 0; start < 2; start += 1) {
    await using hub = await runHub(config, { logger: SILENT, dialects: ALL });
    await expect.poll(async () => await served(hub.url), { timeout: 60_000 }).toBe(expected);
  }
});

function siteWith(text: string): TestFolder {
  const folder = temporaryFolder();
  write(folder, text);
  return folder;
}

function write(folder: TestFolder, text: string): void {
  const sections = [
    { id: 'a', heading: 'First', text },
    { id: 'b', heading: 'Second', text: 'It stays.' },
    { id: 'c', heading: 'Third', text: 'It stays, too.' },
  ];
  folder.write({ 'index.html': htmlPage('Home', sections), 'x.html': htmlPage('X', sections.slice(1)) });
}

async function publish(site: TestFolder): Promise<void> {
  const state = join(site.path, STATE);
  await produce(
    { site: SITE },
    {
      dialects: ALL,
      source: builtSource(createFileBuiltSite(site.path)),
      dir: createFileFolder(site.path),
      out: createFileFolder(site.path),
      state: createFileFolder(state),
      statePath: STATE,
      otherStates: [],
      previous: undefined,
      nonce: () => 'nonce',
      salt: () => '0'.repeat(64),
      version: 'test',
      now: Date.now,
      openLog: (address, { logParts, changes }) =>
        openFileLog({
          file: join(state, LOG_FILE),
          site: address.href,
          known: { parts: logParts, last: changes.at(-1) },
        }),
    },
  );
}

/** What one poll hands over; of a stopped one the first `most`, of which the last was not taken. */
async function follow(url: string, state: MemoryFollowState, most = Number.POSITIVE_INFINITY): Promise<string[]> {
  const ways = await openPolite({ allowPrivate: true, cooldownMs: 0 });
  onTestFinished(() => ways[Symbol.asyncDispose]());
  const request = { urls: [url], once: true, content: false, minIntervalMs: 1000 };
  const events = followSources(request, {
    ...{ http: ways.http, pages: ways.pages, gunzip, state, now: Date.now, wait },
    dialects: [TALLY],
    storage: inMemoryStorage(),
    signal: new AbortController().signal,
    onDiagnostic: () => {},
    onStatus: () => {},
  });
  const told: string[] = [];
  for await (const { action, boundary } of events) {
    if (told.length === most) break;
    told.push(`${action} ${boundary}`);
  }
  return told;
}

async function check(site: TestFolder) {
  const source = await createFolderSource(createFileFolder(site.path));
  const report = await checkPlace(source, { dialects: ALL, parts: NO_PARTS });
  return [report, ...(report.others ?? [])];
}

async function served(url: string): Promise<string> {
  return await (await fetch(new URL(TALLY_FILE, url))).text();
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
