import { expect, test } from 'vitest';
import { htmlPage } from '../../test/support/site.ts';
import { decodePageRecord, encodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { BuiltSite, SiteListing } from '../model/folder.ts';
import { compareSite } from './compare-site.ts';

const site = new URL('https://docs.example/');
const PAGE = htmlPage('Page', [
  { id: 'a', heading: 'A', text: 'One.' },
  { id: 'b', heading: 'B', text: 'Two.' },
]);

function builtSite(files: Readonly<Record<string, string>>, failures: SiteListing['failures'] = []): BuiltSite {
  return {
    name: 'site',
    list: () => ({ paths: Object.keys(files), failures }),
    stampOf: () => JSON.stringify(files),
    read(path) {
      const text = files[path];
      if (text === undefined || text === 'unreadable') throw new Error('EACCES: no');
      return Buffer.from(text);
    },
  };
}

const published = async (files: Readonly<Record<string, string>>) =>
  (await compareSite(builtSite(files), new Map(), { site })).pages;

/** The same pages as another extractor would have left them. */
function byAnotherExtractor(pages: ReadonlyMap<string, PageRecord>): Map<string, PageRecord> {
  const older = [...pages.values()].map((record) =>
    encodePageRecord(record, {
      ...decodePageRecord(record),
      extractor: 'older',
      checksum: `sha256:${'0'.repeat(64)}`,
    }),
  );
  return new Map(older.map((record) => [record.url, record]));
}

test('a newer extractor reads a file that did not change anew, without an event', async () => {
  const before = byAnotherExtractor(await published({ 'a.html': PAGE }));
  const { changes, pages } = await compareSite(builtSite({ 'a.html': PAGE }), before, { site });
  expect(changes).toEqual([]);
  expect(pages).toEqual(await published({ 'a.html': PAGE }));
});

test('a file that did change under a newer extractor is one update of the page', async () => {
  const before = byAnotherExtractor(await published({ 'a.html': PAGE }));
  const { changes } = await compareSite(builtSite({ 'a.html': PAGE.replace('Two', 'Three') }), before, { site });
  expect(changes).toMatchObject([{ action: 'update', url: 'https://docs.example/a.html', note: 're-read' }]);
  expect(changes[0]).not.toHaveProperty('anchor');
});

test('where a folder could not be listed, absence proves nothing', async () => {
  const before = await published({ 'a.html': PAGE, 'b/c.html': PAGE });
  const failures = [{ file: 'site/b', message: 'EACCES' }];
  const comparison = await compareSite(builtSite({ 'a.html': PAGE }, failures), before, { site });
  expect(comparison).toMatchObject({ changes: [], vanished: [], failures });
  expect(comparison.pages).toEqual(before);
});

test('two files at one address: the first is the page, the second is reported, whatever it holds', async () => {
  for (const second of [PAGE.replace('Two', 'Other'), 'unreadable']) {
    const { pages, failures } = await compareSite(builtSite({ 'index.html': PAGE, 'index.htm': second }), new Map(), {
      site,
    });
    expect(pages).toEqual(await published({ 'index.html': PAGE }));
    expect(failures).toMatchObject([
      { file: 'site/index.htm', message: expect.stringContaining('https://docs.example/') },
    ]);
  }
});

test('few files are parsed before others have their turn', async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}.html`, PAGE]));
  let [isDone, parsed] = [false, 0];
  const done = compareSite(builtSite(files), new Map(), {
    site,
    onPage: async () => {
      parsed += 1;
    },
  }).finally(() => {
    isDone = true;
  });
  const steps: number[] = [];
  for (let before = 0; !isDone; before = parsed) {
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(parsed - before);
  }
  await done;
  expect(parsed).toBe(100);
  expect(Math.max(...steps)).toBeLessThanOrEqual(8);
});

test('progress is told while files are read', async () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`p${index}.html`, PAGE]));
  const told: number[] = [];
  await compareSite(builtSite(files), new Map(), { site, onProgress: (done) => told.push(done) });
  expect(told).toEqual([255, 511, 600]);
});
