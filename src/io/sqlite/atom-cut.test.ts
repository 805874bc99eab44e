import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { changedPage, entriesIn, openAtomLab } from '../../../test/support/atom-lab.ts';
import { decodeAtomFeed } from '../../codecs/atom/decode-feed.ts';
import { openRawDatabase } from './database.ts';

const root = await mkdtemp(join(tmpdir(), 'tidings-atom-cut-'));
afterAll(() => rm(root, { recursive: true }));

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const FEEDS = ['docs', '_all', 'quiet'] as const;

/** A feed of three entries from the beginning, and one of 230 behind them, a minute apart. */
async function filledLab(folder: string) {
  const hub = await openAtomLab({ folder, titles: { docs: 'Docs', quiet: 'Quiet' }, isDeaf: true });
  for (let at = 1; at <= 3; at++) await hub.commit('quiet', [changedPage(`q${at}`)]);
  for (let at = 1; at <= 230; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
  await hub.shelf.mend();
  return hub;
}

type Lab = Awaited<ReturnType<typeof filledLab>>;

function archivesOf(hub: Lab, feed: string): (string | undefined)[] {
  return [1, 2, 3, 4].map((number) => {
    const document = hub.documents.archive(feed, { number });
    return document === undefined || document === 'gone' ? document : Buffer.from(document.read()).toString();
  });
}

async function bodiesIn(folder: string): Promise<number> {
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  const { count } = database.prepare('SELECT count(*) AS count FROM hub_atom_entries').get() as { count: number };
  database.close();
  return count;
}

test('archives that are older end: what stays keeps its bytes, and no feed of today leads to what is gone', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  await using hub = await filledLab(folder);
  const before = FEEDS.map((feed) => hub.text(feed));
  const [first, second, ...kept] = archivesOf(hub, 'docs');
  expect([first, second, ...kept].every((text) => text !== undefined)).toBe(true);
  // The second archive of each ends just before it.
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 104 * MINUTE })).toBe(4);
  expect(archivesOf(hub, 'docs')).toEqual(['gone', 'gone', ...kept]);
  expect(FEEDS.map((feed) => hub.text(feed))).toEqual(before);
  expect(await bodiesIn(folder), 'those of the archives, but not those of a quiet feed').toBe(233 - 97);
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 104 * MINUTE })).toBe(0);

  const [, current] = before;
  expect(await hub.shelf.endArchives({ sinceMs: NOON + 10_000 * MINUTE })).toBe(4);
  expect(archivesOf(hub, '_all')).toEqual(['gone', 'gone', 'gone', 'gone']);
  const shown = decodeAtomFeed(hub.text('_all'));
  expect(shown).toMatchObject({ ok: true, value: expect.not.objectContaining({ prevArchiveUrl: expect.anything() }) });
  expect(entriesIn(hub.text('_all')), 'the newest are shown for good').toEqual(entriesIn(current ?? ''));
  expect(entriesIn(hub.text('quiet'))).toHaveLength(3);
  for (let at = 231; at <= 280; at++) await hub.commit('docs', [changedPage(`p${at}`)]);
  await hub.shelf.mend();
  expect(hub.text('docs')).toContain('/_archive/5.atom');
});

test('by bytes the newest stay, also over a restart', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  let kept: (string | undefined)[] = [];
  {
    await using hub = await filledLab(folder);
    kept = archivesOf(hub, 'docs');
    expect(await hub.shelf.endArchives({ bytes: 10_000_000 })).toBe(0);
    expect(await hub.shelf.endArchives({ bytes: 20_000 })).toBeGreaterThan(1);
  }
  await using again = await openAtomLab({ folder, titles: { docs: 'Docs' } });
  const seen = archivesOf(again, 'docs');
  expect([seen[0], seen[3]]).toEqual(['gone', kept[3]]);
  expect(seen.filter((text, at) => text !== 'gone' && text !== kept[at])).toEqual([]);
});

test('the database itself refuses to delete what has not ended', async () => {
  const folder = await mkdtemp(join(root, 'hub-'));
  {
    await using hub = await filledLab(folder);
    await hub.shelf.endArchives({ sinceMs: NOON + 104 * MINUTE });
  }
  const database = await openRawDatabase(join(folder, 'tidings.db'));
  for (const table of ['hub_atom_entries', 'hub_atom_places', 'hub_atom_archives']) {
    expect(() => database.exec(`DELETE FROM ${table}`), table).toThrow(/never deleted/);
  }
  database.close();
});
