import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { clause } from '../../../../test/clause.ts';
import { createFeedLab, LAB_START_MS, textOf } from '../../../../test/support/feed-lab.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import { LogUnavailableError } from '../../../errors/log-error.ts';
import { etagIn } from '../../../hub/http/ready-document.ts';
import { FileFeeds } from '../../../io/feeds/file-feeds.ts';
import { openFeedShelf } from './feed-shelf.ts';
import { ALL_FEED, type FeedVersion } from './feed-store.ts';

test('a feed of all and one of each source follow from the log', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  expect(shelf.find(ALL_FEED)).toBeUndefined();
  await shelf.add(lab.commit('docs', 'blog', 'docs'));
  for (const name of [ALL_FEED, 'docs', 'blog']) {
    expect(await textOf(shelf.find(name))).toBe(lab.derived(name));
    expect(await readFile(lab.path(`${name}.ndjson`), 'utf8')).toBe(lab.derived(name));
  }
  expect(shelf.find('news')).toBeUndefined();
  expect(shelf).toMatchObject({ seq: 3, trouble: undefined });
});

clause(
  ['AICF-F2', 'AICF-H1'],
  'a version stays as it was while the feed grows, and each has its own ETags',
  async () => {
    await using lab = await createFeedLab();
    await using shelf = await lab.open();
    const versions: FeedVersion[] = [];
    const texts: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      await shelf.add(lab.commit('docs', 'docs'));
      const version = shelf.find('docs');
      if (version === undefined) throw new Error('no version');
      versions.push(version);
      texts.push(lab.derived('docs'));
    }
    expect(await Promise.all(versions.map(textOf))).toEqual(texts);
    const etags = versions.flatMap((version) =>
      (['identity', 'gzip', 'br'] as const).map((form) => etagIn(version.etag, form)),
    );
    expect(new Set(etags).size).toBe(15);
    for (const etag of etags) expect(etag).toMatch(/^"[\w.]+"$/);
    expect(versions.map(({ lastModifiedMs }) => lastModifiedMs)).toEqual(
      [2, 4, 6, 8, 10].map((s) => LAB_START_MS + s * 1000),
    );
  },
);

test('a change that AICF has no words for leaves no line and stops nothing', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  const [odd] = lab.commit('odd').splice(0);
  if (odd === undefined) throw new Error('no change');
  lab.log[0] = { ...odd, url: 'urn:x' };
  await shelf.add(lab.log.slice());
  expect(shelf.find('odd')).toBeUndefined();
  expect(shelf.seq).toBe(1);
  const [next] = lab.commit('odd');
  if (next === undefined) throw new Error('no change');
  await shelf.add([next]);
  expect(await textOf(shelf.find('odd'))).toBe(encodeEvent(next));
  expect(await textOf(shelf.find(ALL_FEED))).toBe(encodeEvent(next));
});

test('after a clean stop the log is not read again', async () => {
  await using lab = await createFeedLab();
  await (await lab.open())[Symbol.asyncDispose]();
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'blog', 'docs'));
  }
  const before = lab.yielded;
  await using shelf = await lab.open();
  expect(lab.yielded - before, 'only the change that shows whether it is the same log').toBe(1);
  expect(await textOf(shelf.find(ALL_FEED))).toBe(lab.derived(ALL_FEED));
  expect(shelf.seq).toBe(3);
});

test('changes come in twice, with a hole, or side by side: the feeds have each once and in order', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  const first = lab.commit('a', 'b');
  await shelf.add(first);
  await shelf.add(first);
  const [, ...late] = lab.commit('a', 'b', 'c');
  await shelf.add(late);
  expect(await textOf(shelf.find(ALL_FEED))).toBe(lab.derived(ALL_FEED));
  await Promise.all(Array.from({ length: 20 }, (_, index) => shelf.add(lab.commit(index % 2 === 0 ? 'a' : 'b'))));
  for (const name of [ALL_FEED, 'a', 'b', 'c']) expect(await textOf(shelf.find(name))).toBe(lab.derived(name));
});

