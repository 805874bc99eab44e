import { type AddedLine, ALL_FEED } from '../../dialects/aicf/shelf/feed-store.ts';
import type { FileFeed } from './feed.ts';
import { ShortFileError } from './growing-file.ts';

interface Growth {
  readonly texts: string[];
  seq: number;
  last: AddedLine | undefined;
}

/** How many files are written at the same time. */
const WRITERS = 16;

/**
 * Adds lines, in order of `seq`, to the feed of all and to those of their sources; a feed that has them already is left as it
 * is. Resolves to why one of them could not be written; all others are, then, too.
 */
export async function growFeeds(
  lines: readonly AddedLine[],
  feedOf: (name: string) => FileFeed,
): Promise<Error | undefined> {
  const work = [...growthOf(lines, feedOf)];
  let failure: Error | undefined;
  const writer = async () => {
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const problem = await grow(...next);
      failure ??= problem;
    }
  };
  await Promise.all(Array.from({ length: Math.min(WRITERS, work.length) }, writer));
  return failure;
}

function growthOf(lines: readonly AddedLine[], feedOf: (name: string) => FileFeed): Map<FileFeed, Growth> {
  const growths = new Map<FileFeed, Growth>();
  for (const line of lines) {
    for (const name of new Set([ALL_FEED, line.source])) {
      const feed = feedOf(name);
      if (line.seq <= feed.mark.written.seq) continue;
      const growth = growths.get(feed) ?? { texts: [], seq: 0, last: undefined };
      growths.set(feed, growth);
      growth.seq = line.seq;
      if (line.text === undefined) continue;
      growth.texts.push(line.text);
      growth.last = line;
    }
  }
  return growths;
}

async function grow(feed: FileFeed, { texts, seq, last }: Growth): Promise<Error | undefined> {
  try {
    await feed.append({ text: texts.join(''), seq, ...(last && { last }) });
    return undefined;
  } catch (error) {
    if (error instanceof ShortFileError) feed.distrust();
    else if (!(error instanceof Error && 'code' in error)) throw error;
    return error;
  }
}
