import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { shortOrLong } from '../../test/support/short-or-long.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { serveFolder } from '../../test/support/static-server.ts';
import type { DiffDeltaFeed } from '../codecs/diffdelta/wire.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/';
const INDEX = 'diff/docs_example/archives.json';
const LATEST = 'diff/docs_example/latest.json';
const STATE = '.well-known/tidings';

const build = (text: string) => ({
  'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]),
  'x.html': htmlPage('X', [{ id: 'a', heading: 'First', text: 'The same.' }]),
});

function siteWith(text: string): TestFolder {
  const folder = temporaryFolder();
  folder.write(build(text));
  return folder;
}

/** A site that was published once for each of the texts. */
/** How often the live site was built before a machine without anything goes on from it. */
const BUILDS = shortOrLong(6, 20);

async function publishedSite(...texts: string[]): Promise<TestFolder> {
  const site = temporaryFolder();
  for (const text of texts) {
    site.write(build(text));
    await publish({ dir: site.path, site: SITE });
  }
  return site;
}

const archivesOf = (site: TestFolder) =>
  Object.fromEntries(Object.entries(site.fingerprint()).filter(([path]) => /^archive\/.*Z_\w+\.json$/.test(path)));
const feedOf = (site: TestFolder) => JSON.parse(site.read(LATEST)) as DiffDeltaFeed;
const listed = (site: TestFolder) => (JSON.parse(site.read(INDEX)) as { archives: { url: string }[] }).archives;

clause(
  ['DD-A2', 'DD-P2'],
  'a machine without anything goes on from the live site, with all of its archives',
  async () => {
    using live = await publishedSite(...Array.from({ length: BUILDS }, (_, round) => `Text ${round}.`));
    await publish({ dir: live.path, site: SITE });
    await using server = await serveFolder(live.path);
    const options = { site: SITE, previous: server.url, allowPrivate: true };

    using same = siteWith(`Text ${BUILDS - 1}.`);
    await publish({ dir: same.path, ...options });
    expect(same.fingerprint()).toEqual(live.fingerprint());

    using edited = siteWith('Another text.');
    await publish({ dir: edited.path, ...options });
    expect(archivesOf(edited)).toMatchObject(archivesOf(live));
    expect(Object.keys(archivesOf(edited))).toHaveLength(2 * BUILDS + 2);
    expect(feedOf(edited)).toMatchObject({
      changed: true,
      prev_cursor: feedOf(live).cursor,
      prev_hash: feedOf(live).hash,
    });
    expect(listed(edited).slice(0, BUILDS)).toEqual(listed(live));
    expect(feedOf(edited).buckets.updated).toMatchObject([{ provenance: { revision: BUILDS + 1 } }]);
  },
);

test('a folder that has some of the archives asks for the others only', async () => {
  using live = await publishedSite('One.', 'Two.');
  using copy = temporaryFolder();
  copy.write(Object.fromEntries(Object.keys(live.fingerprint()).map((path) => [path, live.read(path)])));
  live.write(build('Three.'));
  await publish({ dir: live.path, site: SITE });
  await using server = await serveFolder(live.path);
  copy.write(build('Three.'));
  await publish({ dir: copy.path, site: SITE, previous: server.url, allowPrivate: true });
  expect(archivesOf(copy)).toEqual(archivesOf(live));
  expect(server.requests.filter((path) => path.includes('Z_'))).toHaveLength(2);
});

test.each<readonly [string, (live: TestFolder, archive: string) => void, RegExp]>([
  ['is gone', (live, archive) => live.remove(archive), /is not there, but its index names it/],
  [
    'was altered',
    (live, archive) =>
      live.write({ [archive]: live.read(archive).replace('1 new', '2 new').replace('2 new', '3 new') }),
    /has other bytes than its index says/,
  ],
  ['was cut', (live, archive) => live.write({ [archive]: live.read(archive).slice(0, 100) }), /has other bytes/],
])('an archive of the live site that %s stops the publish, and nothing is written', async (_, damage, message) => {
  using live = await publishedSite('One.', 'Two.');
  damage(live, listed(live)[0]?.url.slice(1) ?? '');
  await using server = await serveFolder(live.path);
  using fresh = siteWith('Three.');
  const before = fresh.fingerprint();
  const run = () => publish({ dir: fresh.path, site: SITE, previous: server.url, allowPrivate: true });
  await expect(run()).rejects.toThrow(expect.objectContaining({ name: 'ArchiveUnreadError' }));
  await expect(run()).rejects.toThrow(message);
  await expect(run()).rejects.toMatchObject({ recovery: 'fix-input' });
  expect(fresh.fingerprint()).toEqual(before);
});