const DAMAGES: readonly (readonly [string, (path: (file: string) => string) => Promise<void>])[] = [
  ['cut', (path) => truncate(path('docs.ndjson'), 100)],
  ['empty', (path) => truncate(path('docs.ndjson'), 0)],
  ['longer by garbage', (path) => writeFile(path('docs.ndjson'), '{"id":"garb', { flag: 'a' })],
  ['deleted', (path) => rm(path('docs.ndjson'))],
  ['without its marks', (path) => rm(path('marks'))],
  ['with empty marks', (path) => writeFile(path('marks'), '')],
  ['with half of its marks', (path) => truncate(path('marks'), 90)],
  ['with marks that say something else', (path) => edit(path('marks'), (text) => text.replace('"docs",', '"docs",1'))],
  ['with marks of nonsense', (path) => writeFile(path('marks'), '[0]\n')],
  ['with files that are no feed of the log', (path) => writeFile(path('ghost.ndjson'), '{}\n')],
  ['gone altogether', (path) => rm(path(''), { recursive: true })],
];

test.each(DAMAGES)('a folder that is %s is mended on opening', async (_, damage) => {
  for (const stop of ['clean', 'unclean']) {
    await using lab = await createFeedLab();
    const shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'blog', 'docs', 'docs'));
    if (stop === 'clean') await shelf[Symbol.asyncDispose]();
    else await (await lab.open()).add(lab.commit('docs'));
    await damage(lab.path);
    await using again = await lab.open();
    for (const name of [ALL_FEED, 'docs', 'blog']) {
      expect(await textOf(again.find(name))).toBe(lab.derived(name));
      expect(await readFile(lab.path(`${name}.ndjson`), 'utf8')).toBe(lab.derived(name));
    }
    expect(await readdir(lab.folder)).not.toContain('ghost.ndjson');
    expect(again).toMatchObject({ trouble: undefined, seq: lab.log.length });
  }
});

test('zeroes in the middle of a file are found after an unclean stop', async () => {
  await using lab = await createFeedLab();
  const shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'blog', 'docs', 'docs'));
  // Behind this opening the marks are written without a sync.
  await lab.open();
  await edit(lab.path('docs.ndjson'), (text) => `${text.slice(0, 40)}${'\0'.repeat(60)}${text.slice(100)}`);
  await using again = await lab.open();
  expect(await textOf(again.find('docs'))).toBe(lab.derived('docs'));
});

test('zeroes that a reader comes upon are never served, and are mended', async () => {
  await using lab = await createFeedLab();
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'docs'));
  }
  await edit(lab.path('docs.ndjson'), (text) => `${text.slice(0, 40)}${'\0'.repeat(60)}${text.slice(100)}`);
  await using shelf = await lab.open();
  await expect(textOf(shelf.find('docs'))).rejects.toThrow(LogUnavailableError);
  await shelf.mend();
  expect(await textOf(shelf.find('docs'))).toBe(lab.derived('docs'));
});

test('marks that are older than the files, and files of a log that was put back, lead to the log as it is', async () => {
  await using lab = await createFeedLab();
  const shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'docs'));
  await shelf[Symbol.asyncDispose]();
  const old = await readFile(lab.path('marks'));
  {
    await using later = await lab.open();
    await later.add(lab.commit('docs', 'blog'));
  }
  await writeFile(lab.path('marks'), old);
  {
    await using again = await lab.open();
    for (const name of [ALL_FEED, 'docs', 'blog']) expect(await textOf(again.find(name))).toBe(lab.derived(name));
  }
  lab.log.length = 1;
  await using restored = await lab.open();
  for (const name of [ALL_FEED, 'docs']) expect(await textOf(restored.find(name))).toBe(lab.derived(name));
  expect(restored.find('blog')).toBeUndefined();
  expect((await readdir(lab.folder)).filter((file) => file.endsWith('.ndjson')).sort()).toEqual([
    '_all.ndjson',
    'docs.ndjson',
  ]);
});

test('a log that was put back and went on another way is told from the one that the feeds are of', async () => {
  await using lab = await createFeedLab();
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'docs', 'docs'));
  }
  const last = lab.log.pop();
  if (last === undefined) throw new Error('no change');
  lab.log.push({ ...last, id: `${last.id.slice(0, -1)}Z`, url: `${last.url}-x` });
  await using again = await lab.open();
  expect(await textOf(again.find('docs'))).toBe(lab.derived('docs'));
});

