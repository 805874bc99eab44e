import type { ForeignFileError } from '../../../errors/foreign-file-error.ts';
import type { ProjectedFeeds } from '../read/harvested.ts';
import { feedPath } from './feed-file.ts';
import { feedRuns } from './feed-runs.ts';
import { OpenFeeds, type ProjectedSource, type ProjectOptions } from './open-feeds.ts';

export interface FeedProjection {
  readonly projected: ProjectedFeeds;
  readonly errors: readonly ForeignFileError[];
  /** What a person should know about the feeds. */
  readonly notes: readonly string[];
}

const CUT =
  'It has only the newest entries, because older ones need archives and nobody said where those are served. With --base they come back.';

/**
 * Updates the feeds of a source from its log: one for each collection, and one for all. Written entries keep their bytes; entries
 * that no file has are made from the log. Without news no file is touched. A file that is not ours is an error of that feed only.
 */
export async function projectFeeds(projected: ProjectedSource, options: ProjectOptions): Promise<FeedProjection> {
  const feeds = new OpenFeeds(projected, options);
  const { known, source } = projected;
  const before = known.projected ?? { seq: 0, names: [] };
  const hasCome = before.isCut === true && options.base !== undefined;
  const isWhole = !hasCome && (await feeds.areThere(before.names));
  let { seq } = isWhole ? before : { seq: 0 };
  for await (const run of feedRuns(options.changes(seq), source)) {
    await feeds.add(run);
    seq = run.lastSeq;
  }
  const { names, cut } = await feeds.write();
  // Changes that a feed could not take are offered again.
  const isDone = feeds.errors.length === 0;
  const isCut = cut.length > 0 || (before.isCut === true && !(hasCome && isDone));
  return {
    projected: {
      seq: isDone ? seq : Math.min(before.seq, seq),
      names: [...new Set([...before.names, ...names])],
      ...(isCut && { isCut }),
    },
    errors: feeds.errors,
    // Noted once, because the feeds stay cut.
    notes: before.isCut === true ? [] : cut.map((name) => `${feedPath(name)}: ${CUT}`),
  };
}
