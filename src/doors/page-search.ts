import { ToolRefusal } from '../errors/tool-refusal.ts';
import type { PageSearch } from '../hub/dashboard/search/search-facts.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { SnapshotSearch } from './mcp-search.ts';

/** The longest time that a page waits for the texts. */
const PATIENCE_MS = 1000;

/** The search of agents, for a page: if the texts are not ready it says so instead of waiting. */
export function pageSearch({ prepare, search }: SnapshotSearch): PageSearch {
  return async (query, signal) => {
    if (!(await isSoon(prepare(), signal))) return { state: 'preparing', hits: [] };
    try {
      const { hits, isPartial = false } = await search(query, signal);
      return { state: isPartial ? 'partial' : 'whole', hits };
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      return { state: 'none', hits: [] };
    }
  };
}

async function isSoon(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  // A failure after the timeout is reported to the next caller.
  work.catch(() => undefined);
  const late = wait(PATIENCE_MS, AbortSignal.any([signal, over.signal])).then(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
}