test('a file that is deleted while the feeds are open is whole again after the next change', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'docs'));
  await rm(lab.path('docs.ndjson'));
  await shelf.add(lab.commit('docs'));
  expect(shelf.trouble).toBeUndefined();
  expect(await readFile(lab.path('docs.ndjson'), 'utf8')).toBe(lab.derived('docs'));
  expect(await textOf(shelf.find('docs'))).toBe(lab.derived('docs'));
});

test('a process that ends while it writes a damaged file anew leaves no marks that call it good', async () => {
  await using lab = await createFeedLab();
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'docs'));
  }
  await edit(lab.path('docs.ndjson'), (text) => `${text.slice(0, 40)}${'\0'.repeat(60)}${text.slice(100)}`);
  let isLogReadable = true;
  await using shelf = await openFeedShelf({
    store: new FileFeeds({ folder: lab.folder }),
    async *readChanges(after) {
      if (!isLogReadable) throw new LogUnavailableError('log', new Error('no'));
      yield* lab.log.slice(after);
    },
  });
  await expect(textOf(shelf.find('docs'))).rejects.toThrow(LogUnavailableError);
  isLogReadable = false;
  await shelf.mend();
  expect(shelf.trouble).toContain('log');

  await using again = await lab.open();
  expect(await textOf(again.find('docs'))).toBe(lab.derived('docs'));
});

test('what memory holds of an older version is not taken for the newest', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  const versions: (FeedVersion | undefined)[] = [];
  const texts: string[] = [];
  for (const count of [1, 1, 3]) {
    await shelf.add(lab.commit(...Array.from({ length: count }, () => 'docs')));
    versions.push(shelf.find('docs'));
    texts.push(lab.derived('docs'));
    if (versions.length === 2) await textOf(versions[0]);
  }
  expect(await textOf(versions[1])).toBe(texts[1]);
  expect(await textOf(versions[2])).toBe(texts[2]);
});

test('a full disk keeps the versions that are there; the feed catches up when there is room', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs'));
  await symlink('/dev/full', lab.path('blog.ndjson'));
  await shelf.add(lab.commit('blog', 'docs'));
  expect(shelf.trouble).toContain('ENOSPC');
  expect(shelf.find('blog')).toBeUndefined();
  expect(shelf.seq).toBe(1);
  await shelf.add(lab.commit('docs'));
  expect(shelf.trouble).toContain('ENOSPC');

  await rm(lab.path('blog.ndjson'));
  await shelf.mend();
  expect(shelf).toMatchObject({ trouble: undefined, seq: 4 });
  for (const name of [ALL_FEED, 'docs', 'blog']) expect(await textOf(shelf.find(name))).toBe(lab.derived(name));
});

test('a file that cannot be written keeps its last version; half a line in it is written over', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs'));
  const before = lab.derived('docs');
  expect(await textOf(shelf.find('docs'))).toBe(before);
  await rename(lab.path('docs.ndjson'), lab.path('aside'));
  await mkdir(lab.path('docs.ndjson'));
  await shelf.add(lab.commit('docs'));
  expect(shelf.trouble).toContain('EISDIR');
  expect(await textOf(shelf.find('docs'))).toBe(before);

  await writeFile(lab.path('aside'), '{"id":"half', { flag: 'a' });
  await rm(lab.path('docs.ndjson'), { recursive: true });
  await rename(lab.path('aside'), lab.path('docs.ndjson'));
  await shelf.add(lab.commit('blog'));
  expect(shelf.trouble).toBeUndefined();
  for (const name of [ALL_FEED, 'docs', 'blog']) {
    expect(await readFile(lab.path(`${name}.ndjson`), 'utf8')).toBe(lab.derived(name));
  }
});

test('a folder that is taken away while the feeds are open is made again', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'blog'));
  await rm(lab.folder, { recursive: true });
  await shelf.add(lab.commit('docs'));
  await shelf.mend();
  await expect(textOf(shelf.find('blog'))).rejects.toThrow(LogUnavailableError);
  await shelf.mend();
  for (const name of [ALL_FEED, 'docs', 'blog']) expect(await textOf(shelf.find(name))).toBe(lab.derived(name));
});

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}
