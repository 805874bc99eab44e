import { parseTime } from '../codecs/primitives/time.ts';

/** When a change claims to have happened: some time between the two. */
export interface ClaimSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

export const DAY_MS = 24 * 3600_000;

/** Midnight stands for a whole day, and a time without a fraction for a whole second. Undefined if it is not a time. */
export function claimSpan(time: string): ClaimSpan | undefined {
  const fromMs = parseTime(time);
  if (fromMs === undefined) return undefined;
  const spanMs = fromMs % DAY_MS === 0 ? DAY_MS : fromMs % 1000 === 0 ? 1000 : 1;
  return { fromMs, toMs: fromMs + spanMs - 1 };
}
