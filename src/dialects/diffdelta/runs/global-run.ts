import { inServedOrder } from '../../../codecs/diffdelta/encode.ts';
import { BUCKETS, type BucketName, type Buckets, type DiffDeltaItem } from '../../../codecs/diffdelta/wire.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { itemsOf } from './make-feed.ts';

/** The most items in the feed of all sources besides those of its run, so that its cost depends on the change. */
const MOST_ITEMS = 100;
/** The most characters of those items, so that an archive stays small if items are long. */
const MOST_CHARACTERS = 48_000;

/**
 * The content of the feed of all sources after a run of one of them: the items of the run, and the last runs of the other sources,
 * newest first, as long as all are at most 100 items and those of the others take at most 48,000 characters.
 */
export function globalBuckets(before: Buckets | undefined, source: string, run: Buckets): Buckets {
  if (before === undefined) return run;
  const others = groupBy(
    itemsOf(before).filter((item) => item.source !== source),
    (item) => item.source,
  );
  const newestFirst = [...others].sort(
    ([leftId, left], [rightId, right]) =>
      compareCodePoints(runTime(right), runTime(left)) || compareCodePoints(leftId, rightId),
  );
  const kept = new Set<string>();
  let total = itemsOf(run).length;
  let characters = 0;
  for (const [id, items] of newestFirst) {
    total += items.length;
    if (total > MOST_ITEMS) break;
    characters += lengthOf(items);
    if (characters > MOST_CHARACTERS) break;
    kept.add(id);
  }
  const of = (bucket: BucketName) =>
    inServedOrder([...before[bucket].filter((item) => kept.has(item.source)), ...run[bucket]]);
  return { new: of('new'), updated: of('updated'), removed: of('removed'), flagged: of('flagged') };
}

const lengths = new WeakMap<DiffDeltaItem, number>();

/** The length of their JSON as an array. It is cached, because an item is in many feeds in succession. */
function lengthOf(items: readonly DiffDeltaItem[]): number {
  return items.reduce((sum, item) => {
    const length = lengths.get(item) ?? JSON.stringify(item).length;
    lengths.set(item, length);
    return sum + length + 1;
  }, 1);
}

/** The sources that have an item in it. */
export function sourcesOf(buckets: Buckets): readonly string[] {
  return [...new Set(BUCKETS.flatMap((bucket) => buckets[bucket].map(({ source }) => source)))];
}

/** The items of a run all have the same time. */
function runTime(items: readonly DiffDeltaItem[]): string {
  return items.reduce(
    (latest, { provenance }) => (provenance.fetched_at > latest ? provenance.fetched_at : latest),
    '',
  );
}
