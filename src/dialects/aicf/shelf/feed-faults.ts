import { createHash, type Hash, hash } from 'node:crypto';
import { othersFirst } from '../../../log/others-first.ts';
import type { DocumentFault, ExportWorld } from '../../shelf.ts';
import { aicfLine } from '../events/aicf-line.ts';
import { growingGeneration } from './feed-generations.ts';
import { ALL_FEED, type FeedStores, type MarkedFeed } from './feed-store.ts';
import { hubFeedPath } from './hub-feed-path.ts';

const CHANGES_AT_ONCE = 250;

/**
 * Feeds on disk that differ from what the log gives, byte for byte, up to where they are marked as complete. Feeds from before the log was truncated
 * cannot be checked.
 */
export async function* feedFaults(
  stores: FeedStores,
  { readChanges, logStart }: Pick<ExportWorld, 'readChanges' | 'logStart'>,
): AsyncGenerator<DocumentFault, void, undefined> {
  const base = logStart()?.seq ?? 0;
  const generation = growingGeneration(await stores.generations(), base);
  const { feeds = [] } = (await stores.marked(generation)) ?? {};
  const derived = await derivedFeeds(new Map(feeds.map((feed) => [feed.name, feed])), readChanges(base));
  for (const feed of feeds) {
    const path = hubFeedPath(feed.name, generation);
    const bytes = await feed.read();
    if (bytes === undefined) yield { path, what: 'It does not hold what was written to it.' };
    else if (hash('sha256', bytes) !== derived.get(feed.name)?.digest('hex'))
      yield { path, what: 'It has other bytes than the log gives.' };
    await othersFirst();
  }
}

/** The hashes of feeds as the log gives them, each up to its mark. */
async function derivedFeeds(
  feeds: ReadonlyMap<string, MarkedFeed>,
  changes: ReturnType<ExportWorld['readChanges']>,
): Promise<ReadonlyMap<string, Hash>> {
  const derived = new Map([...feeds.keys()].map((name) => [name, createHash('sha256')]));
  let read = 0;
  for await (const change of changes) {
    const line = aicfLine(change);
    for (const name of [ALL_FEED, change.source]) {
      if (line !== undefined && change.seq <= (feeds.get(name)?.seq ?? 0)) derived.get(name)?.update(line);
    }
    read += 1;
    if (read % CHANGES_AT_ONCE === 0) await othersFirst();
  }
  return derived;
}
