import { parseTime } from '../../codecs/primitives/time.ts';
import { aicfLine } from '../../dialects/aicf/shelf/aicf-line.ts';
import { ALL_FEED } from '../../dialects/aicf/shelf/feed-shelf.ts';
import type { Change } from '../../model/change.ts';
import type { FileFeed } from './feed.ts';
import { ShortFileError } from './feed-file.ts';

interface Growth {
  readonly lines: string[];
  seq: number;
  last: Change | undefined;
}

/** So many files are written side by side. */
const WRITERS = 16;

/**
 * Adds changes, in order of `seq`, to the feed of all and to those of their sources; a feed that has them already is left
 * as it is. Resolves to why one of them could not be written; all others are, then, too.
 */
export async function growFeeds(
  changes: readonly Change[],
  feedOf: (name: string) => FileFeed,
): Promise<string | undefined> {
  const work = [...growthOf(changes, feedOf)];
  let failure: string | undefined;
  const writer = async () => {
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const problem = await grow(...next);
      failure ??= problem;
    }
  };
  await Promise.all(Array.from({ length: Math.min(WRITERS, work.length) }, writer));
  return failure;
}

function growthOf(changes: readonly Change[], feedOf: (name: string) => FileFeed): Map<FileFeed, Growth> {
  const growths = new Map<FileFeed, Growth>();
  for (const change of changes) {
    const line = aicfLine(change);
    for (const name of new Set([ALL_FEED, change.source])) {
      const feed = feedOf(name);
      if (change.seq <= feed.mark.written.seq) continue;
      const growth = growths.get(feed) ?? { lines: [], seq: 0, last: undefined };
      growths.set(feed, growth);
      growth.seq = change.seq;
      if (line === undefined) continue;
      growth.lines.push(line);
      growth.last = change;
    }
  }
  return growths;
}

async function grow(feed: FileFeed, { lines, seq, last }: Growth): Promise<string | undefined> {
  try {
    await feed.append({
      text: lines.join(''),
      seq,
      ...(last && { last: { id: last.id, timeMs: parseTime(last.time) ?? 0 } }),
    });
    return undefined;
  } catch (error) {
    if (error instanceof ShortFileError) feed.distrust();
    else if (!(error instanceof Error && 'code' in error)) throw error;
    return error.message;
  }
}
