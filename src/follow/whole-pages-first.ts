import type { FeedChange } from '../dialects/feed-change.ts';
import type { Batch, ReadingEnd } from '../dialects/reader.ts';
import { RE_READ } from './fall-changes.ts';

/**
 * The batches of pages that replace a feed which reports several edits as one: for each page without a report so far, the first change is reported as
 * one of the whole page. It includes earlier edits that were never reported.
 */
export async function* wholePagesFirst(
  batches: AsyncGenerator<Batch, ReadingEnd>,
  toldBefore: () => Promise<ReadonlySet<string>>,
): AsyncGenerator<Batch, ReadingEnd> {
  let told: ReadonlySet<string> | undefined;
  const raised = new Set<string>();
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) return next.value;
      told ??= await toldBefore();
      const before = told;
      yield { ...next.value, changes: raise(next.value.changes, before, raised) };
    }
  } finally {
    await batches.return({});
  }
}

function* raise(
  changes: Iterable<FeedChange>,
  told: ReadonlySet<string>,
  raised: Set<string>,
): Generator<FeedChange, void> {
  for (const change of changes) {
    const { url, anchor } = change;
    if (anchor === undefined || change.isTold || told.has(url)) yield change;
    else if (raised.has(url)) yield { ...change, isTold: true };
    else {
      raised.add(url);
      yield asWhole(change);
    }
  }
}

function asWhole({ anchor: _, anchorIs: __, checksum: ___, ...change }: FeedChange): FeedChange {
  const { pageChecksum } = change.provenance;
  const checksum = typeof pageChecksum === 'string' ? { checksum: pageChecksum } : {};
  return { ...change, ...checksum, action: 'update', note: RE_READ };
}
