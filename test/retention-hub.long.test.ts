import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { openSqliteAtomStore } from '../src/io/sqlite/atom-store.ts';
import { openSqliteHubStore } from '../src/io/sqlite/hub-store.ts';
import { openSqliteRuns } from '../src/io/sqlite/runs.ts';
import { operate } from './support/operator.ts';
import { temporaryFolder } from './support/site.ts';

const TOKEN = 'test-token-that-is-long-enough';
const DAY_MS = 24 * 3600_000;

/** A data folder with one change a day, the last one of today. */
async function writeDays(folder: string, days: number): Promise<string[]> {
  let nowMs = 0;
  const ids: string[] = [];
  await using store = await openSqliteHubStore({ folder, now: () => nowMs });
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    nowMs = Date.now() - ago * DAY_MS - 1000;
    const url = `https://docs.example/${ago}`;
    const [change] = await store.commit({ source: 'docs', drafts: [{ source: 'docs', action: 'update', url }] });
    ids.push(change?.id ?? '');
  }
  return ids;
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

test('the log of a hub is cut: what was served stays, what is gone is in an archive, and readers are told', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const ids = await writeDays(data, 10);
  const settings = { port: 0, data, sources: [] };
  let served = '';
  {
    await using hub = await startHub(settings, { base: folder.path, token: TOKEN });
    const get = async (path: string) => await fetch(new URL(path, hub.url));
    served = await (await get('ai-changes.ndjson')).text();
    expect(linesOf(served)).toHaveLength(10);

    const cut = await operate(['archive', '--keep-days', '4', '--hub', hub.url, '--json'], { TIDINGS_TOKEN: TOKEN });
    expect(cut).toMatchObject({ code: 0 });
    const { url, first_seq, last_seq } = JSON.parse(cut.out);
    expect({ first_seq, last_seq }).toEqual({ first_seq: 1, last_seq: 6 });
    const archived = gunzipSync(Buffer.from(await (await get(url)).arrayBuffer())).toString();
    expect(linesOf(archived).map((line) => JSON.parse(line).id)).toEqual(ids.slice(0, 6));

    const discovery = await (await get('.well-known/ai-changefeed')).json();
    expect(discovery).toMatchObject({ self: `${hub.url}aicf/_all-2.ndjson` });
    expect(linesOf(await (await get('aicf/_all-2.ndjson')).text())).toEqual(linesOf(served).slice(6));
    expect(await (await get('ai-changes.ndjson')).text()).toBe(served);
    expect((await get(`api/v1/changes?after=${ids[2]}`)).status).toBe(410);
    expect((await get(`api/v1/changes?after=${ids[5]}`)).status, 'who had all that was cut goes on').toBe(200);
    const again = await operate(['archive', '--keep-days', '4', '--hub', hub.url], { TIDINGS_TOKEN: TOKEN });
    expect(again.out).toContain('Nothing in the log is that old.');
  }
  const log = await operate(['log', data]);
  expect(log.out.split('\n')).toHaveLength(4);
  expect(log.err).toContain('the log begins with change 7');
  expect((await operate(['log', data, '--after', '6'])).err, 'nothing is missing').toBe('');
  await using hub = await startHub(settings, { base: folder.path, token: TOKEN });
  const text = async (path: string) => await (await fetch(new URL(path, hub.url))).text();
  expect(await text('ai-changes.ndjson')).toBe(served);
  expect(linesOf(await text('aicf/docs-2.ndjson'))).toHaveLength(4);
  const page = JSON.parse(await text('api/v1/changes'));
  expect(page).toMatchObject({ begins_after: ids[5], next: ids[9] });
  expect(page.changes).toHaveLength(4);
});

test('a log that no hub holds open is not cut, and it is said what to do', async () => {
  const ended = await operate(['archive', '--keep-days', '4']);
  expect(ended).toMatchObject({ code: 2, err: expect.stringContaining('--hub') });
});

