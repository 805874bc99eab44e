import { problem } from './problem.ts';
import type { HubResponse } from './route.ts';

/**
 * Limits how many run at the same time; further requests are not queued but asked to come back later (503).
 *
 * @example
 * const inSlot = slots(8, 'documents are read');
 * return inSlot(() => answerDocument(request));
 */
export function slots(most: number, what: string): (run: () => Promise<HubResponse>) => Promise<HubResponse> {
  let taken = 0;
  return async (run) => {
    if (taken >= most) return busy(most, what);
    taken++;
    try {
      return await run();
    } finally {
      taken--;
    }
  };
}

function busy(most: number, what: string): HubResponse {
  const detail = `${most} ${what} at this moment, and no more are at a time. Try again in a second.`;
  return problem({ status: 503, detail }, { 'retry-after': '1' });
}
