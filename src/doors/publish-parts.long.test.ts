import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { publish } from './publish.ts';
import { readLog } from './read-log.ts';

const SITE = 'https://docs.example/';
const STATE = '.well-known/tidings';
const PAGES = 120;
const STATE_BYTES = 4000;

function write(folder: TestFolder, pages: readonly number[], text: string): void {
  const sections = [
    { id: 'a', heading: 'First', text },
    { id: 'b', heading: 'Second', text: 'It stays as it is.' },
    { id: 'c', heading: 'Third', text: 'It stays as it is, too.' },
  ];
  folder.write(Object.fromEntries(pages.map((page) => [`p/${page}.html`, htmlPage(`Page ${page}`, sections)])));
}

const all = Array.from({ length: PAGES }, (_, page) => page);
const run = (folder: TestFolder, more = {}) =>
  publish({ dir: folder.path, site: SITE, stateBytes: STATE_BYTES, ...more });
const stateFiles = (folder: TestFolder) =>
  Object.keys(folder.fingerprint()).filter((name) => name.startsWith(`${STATE}/`));
const inodes = (folder: TestFolder, names: readonly string[]) =>
  new Map(names.map((name) => [name, statSync(join(folder.path, name)).ino]));

test('the state of a large site is in parts, and an edit writes the parts that it is in', async () => {
  using folder = temporaryFolder();
  write(folder, all, 'One.');
  const { artifacts } = await run(folder);
  const first = stateFiles(folder);
  expect(first.length).toBeGreaterThan(10);
  expect(artifacts.filter((path) => path.startsWith(STATE)).sort()).toEqual(first.sort());
  for (const name of first) expect(folder.read(name).length).toBeLessThanOrEqual(4 * STATE_BYTES);

  const before = inodes(folder, first);
  write(folder, [7], 'Two.');
  expect((await run(folder)).changes).toMatchObject([{ url: `${SITE}p/7.html`, anchor: 'a' }]);
  const after = inodes(folder, stateFiles(folder));
  const written = [...after].filter(([name, inode]) => before.get(name) !== inode).map(([name]) => name);
  const bytes = (names: readonly string[]) => names.reduce((sum, name) => sum + folder.read(name).length, 0);
  expect(bytes(written)).toBeLessThan(bytes([...after.keys()]) / 5);
  expect((await run(folder)).changes).toEqual([]);

  const seqs: number[] = [];
  for await (const { seq } of readLog(folder.path, {})) seqs.push(seq);
  expect(seqs).toEqual(Array.from({ length: PAGES + 1 }, (_, at) => at + 1));
});

test('a machine without state goes on from the parts of the live site, also where one of them has grown meanwhile', async () => {
  using live = temporaryFolder();
  write(live, all, 'One.');
  await run(live);
  await using server = await serveFolder(live.path);
  using fresh = temporaryFolder();
  write(fresh, all, 'One.');
  write(fresh, [3], 'Two.');
  const options = { previous: server.url, allowPrivate: true };
  expect((await run(fresh, options)).changes).toMatchObject([{ url: `${SITE}p/3.html`, anchor: 'a' }]);
  for (const name of stateFiles(live).filter((path) => path.includes('/log-'))) {
    expect(fresh.read(name).startsWith(live.read(name))).toBe(true);
  }

  write(fresh, all.slice(0, 40), 'Three.');
  await run(fresh);
  using older = temporaryFolder();
  write(older, all, 'One.');
  await run(older, options);
  write(older, all.slice(0, 40), 'Three.');
  write(older, [3], 'Two.');
  const report = await run(older, { previous: fresh.path });
  expect(report.changes).toMatchObject([{ url: `${SITE}p/3.html`, anchor: 'a' }]);
  expect((await run(older)).changes).toEqual([]);
});

test('a state of one file goes on in parts, and a part that is lost is told', async () => {
  using folder = temporaryFolder();
  write(folder, all, 'One.');
  await run(folder, { stateBytes: undefined });
  const log = folder.read(`${STATE}/log.ndjson`);
  write(folder, [1], 'Two.');
  expect((await run(folder)).updated).toBe(1);
  expect(folder.read(`${STATE}/log.ndjson`)).toBe(log);
  expect(folder.read(`${STATE}/log-2.ndjson`).split('\n')).toHaveLength(3);

  const part = stateFiles(folder).find((name) => name.includes('/pages-')) ?? '';
  folder.remove(part);
  await expect(run(folder)).rejects.toThrow(/it is not there.*delete pages.ndjson/);
  folder.remove(`${STATE}/pages.ndjson`);
  expect((await run(folder)).changes).toEqual([]);
});
