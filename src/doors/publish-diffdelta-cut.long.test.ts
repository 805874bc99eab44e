import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import type { DiffDeltaFeed, DiffDeltaHead } from '../codecs/diffdelta/wire.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { openFileLog } from '../io/state/log.ts';
import type { Folder } from '../model/folder.ts';
import { builtSource } from '../produce/built-source.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { produce } from '../produce/produce.ts';
import { STATE_PATH } from './publish.ts';

const SITE = 'https://docs.example/';

class Cut extends Error {}

/** One publish that ends before its write number `cutAt`, as a killed one does. Says how many it made. */
async function publishUntil(site: TestFolder, cutAt: number): Promise<number> {
  let writes = 0;
  const counted = (folder: Folder): Folder => ({
    ...folder,
    async replace(path, bytes) {
      if (writes >= cutAt) throw new Cut();
      writes += 1;
      await folder.replace(path, bytes);
    },
  });
  const state = join(site.path, STATE_PATH);
  const run = produce(
    { site: SITE },
    {
      dialects: DIALECTS,
      source: builtSource(createFileBuiltSite(site.path)),
      dir: createFileFolder(site.path),
      out: counted(createFileFolder(site.path)),
      state: counted(createFileFolder(state)),
      statePath: STATE_PATH,
      otherStates: [],
      previous: undefined,
      nonce: () => 'nonce',
      salt: () => '0'.repeat(64),
      version: 'test',
      now: Date.now,
      openLog: async (address, { logParts, changes }) => {
        if (writes >= cutAt) throw new Cut();
        writes += 1;
        const known = { parts: logParts, last: changes.at(-1) };
        return await openFileLog({ file: join(state, LOG_FILE), site: address.href, known });
      },
    },
  );
  await run.catch((error: unknown) => {
    if (!(error instanceof Cut)) throw error;
  });
  return writes;
}

const write = (site: TestFolder, text: string) =>
  site.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
const read = <Document>(site: TestFolder, path: string) =>
  (Object.keys(site.fingerprint()).includes(path) ? JSON.parse(site.read(path)) : undefined) as Document | undefined;
const archivesOf = (site: TestFolder) =>
  Object.fromEntries(Object.entries(site.fingerprint()).filter(([path]) => /^archive\/.*Z_\w+\.json$/.test(path)));

test('a publish that is cut off before any of its writes is completed by the next one', async () => {
  using whole = temporaryFolder();
  write(whole, 'One.');
  const firstWrites = await publishUntil(whole, Number.POSITIVE_INFINITY);
  write(whole, 'Two.');
  const nextWrites = await publishUntil(whole, Number.POSITIVE_INFINITY);
  expect(nextWrites).toBeGreaterThan(10);

  for (let cutAt = 0; cutAt <= Math.max(firstWrites, nextWrites); cutAt += shortOrLong(3, 1)) {
    using site = temporaryFolder();
    write(site, 'One.');
    await publishUntil(site, cutAt);
    isConsistent(site);
    await publishUntil(site, Number.POSITIVE_INFINITY);
    write(site, 'Two.');
    const before = archivesOf(site);
    await publishUntil(site, cutAt);
    isConsistent(site);
    const between = archivesOf(site);
    expect(between).toMatchObject(before);
    await publishUntil(site, Number.POSITIVE_INFINITY);
    isConsistent(site);
    const after = archivesOf(site);
    expect(after, `cut before write ${cutAt}`).toMatchObject(between);
    expect(Object.keys(after)).toHaveLength(4);
    await publishUntil(site, Number.POSITIVE_INFINITY);
    const settled = site.fingerprint();
    await publishUntil(site, Number.POSITIVE_INFINITY);
    expect(site.fingerprint()).toEqual(settled);
    for (const folder of ['diff/', 'diff/docs_example/', 'diff/source/docs_example/']) {
      const feed = read<DiffDeltaFeed>(site, `${folder}latest.json`);
      expect(feed).toMatchObject({ changed: false, counts: { updated: 1 } });
      expect(read<DiffDeltaHead>(site, `${folder}head.json`)?.cursor).toBe(feed?.cursor);
    }
  }
});

/** What a client may rely on at any moment: a head has its latest or an older one's cursor, and archives are where they are named. */
function isConsistent(site: TestFolder): void {
  for (const folder of ['diff/', 'diff/docs_example/', 'diff/source/docs_example/']) {
    const head = read<DiffDeltaHead>(site, `${folder}head.json`);
    const latest = read<DiffDeltaFeed>(site, `${folder}latest.json`);
    if (latest !== undefined) expect(Object.keys(archivesOf(site))).toContain(latest.archive_url?.slice(1));
    if (head === undefined) continue;
    expect([latest?.cursor, latest?.prev_cursor]).toContain(head.cursor);
  }
  if (read(site, '.well-known/diffdelta.json') !== undefined) expect(read(site, 'diff/head.json')).toBeDefined();
}
