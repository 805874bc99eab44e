import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { steadyFiles } from '../../test/support/steady-files.ts';
import { FolderError } from '../errors/folder-error.ts';
import { LogLockedError } from '../errors/log-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { StateCorruptError } from '../errors/state-corrupt-error.ts';
import { lockFolder } from '../io/sqlite/writer-lock.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';
const FEED = 'ai-changes.ndjson';
const STATE = '.well-known/tidings';
const LOG = `${STATE}/log.ndjson`;
const PAGES = `${STATE}/pages.ndjson`;
const LISTS = `${STATE}/lists.json`;

const section = (text: string) => [
  { id: 'a', heading: 'First', text },
  { id: 'b', heading: 'Second', text: 'It stays as it is.' },
  { id: 'c', heading: 'Third', text: 'It stays as it is, too.' },
];
const build = (text: string) => ({
  'index.html': htmlPage('Home', section(text)),
  'x.html': htmlPage('X', section('Same.')),
});

function siteWith(text: string): TestFolder {
  const folder = temporaryFolder();
  folder.write(build(text));
  return folder;
}

test('a machine without state goes on from the live site, and the feed only grows', async () => {
  using live = siteWith('One.');
  await publish({ dir: live.path, site: SITE, rotateBytes: 500 });
  await using server = await serveFolder(live.path);
  let feeds = feedsOf(live);
  for (const text of ['Two.', 'Three.', 'Four.', 'Five.']) {
    using fresh = siteWith(text);
    const options = { previous: server.url, allowPrivate: true, rotateBytes: 500 };
    const report = await publish({ dir: fresh.path, site: SITE, ...options });
    expect(report.changes).toMatchObject([{ action: 'update', url: SITE, anchor: 'a' }]);
    const now = feedsOf(fresh);
    for (const [name, earlier] of Object.entries(feeds)) expect(now[name]?.startsWith(earlier)).toBe(true);
    feeds = now;
    live.write(Object.fromEntries(Object.keys(fresh.fingerprint()).map((name) => [name, fresh.read(name)])));
  }
  expect(Object.keys(feeds).length).toBeGreaterThan(1);
});

function feedsOf(site: TestFolder): Record<string, string> {
  const names = Object.keys(site.fingerprint()).filter((name) => name.startsWith('ai-changes'));
  return Object.fromEntries(names.map((name) => [name, site.read(name)]));
}

test('a folder can be the previous site', async () => {
  using live = siteWith('One.');
  await publish({ dir: live.path, site: SITE });
  using fresh = siteWith('One.');
  expect(await publish({ dir: fresh.path, site: SITE, previous: live.path })).toMatchObject({
    unchanged: 2,
    changes: [],
  });
  expect(fresh.read(FEED)).toBe(live.read(FEED));
});

test('a live site that was never published starts a new log; one that is ill stops the publish', async () => {
  using live = siteWith('One.');
  await using server = await serveFolder(live.path);
  using fresh = siteWith('One.');
  expect(await publish({ dir: fresh.path, site: SITE, previous: server.url, allowPrivate: true })).toMatchObject({
    created: 2,
  });

  using other = siteWith('One.');
  const refused = publish({ dir: other.path, site: SITE, previous: 'http://127.0.0.1:9/', allowPrivate: true });
  await expect(refused).rejects.toMatchObject({ recovery: 'retry-later' });
  expect(Object.keys(other.fingerprint())).toEqual(['index.html', 'x.html']);
});

test('state can live apart from the site', async () => {
  using state = temporaryFolder();
  using first = siteWith('One.');
  await publish({ dir: first.path, site: SITE, state: state.path });
  expect(Object.keys(state.fingerprint())).toEqual(['lists.json', 'log.ndjson', 'pages.ndjson']);
  expect(Object.keys(first.fingerprint())).not.toContain(LOG);

  using second = siteWith('Two.');
  expect(await publish({ dir: second.path, site: SITE, state: state.path })).toMatchObject({
    updated: 1,
    unchanged: 1,
  });
  expect(second.read(FEED).startsWith(first.read(FEED))).toBe(true);
});

