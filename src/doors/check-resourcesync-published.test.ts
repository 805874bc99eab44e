import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { checkReport } from './check.ts';
import { publish } from './publish.ts';

const page = (title: string, text: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p><h2 id="more">More</h2><p>${text} more</p></main>`;

async function folderWith(pages: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-check-rs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await write(folder, pages);
  return folder;
}

async function write(folder: string, pages: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, html] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), html);
  }
}

clause(
  ['RS-S11', 'RS-X1', 'RS-L11'],
  'what publish writes has no finding: two collections, closed lists, split Resource Lists, a sitemap',
  async () => {
    const dir = await folderWith({
      'index.html': page('Home', 'Welcome'),
      'about.html': page('About', 'Of us'),
      'shrine/index.html': page('Shrine', 'Of cats'),
      'shrine/cats/index.html': page('Cats', 'Meow'),
      'shrine/dogs.html': page('Dogs', 'Bark'),
    });
    const options = {
      dir,
      site: 'https://example.com/',
      title: 'My site',
      author: 'Ann',
      collections: [{ path: '/shrine/', title: 'My shrine', author: 'Ann' }],
      listEntries: 2,
      sitemap: true,
    };
    for (const word of ['one', 'two', 'three', 'four']) {
      await write(dir, { 'shrine/dogs.html': page('Dogs', `Bark ${word}`), 'about.html': page('About', `Of ${word}`) });
      await publish(options);
    }
    expect(await readdir(join(dir, 'resourcesync/shrine'))).toEqual(
      expect.arrayContaining(['changelist-1.xml', 'changelist-index.xml', 'resourcelist-1.xml']),
    );
    const { findings, clauses, notes } = await checkReport(dir, { spec: 'resourcesync' });
    expect(findings).toEqual([]);
    expect(notes).toBeUndefined();
    expect(clauses.filter(({ status }) => status === 'pass').length).toBeGreaterThan(25);

    // The audit has looked at the pages.
    await write(dir, { 'shrine/cats/index.html': page('Cats', 'Purr') });
    const after = await checkReport(dir, { spec: 'resourcesync' });
    expect(after.findings).toMatchObject([{ clause: 'RESOURCESYNC-AUDIT' }]);
  },
);

clause('RS-S10', 'a site below the root of its host that is published has no finding', async () => {
  const dir = await folderWith({ 'index.html': page('Home', 'Welcome'), 'a/b.html': page('B', 'Of b') });
  await publish({ dir, site: 'https://example.com/docs/', title: 'Docs', author: 'Ann', dumps: true });
  const { findings } = await checkReport(dir, { spec: 'resourcesync' });
  expect(findings).toEqual([]);
});

test('what a plain publish writes has no finding in any dialect, also in a folder with odd names', async () => {
  const dir = await folderWith({
    'index.html': page('Home', 'Welcome'),
    'back\\slash.html': page('Odd', 'Of slashes'),
    '100% & more/ä?#.html': page('Odder', 'Of signs'),
  });
  for (const word of ['one', 'two']) {
    await write(dir, { 'news.html': page('News', word) });
    await publish({ dir, site: 'https://example.com/', dumps: true });
  }
  const report = await checkReport(dir);
  const reports = [report, ...(report.others ?? [])];
  expect(reports.map(({ spec }) => spec)).toEqual(['aicf', 'diffdelta', 'resourcesync']);
  for (const { spec, findings, notes } of reports) expect({ spec, findings, notes }).toEqual({ spec, findings: [] });
});
