import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { htmlPage, type TestFolder, temporaryFolder } from '../../test/support/site.ts';
import { publish } from './publish.ts';

const SITE = 'https://docs.example/guide/';

const write = (site: TestFolder, text: string) =>
  site.write({ 'index.html': htmlPage('Home', [{ id: 'a', heading: 'First', text }]) });
const run = (site: TestFolder, previous?: string) =>
  publish({ dir: site.path, site: SITE, ...(previous !== undefined && { previous }) });

/** A site with so many runs, between which it was published without a change, too. */
async function publishedSite(runs: number): Promise<TestFolder> {
  const site = temporaryFolder();
  for (let at = 0; at < runs; at += 1) {
    write(site, `Text ${at}.`);
    await run(site);
    await run(site);
  }
  return site;
}

/** The file of the archive of a run, oldest first. */
function archiveOf(site: TestFolder, at: number, index = 'diff/docs_example/archives.json'): string {
  const { archives } = JSON.parse(site.read(index)) as { archives: { url: string }[] };
  return archives[at]?.url.slice('/guide/'.length) ?? '';
}

clause(
  'DD-A2',
  'an archive that was lost is made again with the same bytes, of a run that changes something or not',
  async () => {
    using site = await publishedSite(4);
    const before = site.fingerprint();
    const lost = [archiveOf(site, 0), archiveOf(site, 2), archiveOf(site, 3), archiveOf(site, 1, 'diff/archives.json')];
    for (const path of lost) site.remove(path);
    await run(site);
    expect(site.fingerprint()).toEqual(before);

    for (const path of lost) site.remove(path);
    write(site, 'Another text.');
    await run(site);
    for (const path of lost) expect(site.fingerprint()[path]).toBe(before[path]);
  },
);

test('an archive that the log does not give again stops the publish; the live site has it', async () => {
  using site = await publishedSite(2);
  using copy = temporaryFolder();
  copy.write(Object.fromEntries(Object.keys(site.fingerprint()).map((path) => [path, site.read(path)])));
  const path = archiveOf(site, 0);
  const whole = site.read(path);
  site.remove(path);
  const before = site.fingerprint();
  // Archives of another interval have other bytes.
  const other = () => publish({ dir: site.path, site: SITE, ttlSeconds: 60 });
  await expect(other()).rejects.toThrow(expect.objectContaining({ name: 'ArchiveUnreadError' }));
  await expect(other()).rejects.toThrow(/^\/guide\/archive\/docs_example\/.* is not there, and the log does not give/);
  expect(site.fingerprint()).toEqual(before);

  await publish({ dir: site.path, site: SITE, ttlSeconds: 60, previous: copy.path });
  expect(site.read(path)).toBe(whole);
});

test.each<readonly [string, number, (text: string) => string]>([
  ['old archive that was cut', 0, (text) => text.slice(0, 300)],
  ['old archive that grew', 0, (text) => `${text}\n`],
  ['archive of late that was altered', 9, (text) => text.replace('"changed":true', '"changed":"no"')],
  ['archive of a while ago that was altered', 2, (text) => text.replace('Home', 'Rome')],
])('an %s stops the publish, and nothing is written', async (_, at, alter) => {
  using site = await publishedSite(10);
  for (const index of ['diff/docs_example/archives.json', 'diff/archives.json']) {
    const path = archiveOf(site, at, index);
    const whole = site.read(path);
    site.write({ [path]: alter(whole) });
    expect(site.read(path)).not.toBe(whole);
    const before = site.fingerprint();
    await expect(run(site)).rejects.toThrow(`${path} has other bytes than were published.`);
    await expect(run(site)).rejects.toMatchObject({ recovery: 'fix-input' });
    expect(site.fingerprint()).toEqual(before);
    site.write({ [path]: whole });
  }
});
