import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { followSources } from '../../src/follow/follow.ts';
import { openSqliteFollowState } from '../../src/io/sqlite/follow-state.ts';
import { openVisitLab } from '../support/hub-visits.ts';
import { memoryWeb } from '../support/memory-web.ts';
import { politely } from '../support/polite.ts';
import { readerParts } from '../support/reader-ports.ts';
import { IS_RELEASING } from './pinned.ts';
import { makeDatabase, sqlOfDatabase } from './sqlite-text.ts';

/** What 0.1.0 left behind when it had read `first`; `later` is what has changed on the web since. */
const KEPT = 'test/pin/archives/0.1.0';
const web: Readonly<Record<'first' | 'later', Record<string, string>>> = JSON.parse(
  readFileSync(join(KEPT, 'followed-web.json'), 'utf8'),
);
const first = (onStatus?: (status: number) => void) => memoryWeb(new Map(Object.entries(web.first)), onStatus);
const later = () => memoryWeb(new Map(Object.entries({ ...web.first, ...web.later })));
const unpacked = (name: string) => gunzipSync(readFileSync(join(KEPT, name)));

/** One run with `--content`. */
async function follow(file: string, http: ReturnType<typeof memoryWeb>): Promise<string[]> {
  await using state = await openSqliteFollowState({ file });
  const told: string[] = [];
  const request = { once: true, content: true, minIntervalMs: 2000 };
  const ports = {
    ...politely(http),
    ...readerParts(),
    state,
    now: Date.now,
    wait: async () => {},
    signal: new AbortController().signal,
    onDiagnostic: () => {},
    onStatus: () => {},
  };
  try {
    const urls = ['https://aicf.example/', 'https://dd.example/'];
    for await (const { action, url, dialect } of followSources({ urls, ...request }, ports)) {
      told.push(`${dialect} ${action} ${new URL(url).pathname}`);
    }
  } catch (error) {
    expect(error).toMatchObject({ message: expect.stringContaining('waits for its page') });
  }
  return told;
}

/** What a state of each format is made of. */
const STATES: Readonly<Record<string, (file: string) => void>> = {
  1: (file) => writeFileSync(file, unpacked('follow-state.db.gz')),
  2: (file) => makeDatabase(file, readFileSync(join(KEPT, 'follow-state-2.sql'), 'utf8')),
};

beforeAll(async () => {
  if (!IS_RELEASING) return;
  const folder = mkdtempSync(join(tmpdir(), 'tidings-pin-'));
  const file = join(folder, 'state.db');
  expect((await follow(file, first())).length).toBeGreaterThan(3);
  writeFileSync(join(KEPT, 'follow-state-2.sql'), `${sqlOfDatabase(file)}\n`);
  rmSync(folder, { recursive: true, force: true });
});

test.each(Object.entries(STATES))(
  'a follower goes on from a state of format %s that 0.1.0 left: nothing is told twice, and what waited comes out',
  async (_, place) => {
    const folder = mkdtempSync(join(tmpdir(), 'tidings-pin-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'state.db');
    place(file);
    expect(await follow(file, first())).toEqual([]);
    const news = ['aicf update /empty', 'aicf create /c', 'diffdelta create /b', 'diffdelta create /c'];
    expect((await follow(file, later())).toSorted()).toEqual(news.toSorted());
    expect(await follow(file, later())).toEqual([]);
  },
);

test.each([
  ['aicf', 'https://aicf.example/', 'create /c'],
  ['diffdelta', 'https://dd.example/', 'create /c'],
  ['atom', 'https://news.example/feed', 'create /3'],
  ['resourcesync', 'https://rs.example/', 'delete /docs/c'],
])('a hub goes on reading %s from the database that 0.1.0 left', async (dialect, url, news) => {
  const config = { id: dialect, kind: 'feed', dialect, url } as const;
  await using lab = await openVisitLab(config, (folder) => {
    writeFileSync(join(folder, 'tidings.db'), unpacked('hub-feeds.db.gz'));
  });
  const statuses: number[] = [];
  const unchanged = first((status) => void statuses.push(status));
  expect(await lab.visit({ http: unchanged })).toMatchObject({ is: 'read', changes: 0 });
  expect(statuses, 'its validators still count').toContain(304);
  expect(await lab.visit({ http: later() })).toMatchObject({ is: 'read', changes: 1 });
  expect(lab.told(new URL('/', url).href)).toEqual([news]);
  expect(await lab.visit({ http: later() })).toMatchObject({ is: 'read', changes: 0 });
});
