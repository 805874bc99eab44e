import { cpSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { DIALECTS } from '../dialects/registry.ts';
import { createFileBuiltSite } from '../io/files/built-site.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { openFileLog } from '../io/state/log.ts';
import type { Folder } from '../model/folder.ts';
import { builtSource } from '../produce/built-source.ts';
import { LOG_FILE } from '../produce/load-state.ts';
import { produce } from '../produce/produce.ts';
import type { ProduceOptions } from '../produce/produce-options.ts';
import { STATE_PATH } from './publish.ts';

const SITE = 'https://docs.example/';
const SEEN = `${STATE_PATH}/seen.json`;
const NOW_MS = Date.parse('2026-03-01T09:00:00Z');
const OPTIONS = { site: SITE, stateBytes: 4000, runItems: 20, rotateBytes: 9000 };

interface Work {
  /** Dialects that were asked for their projection. */
  asked: number;
  read: number;
  written: number;
}

/** One publish, and how much it did. */
async function run(site: TestFolder, more: Partial<ProduceOptions> & { version?: string } = {}) {
  const work: Work = { asked: 0, read: 0, written: 0 };
  const counted = (folder: Folder): Folder => ({
    ...folder,
    async read(path) {
      work.read += 1;
      return await folder.read(path);
    },
    async replace(path, bytes) {
      work.written += 1;
      await folder.replace(path, bytes);
    },
  });
  const state = join(site.path, STATE_PATH);
  const { version = '1', ...options } = more;
  const report = await produce(
    { ...OPTIONS, ...options },
    {
      dialects: DIALECTS.map(({ projection, ...dialect }) => ({
        ...dialect,
        ...(projection && {
          projection: async () => {
            work.asked += 1;
            return await projection();
          },
        }),
      })),
      source: builtSource(createFileBuiltSite(site.path)),
      dir: createFileFolder(site.path),
      out: counted(createFileFolder(site.path)),
      state: counted(createFileFolder(state)),
      statePath: STATE_PATH,
      otherStates: [],
      previous: undefined,
      nonce: () => 'nonce',
      salt: () => '0'.repeat(64),
      version,
      now: () => NOW_MS,
      openLog: async (address, { logParts, changes }) => {
        const known = { parts: logParts, last: changes.at(-1) };
        return await openFileLog({
          file: join(state, LOG_FILE),
          site: address.href,
          known,
          maxBytes: OPTIONS.stateBytes,
          now: () => NOW_MS,
        });
      },
    },
  );
  return { report, work };
}

const pageOf = (page: number, text: string) =>
  htmlPage(`Page ${page}`, [
    { id: 'a', heading: 'First', text },
    { id: 'b', heading: 'Second', text: 'It stays as it is.' },
  ]);

/** A site of 60 pages that was published, edited, published and found as it was. */
async function settledSite(): Promise<TestFolder> {
  const site = temporaryFolder();
  for (let page = 0; page < 60; page += 1) site.write({ [`p/${page}.html`]: pageOf(page, 'One.') });
  site.write({ 'old.html': '<meta http-equiv="refresh" content="0; url=/p/1.html"><title>Moved</title>' });
  await run(site);
  site.write({ 'p/7.html': pageOf(7, 'Two.') });
  await run(site);
  await run(site);
  return site;
}

test('a publish of a large site that nobody touched asks no dialect, and writes nothing', async () => {
  using site = await settledSite();
  const before = site.fingerprint();
  const { report, work } = await run(site);
  expect(work.asked).toBe(0);
  expect(work.written).toBe(0);
  expect(report).toMatchObject({ pages: 60, unchanged: 60, changes: [], failed: [] });
  expect(site.fingerprint()).toEqual(before);

  // As the one that goes all the way tells it.
  site.remove(SEEN);
  const whole = await run(site);
  expect(whole.work.asked).toBeGreaterThan(3);
  expect(whole.report).toEqual(report);
  expect(site.fingerprint()).toEqual(before);
});

test('a page that changed under the same size and time is found, and nothing is told as seen any more', async () => {
  using site = await settledSite();
  const path = join(site.path, 'p/9.html');
  const { atime, mtime } = statSync(path);
  site.write({ 'p/9.html': pageOf(9, 'Six.') });
  utimesSync(path, atime, mtime);
  const { report } = await run(site);
  expect(report.changes).toMatchObject([{ url: `${SITE}p/9.html`, anchor: 'a' }]);
  expect(Object.keys(site.fingerprint())).not.toContain(SEEN);
  expect((await run(site)).report.changes).toEqual([]);
  expect((await run(site)).work).toMatchObject({ asked: 0, written: 0 });
});

test('other settings, and another version, go all the way', async () => {
  using site = await settledSite();
  expect((await run(site, { version: '2' })).work.asked).toBeGreaterThan(3);
  expect((await run(site, { version: '2' })).work.asked).toBe(0);
  const { work } = await run(site, { title: 'Another title' });
  expect(work.asked).toBeGreaterThan(3);
  expect(work.written).toBeGreaterThan(0);
});

test('a small site keeps no word of what was seen', async () => {
  using site = temporaryFolder();
  site.write({ 'index.html': pageOf(1, 'One.') });
  for (let count = 0; count < 3; count += 1) await run(site, { stateBytes: 1024 * 1024 });
  expect(Object.keys(site.fingerprint())).not.toContain(SEEN);
});

const outcomeOf = async (site: TestFolder) => {
  const said = await run(site).then(
    ({ report }) => ({ changes: report.changes, failed: report.failed }),
    (error: Error) => ({ refused: error.message.replaceAll(site.path, '') }),
  );
  const { [SEEN]: _, ...files } = site.fingerprint();
  return { said, files };
};

test('what somebody else did to any published file has the end that it has without what was seen', async () => {
  using settled = await settledSite();
  const published = Object.keys(settled.fingerprint()).filter((path) => !path.endsWith('.html') && path !== SEEN);
  expect(published.length).toBeGreaterThan(40);
  const harms: readonly ((site: TestFolder, path: string) => void)[] = [
    (site, path) => site.remove(path),
    (site, path) => site.write({ [path]: `${site.read(path)} ` }),
    (site, path) => site.write({ [path]: site.read(path).replace(/[a-z](?=[^a-z]*$)/, 'X') }),
  ];
  for (const [at, path] of published.entries()) {
    if (at % shortOrLong(9, 1) !== 0) continue;
    for (const harm of harms) {
      using site = temporaryFolder();
      using unseen = temporaryFolder();
      for (const copy of [site, unseen]) {
        cpSync(settled.path, copy.path, { recursive: true });
        harm(copy, path);
      }
      unseen.remove(SEEN);
      expect(await outcomeOf(site), `after harm to ${path}`).toEqual(await outcomeOf(unseen));
    }
  }
});
