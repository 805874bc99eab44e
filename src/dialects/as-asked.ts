import type { Batch, ReadingEnd } from './reader.ts';

/** The batches of one feed. If there were none, yields an empty one before the end or the failure, to show that the feed was asked. */
export async function* asAsked(
  feed: Pick<Batch, 'entry' | 'id'>,
  batches: AsyncGenerator<Batch, ReadingEnd>,
): AsyncGenerator<Batch, ReadingEnd> {
  let isAsked = false;
  try {
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done && !isAsked) yield { ...feed, changes: [] };
      if (next.done) return next.value;
      isAsked = true;
      yield next.value;
    }
  } catch (error) {
    if (!isAsked) yield { ...feed, changes: [] };
    throw error;
  } finally {
    await batches.return({});
  }
}
