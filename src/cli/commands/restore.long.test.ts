import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operate } from '../../../test/support/operator.ts';
import { feedsOf, publishFolder, seedChanges, serveFolder } from '../../../test/support/seeded-hub.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Change } from '../../model/change.ts';

/** A hub with three changes in a backup, and two more that are published behind it. */
async function backedUpHub() {
  const folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const backup = join(folder.path, 'backup.db');
  await seedChanges(data, 3);
  await publishFolder(data);
  expect((await operate(['backup', backup, '--data', data])).code).toBe(0);
  const lost = await seedChanges(data, 2);
  await publishFolder(data);
  return {
    folder,
    data,
    backup,
    lost,
    restore: (...more: string[]) => operate(['restore', backup, '--data', data, ...more]),
  };
}

async function changesAfter(url: string, cursor: string) {
  const answer = await fetch(`${url}api/v1/changes?after=${cursor}`);
  return { status: answer.status, changes: ((await answer.json()) as { changes?: readonly Change[] }).changes };
}

test('a restored hub goes on behind what it had published: feeds keep their bytes, cursors hold, ids rise', async () => {
  const { folder, data, lost, restore } = await backedUpHub();
  using _ = folder;
  const published = feedsOf(data);
  const [fourth, fifth] = lost;
  rmSync(join(data, 'tidings.db'));
  const { code, out } = await restore('--json');
  expect([code, JSON.parse(out)]).toMatchObject([0, { changes: 5, recovered: 2, lastChange: fifth?.id }]);
  {
    await using hub = await serveFolder(data);
    expect(hub.newToken).toBeUndefined();
    const { status, changes } = await changesAfter(hub.url, fourth?.id ?? '');
    expect([status, changes?.map(({ id }) => id)]).toEqual([200, [fifth?.id]]);
    // Documents in the database were those of the backup; what was told once is not told again in other words.
    expect(await (await fetch(`${hub.url}changes.atom`)).text()).not.toContain(fifth?.id);
    expect((await (await fetch(`${hub.url}metrics`)).text()).match(/^tidings_feed_seq (\d+)/m)?.[1]).toBe('5');
  }
  expect(feedsOf(data)).toEqual(published);

  const [next] = await seedChanges(data, 1);
  expect((next?.id ?? '') > (fifth?.id ?? '~')).toBe(true);
  await publishFolder(data);
  const [all = '', before = ''] = [feedsOf(data)['_all.ndjson'], published['_all.ndjson']];
  expect([all.startsWith(before), all.slice(before.length)]).toEqual([true, expect.stringContaining(next?.id ?? '-')]);
});

test('feeds that were deleted are derived from a restored log again, byte for byte', async () => {
  const { folder, data, restore } = await backedUpHub();
  using _ = folder;
  const published = feedsOf(data);
  rmSync(join(data, 'tidings.db'));
  await restore();
  rmSync(join(data, 'feeds'), { recursive: true });
  await publishFolder(data);
  expect(feedsOf(data)).toEqual(published);
});

test('a database that is there is put aside only when told so, and a hub that runs is left alone', async () => {
  const { folder, data, restore } = await backedUpHub();
  using _ = folder;
  const refused = await restore();
  expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('--replace')]);
  {
    await using _hub = await serveFolder(data);
    const locked = await restore('--replace');
    expect([locked.code, locked.err]).toEqual([3, expect.stringContaining('in use')]);
  }
  writeFileSync(join(data, 'tidings.db-wal'), 'of a hub that was killed');
  const { code, out } = await restore('--replace');
  expect([code, out]).toEqual([0, expect.stringMatching(/5 changes.*\n2 of them were published behind the backup/)]);
  const [aside = ''] = readdirSync(data).filter((name) => name.startsWith('replaced-'));
  expect(readdirSync(join(data, aside))).toEqual(expect.arrayContaining(['tidings.db', 'tidings.db-wal']));
  expect(existsSync(join(data, 'tidings.db-wal'))).toBe(false);
  await publishFolder(data);
});

test('a new folder gets what the backup holds; feeds of another log, and what is no backup, are refused', async () => {
  const { folder, data, backup } = await backedUpHub();
  using _ = folder;
  const fresh = join(folder.path, 'fresh');
  const made = await operate(['restore', backup, '--data', fresh]);
  expect([made.code, made.out]).toEqual([0, expect.stringContaining('3 changes')]);
  await publishFolder(fresh);
  const other = join(folder.path, 'other');
  await seedChanges(other, 4);
  await publishFolder(other);
  const before = feedsOf(other);
  const mixed = await operate(['restore', backup, '--data', other, '--replace']);
  expect([mixed.code, mixed.err]).toEqual([3, expect.stringContaining('another log')]);
  await publishFolder(other);
  expect(feedsOf(other)).toEqual(before);
  for (const file of ['none.db', 'text.db']) {
    const path = join(folder.path, file);
    if (file === 'text.db') writeFileSync(path, 'no database '.repeat(100));
    expect((await operate(['restore', path, '--data', data, '--replace'])).code, file).toBe(3);
  }
  expect(existsSync(join(data, '.restoring'))).toBe(false);
  await publishFolder(data);
});

test('what is no backup is said to be none, and one that is damaged to be damaged', async () => {
  const { folder, data, backup } = await backedUpHub();
  using _ = folder;
  const said = async (file: string) => (await operate(['restore', file, '--data', data, '--replace'])).err;
  const missing = join(folder.path, 'none.db');
  expect(await said(missing)).toBe(
    `tidings: ${missing}: there is no such file. Name one that tidings backup has written.`,
  );
  expect(await said(folder.path)).toContain('it is no file. Name one that tidings backup has written.');
  const empty = join(folder.path, 'empty.db');
  writeFileSync(empty, '');
  expect(await said(empty)).toContain(`${empty}: it is empty. Name one that tidings backup has written.`);
  const bytes = readFileSync(backup);
  const texts = { 'text.db': Buffer.from('no database '.repeat(100)), 'damaged.db': bytes.fill(0xff, 2 * 4096) };
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder.path, name);
    writeFileSync(file, text);
    expect(await said(file)).toMatch(/: this backup is damaged \(.*\)\. Nothing was written\. Take another one\.$/);
    expect(await said(file)).toContain(file);
  }
  await publishFolder(data);
});
