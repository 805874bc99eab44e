import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decodeAtomFeed } from '../src/codecs/atom/decode-feed.ts';
import { takeAtomEntries } from '../src/codecs/atom/take-entries.ts';
import type { FeedFolder } from '../src/dialects/resourcesync/harvest/feed-file.ts';
import { harvestSite } from '../src/dialects/resourcesync/harvest/harvest.ts';
import { openHttp } from '../src/doors/open-http.ts';
import { createFileFolder } from '../src/io/files/folder.ts';
import { openSqliteFollowState } from '../src/io/sqlite/follow-state.ts';
import { gunzip } from '../src/io/zlib/gunzip.ts';
import { change, type HarvestLab, startHarvestLab } from './support/harvest-site.ts';
import { validAtom } from './support/xml-validity.ts';

async function entriesOf(file: string): Promise<readonly string[]> {
  const entries = takeAtomEntries(await readFile(file, 'utf8'));
  if (!entries.ok) throw new Error(entries.issues[0].message);
  return entries.value;
}

interface Parts {
  readonly folder?: FeedFolder;
  readonly maxEntries?: number;
  readonly base?: URL;
}

/** One run with parts of the test's own. */
async function run(lab: HarvestLab, { folder, ...feeds }: Parts) {
  await using http = await openHttp({ allowPrivate: true });
  await using state = await openSqliteFollowState({ file: join(lab.out, '.harvest.db') });
  return await harvestSite(
    { url: new URL(lab.origin), isFromNow: false, maxTitles: 0 },
    {
      http,
      gunzip,
      state,
      signal: new AbortController().signal,
      now: Date.now,
      titleOf: async () => undefined,
      feeds: { folder: folder ?? createFileFolder(lab.out), changes: (after) => state.changes(after), ...feeds },
    },
  );
}

const entry = (lab: HarvestLab, path: string) => change(`${lab.origin}/a/${path}`, 'created', '2026-01-01');

test('a run that was cut off before its feeds were written is made good by the next one, once', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [entry(lab, '1')] });
  await lab.harvest();
  lab.publish({ a: [entry(lab, '1'), entry(lab, '2')] });
  const real = createFileFolder(lab.out);
  for (const path of ['a.atom', 'site.atom']) {
    const broken: FeedFolder = {
      ...real,
      replace: async (name, bytes) => {
        if (name === path) throw new Error('cut off');
        await real.replace(name, bytes);
      },
    };
    await expect(run(lab, { folder: broken })).rejects.toThrow('cut off');
  }
  expect((await lab.harvest()).collections).toMatchObject([{ changes: 0 }]);
  const feed = await entriesOf(join(lab.out, 'a.atom'));
  expect(feed).toHaveLength(2);
  expect(feed[0]).toContain('/a/2');
  expect(await entriesOf(join(lab.out, 'site.atom'))).toEqual(feed);

  // A folder that lost its feeds gets the same entries again.
  for (const name of ['a', 'site']) await rm(join(lab.out, `${name}.atom`));
  await lab.harvest();
  expect(await entriesOf(join(lab.out, 'a.atom'))).toEqual(feed);
});

test('a file that is not ours is never written over; its feed catches up when it is out of the way', async () => {
  await using lab = await startHarvestLab();
  lab.publish({ a: [entry(lab, '1')] });
  const file = join(lab.out, 'a.atom');
  await writeFile(file, '<feed xmlns="http://www.w3.org/2005/Atom"><title>Mine</title></feed>');
  const report = await lab.harvest();
  expect(report).toMatchObject({ errors: [{ code: 'ForeignFileError', url: file }], isComplete: false });
  expect(await readFile(file, 'utf8')).toContain('Mine');
  const site = await entriesOf(join(lab.out, 'site.atom'));
  expect(site).toHaveLength(1);
  await rm(file);
  expect(await lab.harvest()).toMatchObject({ errors: [], collections: [{ changes: 0 }] });
  expect(await entriesOf(file)).toEqual(site);

  // Nor is the feed of another site: two sites cannot share a folder.
  await using other = await startHarvestLab();
  other.publish({ b: [entry(other, '1')] });
  const second = await other.harvest({ out: lab.out, state: join(other.out, 'state.db') });
  expect(second.errors).toMatchObject([{ code: 'ForeignFileError', url: join(lab.out, 'site.atom') }]);
  expect(await entriesOf(join(lab.out, 'site.atom'))).toEqual(site);
});

test('a long feed gets archives where it is known to be served, and every entry keeps its bytes', async () => {
  await using lab = await startHarvestLab();
  const base = new URL('https://feeds.example/x/');
  const published: string[] = [];
  const told: string[] = [];
  for (let round = 1; round <= 8; round += 1) {
    told.push(entry(lab, `page-${round}`));
    lab.publish({ a: told });
    await run(lab, { maxEntries: 4, base });
    const [newest] = await entriesOf(join(lab.out, 'a.atom'));
    published.unshift(newest ?? '');
  }
  const found: string[] = [];
  let file: string | undefined = 'a.atom';
  while (file !== undefined) {
    const text: string = await readFile(join(lab.out, file), 'utf8');
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${base.href}${file}"/>`);
    found.push(...(await entriesOf(join(lab.out, file))));
    const feed = decodeAtomFeed(text);
    file = feed.ok ? feed.value.prevArchiveUrl?.slice(base.href.length) : undefined;
  }
  expect(found).toEqual(published);
  expect(new Set(found).size).toBe(8);
});