test('an index of the live site that cannot be read stops the publish', async () => {
  using live = await publishedSite('One.');
  live.write({ [INDEX]: '{"archives":[{"url":"/archive/docs_example/../../../x"}]}' });
  using fresh = siteWith('Two.');
  const before = fresh.fingerprint();
  await expect(publish({ dir: fresh.path, site: SITE, previous: live.path })).rejects.toThrow(
    expect.objectContaining({ name: 'ArchiveUnreadError' }),
  );
  expect(fresh.fingerprint()).toEqual(before);
});

test('from the log alone the same archives are made again', async () => {
  using live = await publishedSite('One.', 'Two.', 'Three.');
  using state = temporaryFolder();
  for (const file of ['log.ndjson', 'pages.ndjson']) state.write({ [file]: live.read(`${STATE}/${file}`) });
  using fresh = siteWith('Three.');
  await publish({ dir: fresh.path, site: SITE, state: state.path });
  expect(archivesOf(fresh)).toEqual(archivesOf(live));
  expect(fresh.read(LATEST)).toBe(live.read(LATEST));
});

test.each<readonly [string, readonly string[], readonly string[]]>([
  ['the index', [INDEX], []],
  ['latest.json', [LATEST], []],
  ['index and latest.json', [INDEX, LATEST], []],
  ['every head and latest', ['diff'], []],
  ['the newest archive', [], ['newest']],
  ['the newest archive, and latest.json', [LATEST, 'archive/_global'], ['newest']],
  ['every archive', ['archive'], []],
])('%s, where lost, is made again without a change of any archive', async (_, lost, also) => {
  using site = await publishedSite('One.', 'Two.');
  const archives = archivesOf(site);
  const newest = feedOf(site).archive_url?.slice(1) ?? '';
  const head = site.read('diff/docs_example/head.json');
  for (const path of lost) site.remove(path);
  if (also.includes('newest')) site.remove(newest);
  await publish({ dir: site.path, site: SITE });
  expect(archivesOf(site)).toEqual(archives);
  expect(listed(site)).toHaveLength(2);
  if (lost.includes('diff')) expect(site.read('diff/docs_example/head.json')).toBe(head);
  if (lost.includes(LATEST)) expect(site.read(LATEST)).toBe(site.read(newest));
  await publish({ dir: site.path, site: SITE });
  expect(feedOf(site)).toMatchObject({ changed: false });
});

test('a latest.json that was altered is not believed', async () => {
  using site = await publishedSite('One.');
  const whole = site.read(LATEST);
  for (const broken of ['', '{', '[]', whole.replace('"changed":true', '"changed":false'), whole.slice(0, 99)]) {
    site.write({ [LATEST]: broken });
    await publish({ dir: site.path, site: SITE });
    expect(site.read(LATEST)).toBe(whole);
  }
});

test('archives of another history are never continued', async () => {
  using one = await publishedSite('One.', 'Two.', 'Three.');
  using other = await publishedSite('One.');
  const before = other.fingerprint();
  other.write({ [INDEX]: one.read(INDEX) });
  await expect(publish({ dir: other.path, site: SITE })).rejects.toThrow(
    expect.objectContaining({ name: 'StateContradictionError' }),
  );
  expect({ ...other.fingerprint(), [INDEX]: before[INDEX] }).toEqual(before);

  // The same log, but archives that were made with another interval.
  using state = temporaryFolder();
  for (const file of ['log.ndjson', 'pages.ndjson']) state.write({ [file]: one.read(`${STATE}/${file}`) });
  using again = siteWith('Three.');
  await publish({ dir: again.path, site: SITE, state: state.path, ttlSeconds: 60 });
  await expect(publish({ dir: again.path, site: SITE, previous: one.path })).rejects.toThrow(/different archives/);
});
