import { inServedOrder } from '../../../codecs/diffdelta/encode.ts';
import { BUCKETS, type BucketName, type Buckets, type DiffDeltaItem } from '../../../codecs/diffdelta/wire.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { itemsOf } from './make-feed.ts';

/** The feed of all sources holds no more than this beside the items of its run, so that its cost follows the change. */
const MOST_ITEMS = 100;
/** Nor more than this, so that an archive stays small where items are long. */
const MOST_CHARACTERS = 48_000;

/**
 * What the feed of all sources holds after a run of one of them: the items of the run, and the last runs of the other
 * sources, newest first, as long as all are no more than a hundred and those of the others take no more than 48,000 characters.
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

/** Of their JSON, as an array. An item stands in one feed after another. */
function lengthOf(items: readonly DiffDeltaItem[]): number {
  return items.reduce((sum, item) => {
    const length = lengths.get(item) ?? JSON.stringify(item).length;
    lengths.set(item, length);
    return sum + length + 1;
  }, 1);
}

/** Those that have an item in it. */
export function sourcesOf(buckets: Buckets): readonly string[] {
  return [...new Set(BUCKETS.flatMap((bucket) => buckets[bucket].map(({ source }) => source)))];
}

/** All items of a run were read at one time. */
function runTime(items: readonly DiffDeltaItem[]): string {
  return items.reduce(
    (latest, { provenance }) => (provenance.fetched_at > latest ? provenance.fetched_at : latest),
    '',
  );
}
