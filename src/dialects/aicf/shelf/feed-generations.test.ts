import { readdir, rm, truncate } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createFeedLab, textOf } from '../../../../test/support/feed-lab.ts';
import { encodeEvent } from '../../../codecs/aicf/encode.ts';
import { ALL_FEED } from './feed-store.ts';

test('a cut log gives its feeds new names; what was served under the old ones stays, byte for byte', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'blog', 'docs', 'docs'));
  const before = await textOf(shelf.find(ALL_FEED));
  await shelf.secure();
  lab.cut(2);
  await shelf.rebegin();
  expect(shelf.generation).toBe(2);
  expect(await textOf(shelf.find(ALL_FEED, 1))).toBe(before);
  const kept = lab.log.slice(2).map(encodeEvent).join('');
  expect(await textOf(shelf.find(ALL_FEED))).toBe(kept);
  expect(shelf.find('blog'), 'nothing of it is in the log any more').toBeUndefined();

  await shelf.add(lab.commit('blog'));
  expect(await textOf(shelf.find(ALL_FEED))).toBe(lab.log.slice(2).map(encodeEvent).join(''));
  expect(await textOf(shelf.find(ALL_FEED, 1)), 'the old one takes no more lines').toBe(before);
});

test('after a restart the old feeds are served as they were, without the log', async () => {
  await using lab = await createFeedLab();
  let before: string | undefined;
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'docs', 'docs'));
    before = await textOf(shelf.find('docs'));
    await shelf.secure();
    lab.cut(2);
    await shelf.rebegin();
    await shelf.add(lab.commit('docs'));
  }
  await using shelf = await lab.open();
  expect(await textOf(shelf.find('docs', 1))).toBe(before);
  expect(await textOf(shelf.find('docs'))).toBe(lab.log.slice(2).map(encodeEvent).join(''));
});

test('a stop between the cut and the new feeds loses nothing that was served', async () => {
  await using lab = await createFeedLab();
  const served: (string | undefined)[] = [];
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'docs', 'docs'));
    await shelf.secure();
    lab.cut(2);
    // As when the process is killed here: the old feeds took another line meanwhile, and nobody finished them.
    await shelf.add(lab.commit('docs'));
    served.push(await textOf(shelf.find('docs')));
  }
  await using shelf = await lab.open();
  expect(shelf.generation).toBe(2);
  const old = await textOf(shelf.find('docs', 1));
  expect(old?.startsWith(served[0] ?? 'nothing')).toBe(true);
  expect(await textOf(shelf.find('docs'))).toBe(lab.log.slice(2).map(encodeEvent).join(''));
});

test('feeds of which the log has nothing any more are removed with the next cut', async () => {
  await using lab = await createFeedLab();
  await using shelf = await lab.open();
  await shelf.add(lab.commit('docs', 'docs'));
  await shelf.secure();
  lab.cut(1);
  await shelf.rebegin();
  await shelf.add(lab.commit('docs', 'docs'));
  await shelf.secure();
  lab.cut(3);
  await shelf.rebegin();
  expect(shelf.generation).toBe(3);
  expect(shelf.find('docs', 1)).toBeUndefined();
  expect(shelf.find('docs', 2)).toBeDefined();
  expect((await readdir(lab.folder)).filter((name) => !name.includes('-'))).toEqual([]);
});

test('a finished feed that lost bytes is not shown, for the log cannot give them back', async () => {
  await using lab = await createFeedLab();
  {
    await using shelf = await lab.open();
    await shelf.add(lab.commit('docs', 'blog', 'docs'));
    await shelf.secure();
    lab.cut(2);
    await shelf.rebegin();
  }
  await truncate(lab.path('docs.ndjson'), 10);
  await rm(lab.path('blog.deflate'), { force: true });
  await using shelf = await lab.open();
  expect(shelf.find('docs', 1)).toBeUndefined();
  expect(shelf.find('blog', 1)).toBeDefined();
  expect(await textOf(shelf.find('docs'))).toBe(lab.log.slice(2).map(encodeEvent).join(''));
});