test('what is kept is said where storage is', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const retention = { log: { days: 365 }, archives: { atom: { days: 1 }, diffdelta: { bytes: 2_000_000 } } };
  {
    await using hub = await startHub({ port: 0, data, retention }, { base: folder.path, token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}` };
    const storage = await (await fetch(new URL('api/v1/storage', hub.url), { headers })).json();
    expect(storage).toMatchObject({ retention });
  }
  expect((await operate(['status', '--data', data])).out).toContain(
    'Kept: log for 365 days, diffdelta archives up to 1.9 MiB, atom archives for 1 day; all else for good.',
  );
  await (await startHub({ port: 0, data }, { base: folder.path, token: TOKEN })).close();
  expect((await operate(['status', '--data', data])).out).toContain('Everything is kept.');
});

test('archives that have ended answer 410 with where their changes are, also behind a restart', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await writeDays(data, 60);
  const archives = new Map<string, string>();
  {
    await using hub = await startHub({ port: 0, data }, { base: folder.path, token: TOKEN });
    const latest = await (await fetch(new URL('diff/docs/latest.json', hub.url))).json();
    for (let path = latest.archive_url; path !== undefined; ) {
      const text = await (await fetch(new URL(path, hub.url))).text();
      archives.set(path, text);
      path = JSON.parse(text).prev_archive_url;
    }
    expect(archives.size).toBe(60);
  }
  {
    await using store = await openSqliteHubStore({ folder: data });
    const sinceMs = Date.now() - 5.5 * DAY_MS;
    const runs = store.openTables(openSqliteRuns);
    const point = await runs.endOfArchives({ sinceMs });
    expect(await runs.endArchives(point ?? new Uint8Array(), new Set())).toBeGreaterThan(100);
    expect(await store.openTables(openSqliteAtomStore).endArchives({ sinceMs })).toBe(2);
  }
  await using hub = await startHub({ port: 0, data, limits: { perMinute: 1000 } }, { base: folder.path, token: TOKEN });
  const seen = [...archives].map(async ([path, text]) => {
    const answer = await fetch(new URL(path, hub.url));
    const body = await answer.text();
    return answer.status === 200 ? body === text : [answer.status, JSON.parse(body).archives];
  });
  const gone = [410, `${hub.url}api/v1/archives`];
  expect(await Promise.all(seen)).toEqual([...Array(6).fill(true), ...Array(54).fill(gone)]);
  const atom = await fetch(new URL('atom/docs/_archive/1.atom', hub.url));
  expect([atom.status, (await atom.json()).changes]).toEqual([410, `${hub.url}api/v1/changes`]);
  expect(await (await fetch(new URL('atom/docs.atom', hub.url))).text()).not.toContain('prev-archive');
});

test('a hub drops by itself what its settings do not keep', async () => {
  // What a hub repeats comes when the test says so.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await writeDays(data, 10);
  const settings = { port: 0, data, retention: { log: { days: 4 } } };
  await using hub = await startHub(settings, { base: folder.path, token: TOKEN });
  const archived = async () => (await (await fetch(new URL('api/v1/archives', hub.url))).json()).archives;
  expect(await archived()).toEqual([]);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await expect.poll(archived).toMatchObject([{ first_seq: 1, last_seq: 6 }]);
  await using store = await openSqliteHubStore({ folder: data, readonly: true });
  expect(JSON.parse((await store.fact('sizes')) ?? '[]'), 'how large it was that day').toMatchObject([
    { bytes: expect.any(Number) },
  ]);
});

test('a check of a hub whose log was cut and whose archives have ended finds nothing wrong with that', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await writeDays(data, 12);
  await (await startHub({ port: 0, data }, { base: folder.path, token: TOKEN })).close();
  {
    await using store = await openSqliteHubStore({ folder: data });
    const sinceMs = Date.now() - 2.5 * DAY_MS;
    const runs = store.openTables(openSqliteRuns);
    const point = await runs.endOfArchives({ sinceMs });
    expect(await runs.endArchives(point ?? new Uint8Array(), new Set())).toBeGreaterThan(5);
  }
  await using hub = await startHub({ port: 0, data, limits: { perMinute: 1000 } }, { base: folder.path, token: TOKEN });
  await operate(['archive', '--keep-days', '4', '--hub', hub.url], { TIDINGS_TOKEN: TOKEN });
  for (const spec of ['aicf', 'diffdelta']) {
    const { out, err } = await operate(['check', hub.url, '--spec', spec, '--allow-private', '--json']);
    const { findings } = JSON.parse(out);
    expect(
      findings.filter(({ level }: { level: string }) => level.startsWith('MUST')),
      err,
    ).toEqual([]);
  }
});