test('feeds can be written apart from the pages', async () => {
  using site = siteWith('One.');
  using out = temporaryFolder();
  site.write({ _headers: '/*\n  X-Own: 1\n' });
  const before = site.fingerprint();
  await publish({ dir: site.path, site: SITE, out: out.path });
  expect(site.fingerprint()).toEqual(before);
  expect(out.read('_headers').startsWith('/*\n  X-Own: 1\n')).toBe(true);
});

/** Since when the bytes of a file are as they are only pages.ndjson knows: once it is lost, that is not told of earlier than now. */
function withoutFileTimes(site: TestFolder): Record<string, string> {
  const { [PAGES]: _, [LISTS]: __, 'resourcesync/resourcelist.xml': list, ...others } = steadyFiles(site);
  expect(list).toBeDefined();
  return others;
}

test.each([
  ['pages.ndjson was never written', (site: TestFolder) => site.remove(PAGES)],
  [
    'the feeds were never written',
    (site: TestFolder) => [FEED, '.well-known/ai-changefeed', '_headers'].map(site.remove),
  ],
])('a publish that was cut off (%s) is completed by the next one, without a second event', async (_, cut) => {
  using site = siteWith('One.');
  await publish({ dir: site.path, site: SITE });
  site.write(build('Two.'));
  await publish({ dir: site.path, site: SITE });
  const whole = withoutFileTimes(site);
  cut(site);
  expect(await publish({ dir: site.path, site: SITE })).toMatchObject({ changes: [] });
  expect(withoutFileTimes(site)).toEqual(whole);
});

test('pages.ndjson of an earlier run is mended from the log', async () => {
  using site = siteWith('One.');
  await publish({ dir: site.path, site: SITE });
  const older = site.read(PAGES);
  site.write(build('Two.'));
  await publish({ dir: site.path, site: SITE });
  const whole = withoutFileTimes(site);
  site.write({ [PAGES]: older });
  expect(await publish({ dir: site.path, site: SITE })).toMatchObject({ changes: [] });
  expect(withoutFileTimes(site)).toEqual(whole);

  site.write({ ...build('Three.'), [PAGES]: older });
  expect((await publish({ dir: site.path, site: SITE })).changes).toMatchObject([
    { action: 'update', url: SITE, note: 're-read' },
  ]);
});

test.each([
  ['log.ndjson with a line that is not JSON', LOG, (text: string) => text.replace(/\n.{20}/, '\n'), /log\.ndjson:2/],
  ['log.ndjson of a newer format', LOG, (text: string) => text.replace('log/1', 'log/9'), /log\/9/],
  ['log.ndjson that was cut', LOG, (text: string) => text.slice(0, -30), /log\.ndjson:3/],
  ['log.ndjson that lost a line', LOG, (text: string) => text.replace(/[^\n]+\n$/, ''), /holds only 1/],
  [
    'pages.ndjson with an altered line',
    PAGES,
    (text: string) => text.replace('"title":"X"', '"title":"Y"'),
    /pages\.ndjson/,
  ],
  ['pages.ndjson with a broken line', PAGES, (text: string) => text.replace(/\{"file"/, '{"fi'), /pages\.ndjson:2/],
  ['pages.ndjson of a newer format', PAGES, (text: string) => text.replace('pages/1', 'pages/3'), /newer/],
])('%s is refused and left as it is', async (_, file, damage, message) => {
  using site = siteWith('One.');
  await publish({ dir: site.path, site: SITE });
  site.write({ [file]: damage(site.read(file)), ...build('Two.') });
  const before = site.fingerprint();
  const refused = publish({ dir: site.path, site: SITE });
  await expect(refused).rejects.toThrow(StateCorruptError);
  await expect(publish({ dir: site.path, site: SITE })).rejects.toThrow(message);
  expect(site.fingerprint()).toEqual(before);
});

test('places that tell different histories are a contradiction, and nothing is written', async () => {
  using one = siteWith('One.');
  using two = siteWith('Two.');
  await publish({ dir: one.path, site: SITE });
  await publish({ dir: two.path, site: SITE });
  const before = one.fingerprint();
  const both = publish({ dir: one.path, site: SITE, state: join(two.path, STATE) });
  await expect(both).rejects.toThrow(expect.objectContaining({ name: 'StateContradictionError' }));
  await expect(publish({ dir: one.path, site: SITE, previous: two.path })).rejects.toThrow(
    /neither log is the beginning/,
  );
  await expect(publish({ dir: one.path, site: 'https://other.example/' })).rejects.toThrow(
    /history of https:\/\/docs\.example\//,
  );
  expect(one.fingerprint()).toEqual(before);
});

test('a state that lags behind what is published is brought up, not forked', async () => {
  using state = temporaryFolder();
  using site = siteWith('One.');
  await publish({ dir: site.path, site: SITE });
  state.write({ 'log.ndjson': site.read(LOG), 'pages.ndjson': site.read(PAGES) });
  site.write(build('Two.'));
  await publish({ dir: site.path, site: SITE });
  const feed = site.read(FEED);
  site.write(build('Three.'));
  expect(await publish({ dir: site.path, site: SITE, state: state.path })).toMatchObject({ updated: 1 });
  expect(site.read(FEED).startsWith(feed)).toBe(true);
});

test.each([
  [undefined, 300],
  [600, 300],
  [300, 600],
  [300, undefined],
])(
  'where pages.ndjson is lost, the files of the feed (rotated at %s, now %s) tell how it was cut',
  async (earlier, now) => {
    using site = siteWith('One.');
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      site.write(build(text));
      await publish({ dir: site.path, site: SITE, rotateBytes: earlier });
    }
    const feeds = feedsOf(site);
    site.remove(PAGES);
    site.write(build('Five.'));
    await publish({ dir: site.path, site: SITE, rotateBytes: now });
    const after = feedsOf(site);
    for (const [name, text] of Object.entries(feeds)) expect(after[name]?.startsWith(text), name).toBe(true);
    const { self, archives = [] } = JSON.parse(site.read('.well-known/ai-changefeed')) as {
      self: string;
      archives?: string[];
    };
    expect([...archives, self].map((url) => url.slice(SITE.length)).sort()).toEqual(Object.keys(after).sort());
    expect(site.read(self.slice(SITE.length)).trimEnd().split('\n').at(-1)).toContain('re-read');
  },
);

