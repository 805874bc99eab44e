import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import { checkReport } from './check.ts';
import { follow } from './follow.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';
const PAGES = shortOrLong(80, 400);
/** Each file of its kind is no larger than some of these; the default limits are a few hundred times as large. */
const LIMITS = { stateBytes: 6000, rotateBytes: 6000, listBytes: 6000, runItems: 10, runBytes: 6000, atomEntries: 3 };
const LARGEST = 30_000;

function write(folder: TestFolder, pages: number, edition: number): void {
  const sections = (page: number) =>
    ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      heading: `Part ${id}`,
      text: `Of page ${page}, edition ${id === 'b' ? edition : 0}.`,
    }));
  for (let page = 0; page < pages; page += 1)
    folder.write({ [`p/${page}.html`]: htmlPage(`Page ${page}`, sections(page)) });
}

const filesOf = (folder: TestFolder) => Object.keys(folder.fingerprint()).filter((path) => !path.endsWith('.html'));
const archives = (folder: TestFolder, name: string) =>
  filesOf(folder)
    .filter((path) => path.startsWith(`archive/${name}/`))
    .map((path) => JSON.parse(folder.read(path)) as { buckets: Record<string, { id: string }[]> });

test('no file grows with the history of a site, and every dialect still tells all of it', async () => {
  using folder = temporaryFolder();
  const run = (more = {}) => publish({ dir: folder.path, site: SITE, ...LIMITS, ...more });
  write(folder, PAGES, 0);
  await run();
  for (let edition = 1; edition <= 6; edition += 1) {
    write(folder, 20, edition);
    expect((await run()).updated).toBe(20);
  }
  const sizes = filesOf(folder).map((path) => ({ path, bytes: statSync(join(folder.path, path)).size }));
  expect(sizes.filter(({ bytes }) => bytes > LARGEST)).toEqual([]);

  const told = archives(folder, 'docs_example').flatMap(({ buckets }) => Object.values(buckets).flat());
  expect(told).toHaveLength(PAGES + 6 * 20);
  const latest = JSON.parse(folder.read('diff/latest.json')) as { buckets: Record<string, unknown[]> };
  expect(Object.values(latest.buckets).flat().length).toBeLessThanOrEqual(LIMITS.runItems);
  const lines = filesOf(folder)
    .filter((path) => path.startsWith('ai-changes'))
    .flatMap((path) => folder.read(path).trimEnd().split('\n'));
  expect(new Set(lines).size).toBe(PAGES + 6 * 20);
  expect(folder.read('_headers').split('Content-Type').length).toBeLessThan(60);
  expect((await checkReport(folder.path, {})).findings).toEqual([]);

  const quiet = folder.fingerprint();
  await run();
  await run();
  const again = folder.fingerprint();
  expect(
    Object.keys(again).filter((path) => again[path] !== quiet[path] && !/head|latest|sources|healthz|seen/.test(path)),
  ).toEqual([]);
});

test('without a wish for limits no file comes near what static hosts refuse: each kind goes on in a further one', async () => {
  using folder = temporaryFolder();
  // Long addresses and titles, so that few pages fill a file of each kind.
  const deep = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(240)).join('/');
  const pages = Array.from({ length: 501 }, (_, page) => {
    return [`${deep}/${page}.html`, htmlPage(`Page ${page} ${'long '.repeat(80)}`, [])] as const;
  });
  folder.write(Object.fromEntries(pages));
  const { artifacts } = await publish({ dir: folder.path, site: SITE });
  const sizes = filesOf(folder).map((path) => ({ path, bytes: statSync(join(folder.path, path)).size }));
  expect(sizes.filter(({ bytes }) => bytes > 2 * 1024 * 1024)).toEqual([]);
  const filesLike = (pattern: RegExp) => artifacts.filter((path) => pattern.test(path)).length;
  expect(filesLike(/^ai-changes/), 'AICF').toBeGreaterThan(1);
  expect(filesLike(/^archive\/docs_example\//), 'DiffDelta').toBeGreaterThan(1);
  expect(filesLike(/^resourcesync\/changelist/), 'Change Lists').toBeGreaterThan(1);
  expect(filesLike(/^\.well-known\/tidings\/log/), 'the log').toBeGreaterThan(1);
});

test('a first publish of one large feed goes on in small ones, and who reads DiffDelta hears of each page once', async () => {
  using folder = temporaryFolder();
  write(folder, 30, 0);
  await using server = await serveFolder(folder.path);
  const site = { dir: folder.path, site: server.url, force: true };
  await publish(site);
  expect(archives(folder, '_global')).toHaveLength(1);
  using state = temporaryFolder();
  const heard = async () => {
    const urls: string[] = [];
    const reading = {
      url: server.url,
      dialect: 'diffdelta',
      once: true,
      state: join(state.path, 'seen.db'),
      allowPrivate: true,
    };
    for await (const { boundary } of follow(reading)) urls.push(boundary);
    return urls;
  };
  expect(await heard()).toHaveLength(30);
  const options = { ...site, runItems: 10 };
  write(folder, 25, 1);
  await publish(options);
  expect(archives(folder, '_global')).toHaveLength(4);
  await publish(options);
  expect(folder.read('diff/archives.json').match(/"last":\d+/g)).toEqual(['"last":40', '"last":50', '"last":55']);

  // One that is lost is made again from the log.
  const lost = filesOf(folder).filter((path) => path.startsWith('archive/_global/'))[2] ?? '';
  const bytes = folder.read(lost);
  folder.remove(lost);
  await publish(options);
  expect(folder.read(lost)).toBe(bytes);

  expect(await heard()).toHaveLength(25);
  expect(await heard()).toEqual([]);
});