test('a long feed that is served nowhere keeps its newest entries, says so once, and gets the others back', async () => {
  await using lab = await startHarvestLab();
  const newest: string[] = [];
  const told: string[] = [];
  const notes: string[] = [];
  for (let round = 1; round <= 8; round += 1) {
    told.push(entry(lab, `page-${round}`));
    lab.publish({ a: told });
    notes.push(...(await run(lab, { maxEntries: 4 })).notes);
    newest.unshift((await entriesOf(join(lab.out, 'a.atom')))[0] ?? '');
  }
  expect(await entriesOf(join(lab.out, 'a.atom'))).toEqual(newest.slice(0, 4));
  expect(notes).toEqual(['a', 'site'].map((name) => expect.stringContaining(`${name}.atom: It has only the newest`)));
  // One that was lost comes back as long as it was, and the other one is not touched.
  await rm(join(lab.out, 'site.atom'));
  await run(lab, { maxEntries: 4 });
  for (const name of ['a', 'site']) {
    expect(await entriesOf(join(lab.out, `${name}.atom`))).toEqual(newest.slice(0, 4));
  }
  await run(lab, { maxEntries: 4, base: new URL('https://feeds.example/x/') });
  const files = await Promise.all(['a', 'a.2', 'a.1'].map((name) => entriesOf(join(lab.out, `${name}.atom`))));
  expect(files.flat()).toEqual(newest);
});

test('nothing that a list says becomes markup or leads astray', async () => {
  await using lab = await startHarvestLab();
  const hostile = (loc: string, kind = 'updated', attributes = '') => change(loc, kind, '2026-01-01', '', attributes);
  const title = ' xlink:title="&lt;img src=x onerror=alert(1)&gt;&#10;]]&gt;&amp;lt;script&amp;gt;"';
  lab.publish({
    a: [
      hostile('javascript:alert(1)'),
      hostile('/relative'),
      hostile('//127.0.0.1/x'),
      hostile(lab.origin.replace('//', '//user:secret@')),
      hostile(`${lab.origin}/a/crlf%0d%0aSet-Cookie&#13;&#10;x`),
      hostile(`${lab.origin}/a/${'x'.repeat(4100)}`),
      hostile(`${lab.origin}/a/"&gt;&lt;script&gt;alert(2)&lt;/script&gt;`, 'updated', title),
      hostile('https://bank.example/login', 'updated', ' xlink:title="Sign in"'),
      hostile(`${lab.origin}/a/gone`, 'deleted'),
      hostile(`${lab.origin}/a/there#&lt;b&gt;%00`, 'created'),
    ],
  });
  const { collections, errors } = await lab.harvest();
  expect(errors).toEqual([]);
  expect(collections[0]?.notes.filter((note) => note.includes('RS-L9'))).toHaveLength(5);
  const [told = ''] = await entriesOf(join(lab.out, 'a.atom'));
  const content = /<content type="html">(.*)<\/content>/.exec(told)?.[1] ?? '';
  const html = content
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
  expect([...new Set([...html.matchAll(/<([a-z0-9:]+)/g)].map(([, tag]) => tag))].sort()).toEqual([
    'a',
    'h3',
    'li',
    'ul',
  ]);
  for (const [, href = ''] of html.matchAll(/href="([^"]*)"/g)) expect(href.startsWith(`${lab.origin}/a/`)).toBe(true);
  expect(html).not.toMatch(/secret|relative|javascript|href="[^"]*gone/);
  expect(html).toContain('Sign in');
  expect(html).toContain('gone');
  const files = await Promise.all(['a', 'site'].map((name) => readFile(join(lab.out, `${name}.atom`), 'utf8')));
  expect(await validAtom(...files)).toEqual([]);
});

test('a first run names so many pages and counts the others; several changes of a page are one line', async () => {
  await using lab = await startHarvestLab();
  const pages = Array.from({ length: 5000 }, (_, at) => entry(lab, `page-${at}`));
  lab.publish({ a: [...pages, change(`${lab.origin}/a/page-0`, 'deleted', '2026-01-02')] });
  expect((await lab.harvest({ maxListed: 10 })).collections).toMatchObject([{ changes: 5001 }]);
  const [first = ''] = await entriesOf(join(lab.out, 'a.atom'));
  expect(first.length).toBeLessThan(10_000);
  expect(first).toMatch(/and 49\d\d more/);
  expect(await entriesOf(join(lab.out, 'a.atom'))).toHaveLength(1);
});
