import type { FoundOffer } from './find-offer.ts';
import type { FeedOutcome } from './ladder.ts';
import { addToSketch, type FeedSketch } from './seam.ts';

/** How many changes of a tried feed are kept; beyond that, the clock decides. */
const MAX_SKETCH = 50_000;

export interface TriedOffer {
  readonly outcome: FeedOutcome;
  /** What it would tell. */
  readonly sketch: FeedSketch;
}

/** Reads a feed to its end without delivering anything, to learn whether it is healthy and what it will report. Throws like a reading. */
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
