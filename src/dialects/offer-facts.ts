import { parseTime } from '../codecs/primitives/time.ts';
import { withoutFragment } from '../codecs/primitives/without-fragment.ts';
import type { FeedChange } from './feed-change.ts';
import type { Batch, OfferFacts, ReadingEnd } from './reader.ts';

/** At most this many changes are read to learn how fresh a feed is. */
const MOST_CHANGES = 20_000;

/** What a pass through a feed shows: a fact about its first change, and the time of its newest one. */
export async function factsOfFeed(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  { url, noun, named }: { readonly url: string; readonly noun: string; named(first: FeedChange): string },
): Promise<OfferFacts> {
  const pages = new Set<string>();
  let [first, newestMs, count]: [FeedChange | undefined, number, number] = [undefined, 0, 0];
  let next = await batches.next();
  for (; !next.done && count < MOST_CHANGES; next = await batches.next()) {
    for (const change of next.value.changes) {
      first ??= change;
      newestMs = Math.max(newestMs, timeOf(change));
      count += 1;
      if (change.kind !== 'endpoint') pages.add(withoutFragment(change.url));
    }
  }
  const hubs = next.done ? next.value.hubs : undefined;
  if (!next.done) await batches.return({});
  if (first === undefined) return { url, words: `${noun} without events yet`, hubs };
  const words = `${noun}; the first ${named(first)}`;
  return { url, words, pages: [...pages], hubs, ...(newestMs > 0 && { newestMs }) };
}

function timeOf({ time = '' }: FeedChange): number {
  return parseTime(time) ?? 0;
}
