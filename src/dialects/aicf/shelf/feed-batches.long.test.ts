import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, createFeedLab, textOf } from '../../../../test/support/feed-lab.ts';
import { shortOrLong } from '../../../../test/support/short-or-long.ts';
import type { FeedGenerations } from './feed-generations.ts';
import { ALL_FEED } from './feed-store.ts';

const SOURCES = ['api', 'blog', 'docs'];

/** All that a reader gets of a feed: its ETag and its bytes, in each encoding. */
async function shownOf(feeds: FeedGenerations, name: string) {
  const version = feeds.find(name);
  if (version === undefined) return undefined;
  const encoded = async (encoding: 'br' | 'gzip') => {
    const document = await version.encoded(encoding);
    return document && (await bytesOf(document.body)).toString('base64');
  };
  return [version.etag, await textOf(version), await encoded('gzip'), await encoded('br')];
}

test('feeds follow from the log alone: however it comes in, and whenever they are asked for, they have the same bytes', async () => {
  const commits = fc.array(fc.subarray(SOURCES, { minLength: 1 }), { minLength: 25, maxLength: 60 });
  let longest = 0;
  await fc.assert(
    fc.asyncProperty(commits, fc.infiniteStream(fc.nat(3)), async (sources, choices) => {
      // Some feeds are longer than what is compressed at once.
      await using lab = await createFeedLab('x'.repeat(6000));
      await using steady = await lab.open(join(lab.folder, 'steady'));
      let other = await lab.open(join(lab.folder, 'other'));
      let waiting: ReturnType<typeof lab.commit> = [];
      for (const each of sources) {
        const added = lab.commit(...each);
        await steady.add(added);
        await shownOf(steady, ALL_FEED);
        waiting = [...waiting, ...added];
        const choice = choices.next().value;
        if (choice === 0) await other.add(waiting.splice(0));
        if (choice === 1) await other.mend();
        if (choice !== 2) continue;
        await other[Symbol.asyncDispose]();
        other = await lab.open(join(lab.folder, 'other'));
      }
      await other.mend();
      for (const name of [...SOURCES, ALL_FEED])
        expect(await shownOf(other, name)).toEqual(await shownOf(steady, name));
      longest = Math.max(longest, steady.find(ALL_FEED)?.bytes ?? 0);
      await other[Symbol.asyncDispose]();
    }),
    { numRuns: shortOrLong(6, 100) },
  );
  expect(longest, 'more than one segment').toBeGreaterThan(2 * 64 * 1024);
}, 600_000);
