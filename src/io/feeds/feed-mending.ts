import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileFeed } from './feed.ts';
import type { FeedMarks } from './feed-marks.ts';
import { GrowingFile } from './growing-file.ts';

/** How many files are read or synced at the same time. */
const WORKERS = 8;
/** Closing does not wait longer for the disk: the next opening then looks at every byte. */
const MAX_SYNC_MS = 5000;
/** `docs.ndjson`, and `docs-2.ndjson` of the second generation. */
const FEED_FILE = /^([^-]+)(?:-(\d+))?\.(ndjson|deflate)$/;

/**
 * Takes over the feeds as marked. Resolves to those whose files differ from their marks: shorter, or, if it is unknown whether all bytes reached the disk,
 * with other bytes.
 */
export async function adoptMarks(marks: FeedMarks, feedOf: (name: string) => FileFeed): Promise<FileFeed[]> {
  const broken: FileFeed[] = [];
  await eachOf(marks.feeds, async (mark) => {
    const feed = feedOf(mark.name);
    feed.adopt(mark, marks.synced);
    const isWhole = marks.synced ? feed.file.size() >= mark.written.bytes : await feed.isWhole();
    if (!isWhole) broken.push(feed);
  });
  return broken;
}

/** Removes what interrupted writes left after the feeds of a generation, and files of feeds that the log does not know. */
export async function cutFeedFiles(
  { folder, generation }: { readonly folder: string; readonly generation: number },
  feeds: ReadonlyMap<string, FileFeed>,
): Promise<void> {
  const names = await readdir(folder);
  await eachOf(names, async (file) => {
    const [, name = '', number = '1', ending] = FEED_FILE.exec(file) ?? [];
    if (ending === undefined || Number(number) !== generation) return;
    const mark = feeds.get(name)?.mark;
    const bytes = (ending === 'ndjson' ? mark?.written.bytes : mark?.gzip.bytes) ?? 0;
    const target = new GrowingFile(join(folder, file));
    if (bytes === 0 || target.size() > bytes) await target.cut(bytes);
  });
}

/** Whether all that was written is on the disk now. */
export async function syncFeeds(feeds: readonly FileFeed[], now: () => number): Promise<boolean> {
  const deadline = now() + MAX_SYNC_MS;
  let synced = true;
  await eachOf(
    feeds.filter((feed) => feed.isDirty),
    async (feed) => {
      try {
        if (now() > deadline) synced = false;
        if (synced) await feed.sync();
      } catch {
        synced = false;
      }
    },
  );
  return synced;
}

async function eachOf<T>(items: readonly T[], step: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await step(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