test('a previous site that is not there, or is no site, is refused', async () => {
  using site = siteWith('One.');
  const before = site.fingerprint();
  const from = (previous: string) => publish({ dir: site.path, site: SITE, previous });
  await expect(from(join(site.path, 'typo'))).rejects.toThrow(FolderError);
  await expect(from('ftp://docs.example/')).rejects.toThrow(SettingRefusedError);
  await expect(from('https://docs.example/?x=1')).rejects.toThrow(/^previous https/);
  expect(site.fingerprint()).toEqual(before);
});

test('a run can be stopped while it waits for the live site', async () => {
  using site = siteWith('One.');
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = new AbortController();
  server.once('connection', () => stop.abort());
  const run = publish({
    dir: site.path,
    site: SITE,
    previous: `http://127.0.0.1:${port}/`,
    allowPrivate: true,
    signal: stop.signal,
  });
  await expect(run).rejects.toThrow();
  server.closeAllConnections();
  server.close();
  expect(Object.keys(site.fingerprint())).toEqual(['index.html', 'x.html']);
});

test('a feed that no log accounts for is never overwritten', async () => {
  using site = siteWith('One.');
  site.write({ [FEED]: '{"id":"1","action":"create","url":"https://docs.example/","time":"2025-01-01T00:00:00Z"}\n' });
  const before = site.fingerprint();
  await expect(publish({ dir: site.path, site: SITE })).rejects.toThrow(
    expect.objectContaining({ name: 'StateContradictionError' }),
  );
  expect(site.fingerprint()).toEqual(before);
});

test('a second publish into the same state says so', async () => {
  using site = siteWith('One.');
  await publish({ dir: site.path, site: SITE });
  const lock = await lockFolder(join(site.path, STATE), 'publish');
  await expect(publish({ dir: site.path, site: SITE })).rejects.toThrow(LogLockedError);
  await lock.release();
  await publish({ dir: site.path, site: SITE });
});

test('an output that cannot be written is named', async () => {
  using site = siteWith('One.');
  using other = temporaryFolder();
  writeFileSync(join(other.path, 'file'), '');
  await expect(publish({ dir: site.path, site: SITE, out: join(other.path, 'file', 'out') })).rejects.toThrow(
    FolderError,
  );
  await expect(publish({ dir: join(other.path, 'absent'), site: SITE, out: other.path })).rejects.toThrow(/absent/);
});
