import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageOf } from '../../../test/support/live-site.ts';
import { operate, watched } from '../../../test/support/operator.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { startHub } from '../../doors/hub.ts';
import { encodeHealthReport, healthReport } from '../../hub/health/health-report.ts';
import type { WatchedSource } from '../../hub/store/hub-store.ts';
import { openSqliteHubStore } from '../../io/sqlite/hub-store.ts';

const HOUR = 3600_000;
const now = Date.now();
const READ = { lastCheckMs: now, lastOkMs: now, dueAtMs: now + HOUR };

const WELL = watched('well', READ);
const PAUSED = watched('paused', READ, { paused: 'they move' });
const DEGRADED = watched('degraded', { ...READ, fallback: 1 });
const PARTLY = watched('partly', { ...READ, unread: 3 });
const QUIET = watched('quiet', { ...READ, lastChangeMs: now - 100 * HOUR, changeGapsMs: Array(6).fill(HOUR) });
const BROKEN = watched('broken', {
  ...READ,
  failures: 3,
  staleSinceMs: now - HOUR,
  lastOkMs: now - 2 * HOUR,
  error: {
    code: 'PageStatusError',
    httpStatus: 503,
    message: 'https://broken.example/ answered 503.\nok        well  All is well.',
  },
});

/** A data folder with these sources; with `running`, somebody holds it as a hub does. */
async function dataFolder(sources: readonly WatchedSource[], { running = true } = {}) {
  const folder = temporaryFolder();
  const store = await openSqliteHubStore({ folder: folder.path });
  await store.putSources(sources);
  if (!running) await store[Symbol.asyncDispose]();
  return {
    path: folder.path,
    status: (...args: string[]) => operate(['status', '--data', folder.path, ...args]),
    async [Symbol.asyncDispose]() {
      if (running) await store[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

test('what ails comes first, the worst on top; then the counts', async () => {
  await using at = await dataFolder([WELL, QUIET, PAUSED, DEGRADED, BROKEN]);
  const { code, out, err } = await at.status();
  const lines = out.split('\n');
  expect([code, err]).toEqual([0, '']);
  expect(lines[0]).toMatch(/^error +broken +https:\/\/broken\.example\/ answered 503\. .*Failed 3 times; last read 20/);
  expect(lines[1]).toMatch(/^degraded +degraded +Read by fallback 2 at /);
  expect(lines[2]).toMatch(/^quiet +quiet +Quieter than its rhythm since /);
  expect(lines[3]).toBe('5 sources: 2 ok, 1 degraded, 1 in error, 1 paused; 1 quiet. 60 % are read.');
  expect(lines).toHaveLength(5);
  const all = (await at.status('--all')).out;
  expect(all).toMatch(/^disabled +paused +Paused: they move\. Last read/m);
  expect(all).toMatch(/^ok +well +Last read .*, last change never\.$/m);
  expect(lines[4]).toMatch(
    /^The data take \d+ KiB, [\d.]+ [KMGT]iB are free; how fast they grow is known after a day\. Everything is kept\.$/,
  );
});

test('pages that could not be read are trouble', async () => {
  await using at = await dataFolder([WELL, PARTLY]);
  const lines = (await at.status()).out.split('\n');
  expect(lines[0]).toMatch(/^unread +partly +3 pages unread\. Last read .*, last change never\.$/);
  expect(lines[1]).toBe(
    '2 sources: 2 ok, 0 degraded, 0 in error, 0 paused; 0 quiet, 1 with pages unread. 100 % are read.',
  );
  expect(JSON.parse((await at.status('--json')).out)).toMatchObject({
    summary: { unread: 1 },
    sources: { partly: { status: 'ok', unread: 3 } },
  });
});

test('what a check noted is shown, and is no trouble', async () => {
  const notes = ['The entry "x" is passed over: its signature does not verify.', 'The entry "y" is passed over.'];
  await using at = await dataFolder([WELL, watched('noted', { ...READ, notes })]);
  const { out, code } = await at.status('--fail-on', 'quiet');
  expect(code).toBe(0);
  expect(out.split('\n')[0]).toMatch(/^noted +noted +The entry "x" is passed over: .* And 1 more note\. Last read /);
  expect(JSON.parse((await at.status('--json')).out).sources.noted).toMatchObject({ status: 'ok', notes: 2 });
});

test('a running hub says how many notes there are, and why a feed counts no more', async () => {
  const message = 'https://a.example/x moved to https://b.example/. Trust it again (tidings source retrust a).';
  const error = { code: 'AgentFeedUntrustedError', message };
  const sources = [
    watched('a', { ...READ, failures: 2, error }),
    watched('b', { ...READ, notes: ['secret'] }),
    watched('c', { ...READ, failures: 2, error: { code: 'DnsError', message: 'secret' } }),
  ];
  const report = healthReport(sources, {
    news: { lastChangeIdOf: () => undefined, standingOf: () => undefined },
    nowMs: now,
    writable: true,
  });
  expect(encodeHealthReport(report)).not.toContain('secret');
  const hub = createServer((_, response) => response.end(encodeHealthReport(report)));
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
  const { out } = await operate(['status', '--hub', url]);
  expect(out).toMatch(/^error +a +https:\/\/a\.example\/x moved to .*\(tidings source retrust a\)\. Failed 2 times/m);
  expect(out).toMatch(/^noted +b +1 note; tidings source list --json shows it\. Last read /m);
  hub.close();
  hub.closeAllConnections();
});

test('what was dropped is not shown', async () => {
  await using at = await dataFolder([WELL, { ...BROKEN, origin: 'config', dropped: true }]);
  expect(JSON.parse((await at.status('--json')).out)).toMatchObject({ summary: { total: 1, error: 0 } });
});

test('a hub that cannot write to its disk says so, and that is as bad as an error', async () => {
  const hub = createServer((_, response) => response.end('{"writable":false,"sources":{"a":{"status":"ok"}}}'));
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`;
  const { code, out } = await operate(['status', '--hub', url]);
  expect([code, out]).toEqual([0, expect.stringMatching(/^The hub cannot write to its disk/m)]);
  expect((await operate(['status', '--hub', url, '--fail-on', 'error'])).code).toBe(1);
  expect(JSON.parse((await operate(['status', '--hub', url, '--json'])).out)).toMatchObject({ writable: false });
  hub.close();
  hub.closeAllConnections();
});

test('as JSON, in the words of /state/health.json and with what failed', async () => {
  await using at = await dataFolder([WELL, BROKEN]);
  const status = JSON.parse((await at.status('--json')).out);
  expect(status).toMatchObject({
    running: true,
    summary: { total: 2, ok: 1, error: 1, quiet: 0, overdue: 0, health_pct: 50 },
    sources: { broken: { status: 'error', stale: true, consecutive_failures: 3, error: { http_status: 503 } } },
  });
  expect(status.sources.broken.error.message).toContain('answered 503');
  expect(status.sources.well).not.toHaveProperty('cursor');
});

test.each([
  [
    [WELL, PAUSED],
    [0, 0, 0],
  ],
  [
    [WELL, QUIET],
    [0, 0, 1],
  ],
  [
    [WELL, DEGRADED],
    [0, 1, 1],
  ],
  [
    [WELL, PARTLY],
    [0, 1, 1],
  ],
  [
    [WELL, BROKEN],
    [1, 1, 1],
  ],
] as const)('--fail-on error, degraded, quiet: exit codes (%#)', async (sources, expected) => {
  await using at = await dataFolder(sources);
  const codes: number[] = [];
  for (const trouble of ['error', 'degraded', 'quiet']) codes.push((await at.status('--fail-on', trouble)).code);
  expect(codes).toEqual(expected);
});

test('data that nobody looks after is said to be so, and is as bad as an error', async () => {
  await using at = await dataFolder([{ ...WELL, health: { ...WELL.health, dueAtMs: now - HOUR } }], { running: false });
  const { code, out } = await at.status();
  expect([code, out]).toEqual([0, expect.stringMatching(/No hub runs on this data: nothing is looked at/)]);
  expect((await at.status('--fail-on', 'error')).code).toBe(1);
  expect(JSON.parse((await at.status('--json')).out)).toMatchObject({ running: false, summary: { overdue: 1 } });
});

test('beside a hub that runs, one that waits long is said and is no failure', async () => {
  await using at = await dataFolder([{ ...WELL, health: { ...WELL.health, dueAtMs: now - HOUR } }]);
  const { code, out } = await at.status('--fail-on', 'quiet');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^1 overdue, the longest since 20\d\d-.*: large, or waiting\.$/m),
  ]);
});

test('what cannot be read is exit 3: no data, damaged data, nobody at the address, somebody else there', async () => {
  using folder = temporaryFolder();
  expect(await operate(['status', '--data', folder.path])).toMatchObject({
    code: 3,
    err: expect.stringContaining('holds no log'),
  });
  folder.write({ 'tidings.db': 'no database '.repeat(100) });
  expect((await operate(['status', '--data', folder.path])).code).toBe(3);
  expect((await operate(['status', '--hub', 'http://127.0.0.1:9/'])).code).toBe(3);
  const other = createServer((_, response) => response.end('{"sources":{"a":{"status":"fine"}}}'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const answered = await operate(['status', '--hub', `http://127.0.0.1:${port}/`]);
  expect(answered).toMatchObject({ code: 3, err: expect.stringContaining('Is this the address of a hub?') });
  other.close();
  other.closeAllConnections();
  expect((await operate(['status', '--fail-on', 'everything'])).code).toBe(2);
});

test('a hub that runs says the same of itself as its data does', async () => {
  using folder = temporaryFolder();
  folder.write({ 'site/index.html': pageOf('Home') });
  const source = { id: 'docs', kind: 'folder' as const, path: './site', site: 'https://docs.example/' };
  const settings = { port: 0, data: './data', sources: [source] };
  await using hub = await startHub(settings, { base: folder.path });
  const status = async (...place: string[]) => JSON.parse((await operate(['status', '--json', ...place])).out);
  const ofData = () => status('--data', join(folder.path, 'data'));
  let read = await ofData();
  while (read.sources.docs.pending) read = await ofData();
  const asked = await status('--hub', hub.url);
  const { last_change_id, ...docs } = asked.sources.docs;
  expect(last_change_id).toMatch(/^0/);
  expect(docs).toEqual(read.sources.docs);
  expect(asked.summary).toEqual(read.summary);
  expect([asked.running, read.running]).toEqual([true, true]);
});

test('who asked for a pause is said, and until when, as long as it lasts', async () => {
  const [untilMs, until] = [now + HOUR, new Date(now + HOUR).toISOString()];
  const pause = { by: 'busy.example', untilMs };
  const busy = watched('busy', { ...READ, failures: 1, error: { code: 'HostPausedError', message: 'Wait.' }, pause });
  const over = watched('over', {
    ...READ,
    failures: 1,
    error: busy.health.error,
    pause: { ...pause, untilMs: now - 1 },
  });
  await using data = await dataFolder([busy, over]);
  const { out } = await data.status();
  expect(out).toContain(`busy.example asked for a pause until ${until}; tidings source resume ends it.`);
  expect(out.split('asked for a pause')).toHaveLength(2);
  const { sources } = JSON.parse((await data.status('--json')).out) as { sources: Record<string, object> };
  expect(sources.busy).toMatchObject({ host_pause: { by: 'busy.example', until } });
  expect(sources.over).not.toHaveProperty('host_pause');
});
