import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRuns, page, type RunsHub, served } from '../../../test/support/run-lab.ts';
import { openRawDatabase } from './database.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-run-cut-'));
afterAll(() => rm(root, { recursive: true }));

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOUR = 3600_000;
const NAMES = ['_global', 'quiet', 'docs'] as const;

/** A source with two runs at the beginning, and one with 30 behind them, an hour apart. */
async function filledLab(folder: string) {
  const hub = await openRuns({ folder });
  hub.watch('quiet');
  hub.watch('docs');
  const archives: { readonly source: string; readonly path: string; readonly text: string }[] = [];
  for (let run = 0; run < 32; run++) {
    hub.pass(HOUR);
    const source = run < 2 ? 'quiet' : 'docs';
    await hub.read(source, [page(`p${run % 5}`, `text ${run}`)]);
    for (const name of ['_global', source]) {
      const path = (await served(hub.shelf, name)).feed.archive_url?.slice(1) ?? '';
      archives.push({ source: name, path, text: await textAt(hub, path) });
    }
  }
  return { hub, archives };
}

async function textAt(hub: RunsHub, path: string): Promise<string> {
  const bytes = await hub.shelf.archive(path);
  return bytes === undefined || bytes === 'gone' ? String(bytes) : Buffer.from(bytes).toString();
}

async function countIn(folder: string): Promise<number> {
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const { count } = database.prepare('SELECT count(*) AS count FROM hub_run_closed').get() as { count: number };
  database.close();
  return count;
}

test('archives that are older end; those behind keep their bytes, whatever they were told by', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  const { hub, archives } = await filledLab(folder);
  const feeds = await Promise.all(NAMES.map(async (name) => (await served(hub.shelf, name)).text));
  expect(await hub.shelf.endArchives({ sinceMs: NOON + HOUR })).toBe(0);
  const ended = await hub.shelf.endArchives({ sinceMs: NOON + 20.5 * HOUR });
  expect(ended).toBeGreaterThan(30);
  expect(await countIn(folder)).toBe(64 - ended);
  await hub.reopenShelf();
  const seen = await Promise.all(archives.map(async ({ path }) => await textAt(hub, path)));
  const [gone, kept] = [archives.slice(0, ended), archives.slice(ended)];
  // The last archives of the quiet source are those that its feed leads to.
  for (const [at, { source, text }] of gone.entries()) expect(seen[at]).toBe(source === 'quiet' ? text : 'gone');
  expect(seen.slice(ended)).toEqual(kept.map(({ text }) => text));
  expect(await Promise.all(NAMES.map(async (name) => (await served(hub.shelf, name)).text))).toEqual(feeds);
  for (const name of NAMES) {
    const { archive_url, prev_archive_url = archive_url } = (await served(hub.shelf, name)).feed;
    for (const url of [archive_url, prev_archive_url])
      expect(await textAt(hub, (url ?? '').slice(1))).toContain('"hash"');
  }
  expect(await textAt(hub, 'archive/docs/2027/03/01/20270301T120000Z_0123456789ab.json')).toBe('undefined');
  await hub.read('docs', [page('p1', 'later')]);
  expect(await textAt(hub, (await served(hub.shelf, '_global')).feed.archive_url?.slice(1) ?? '')).toContain('"hash"');
  await hub[Symbol.asyncDispose]();
});

test('by bytes the newest stay', async () => {
  const { hub, archives } = await filledLab(await mkdtemp(join(root, 'hub-')));
  expect(await hub.shelf.endArchives({ bytes: 10_000_000 })).toBe(0);
  const ended = await hub.shelf.endArchives({ bytes: 10_000 });
  expect(ended).toBeGreaterThan(4);
  for (const { path, text } of archives.slice(ended)) expect(await textAt(hub, path)).toBe(text);
  await hub[Symbol.asyncDispose]();
});

test('what is hardly more than is kept stays', async () => {
  const { hub } = await filledLab(await mkdtemp(join(root, 'hub-')));
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 3 * HOUR })).toBe(0);
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 6 * HOUR })).toBeGreaterThan(8);
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 8 * HOUR })).toBe(0);
  await hub[Symbol.asyncDispose]();
});

test('archives of a hub that has been quiet for years do not all end: the next run is told by the newest', async () => {
  const { hub, archives } = await filledLab(await mkdtemp(join(root, 'hub-')));
  hub.pass(10 * 365 * 24 * HOUR);
  await hub.shelf.endArchives({ sinceMs: hub.now() - HOUR });
  for (const { path, text } of archives.slice(-2)) expect(await textAt(hub, path)).toBe(text);
  expect(await textAt(hub, archives[10]?.path ?? '')).toBe('gone');
  await hub.read('docs', [page('p1', 'after years')]);
  const { archive_url } = (await served(hub.shelf, 'docs')).feed;
  expect(await textAt(hub, archive_url?.slice(1) ?? '')).toContain('after years');
  await hub[Symbol.asyncDispose]();
});
