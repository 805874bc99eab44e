import type { FeedChange } from '../dialects/feed-change.ts';
import { pageUrlOf } from './followed.ts';
import type { PageOutcome, PageReader } from './read-page.ts';

/** One GET for all events of a page among these; a page is dropped after its last event. */
export function sharedPages(among: readonly FeedChange[], readPage: PageReader): PageReader {
  const uses = new Map<string, number>();
  for (const event of among) uses.set(pageUrlOf(event), (uses.get(pageUrlOf(event)) ?? 0) + 1);
  const held = new Map<string, PageOutcome>();
  return async (url) => {
    const left = (uses.get(url) ?? 1) - 1;
    uses.set(url, left);
    const outcome = held.get(url) ?? (await readPage(url));
    if (left > 0) held.set(url, outcome);
    else held.delete(url);
    return outcome;
  };
}
