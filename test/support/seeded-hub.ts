import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningHub, startHub } from '../../src/doors/hub.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import type { Change } from '../../src/model/change.ts';

/** Appends one run of changes to the log of a data folder without a running hub. */
export async function seedChanges(
  folder: string,
  count: number,
  now: () => number = Date.now,
): Promise<readonly Change[]> {
  await using store = await openSqliteHubStore({ folder, now });
  return await store.commit({ source: 'docs', drafts: draftsOf(count) });
}

/** Appends `runs` runs of `count` changes each, a millisecond apart, the last one now. */
export async function seedRuns(folder: string, runs: number, count = 1): Promise<void> {
  let nowMs = Date.now() - runs;
  await using store = await openSqliteHubStore({ folder, now: () => nowMs });
  for (let run = 0; run < runs; run += 1) {
    nowMs += 1;
    await store.commit({ source: 'docs', drafts: draftsOf(count) });
  }
}

function draftsOf(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    source: 'docs',
    action: 'update' as const,
    url: `https://docs.example/page-${index}`,
    anchor: 'prices',
    checksum: `sha256:${'0'.repeat(64)}`,
    title: `Page ${index}`,
  }));
}

/** Starts a hub without sources that serves its log. Its feeds are up to date with the log. */
export async function serveFolder(folder: string): Promise<RunningHub> {
  return await startHub({ port: 0, data: folder }, { token: 'tdg_0123456789abcdef' });
}

/** Makes a hub write the feeds of a data folder. */
export async function publishFolder(folder: string): Promise<void> {
  await (await serveFolder(folder)).close();
}

/** The bytes of every AICF feed of a data folder, by name. */
export function feedsOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(join(folder, 'feeds')).filter((file) => file.endsWith('.ndjson'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, 'feeds', file), 'utf8')]));
}
