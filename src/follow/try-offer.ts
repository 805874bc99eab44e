import type { FoundOffer } from './find-offer.ts';
import type { FeedOutcome } from './ladder.ts';
import { addToSketch, type FeedSketch } from './seam.ts';

/** So many changes of a feed that is tried out are remembered; of more, the clock has to decide. */
const MAX_SKETCH = 50_000;

export interface TriedOffer {
  readonly outcome: FeedOutcome;
  /** What it would tell. */
  readonly sketch: FeedSketch;
}

/** Reads a feed to its end and takes nothing of it: whether it is well, and what it will tell. Throws as a reading does. */
export async function tryOffer({ offer }: FoundOffer): Promise<TriedOffer> {
  const sketch = { ids: new Set<string>(), boundaries: new Set<string>() };
  const batches = offer.read();
  for (let next = await batches.next(); ; next = await batches.next()) {
    if (next.done) {
      const { freshMs, isUnasked = false, unread } = next.value;
      const [error] = unread?.errors ?? [];
      if (error !== undefined) throw error;
      const hasNews = sketch.ids.size > 0;
      return { sketch, outcome: isUnasked && !hasNews ? { is: 'unasked' } : { is: 'well', freshMs, hasNews } };
    }
    for (const change of next.value.changes) {
      if (sketch.ids.size >= MAX_SKETCH) break;
      addToSketch(sketch, change);
    }
  }
}
