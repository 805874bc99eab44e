import { formatTime } from '../../../codecs/primitives/time.ts';
import type { KeyRing } from '../../keys/key-ring.ts';
import { USAGE_DAYS, type UsageDay, type UsageMeter } from '../../keys/key-usage.ts';
import type { KeyUsageView } from '../../routes/usage-view.ts';

/** The API keys of a hub, as pages look at them. */
export interface KeySight {
  readonly keys: Pick<KeyRing, 'all' | 'ownerOf' | 'newestOf' | 'named'>;
  readonly usage: Pick<UsageMeter, 'usageOf'>;
}

/** The usage on a day in UTC. */
export interface UsageBar {
  readonly date: string;
  readonly requests: number;
  readonly refused: number;
}

export interface KeyListFacts {
  /** How many owners of keys there are; keys that took over from each other are one. */
  readonly total: number;
  readonly from: number;
  readonly keys: readonly KeyUsageView[];
  /** The usage of the keys of this page: the last 90 days, oldest first. */
  readonly days: readonly UsageBar[];
}

export interface KeyFacts {
  readonly key: KeyUsageView;
  /** The last 90 days, oldest first. */
  readonly days: readonly UsageBar[];
}

const DAY_MS = 86_400_000;

/** Every day up to now, those without a request included. */
export function usageBars(usage: readonly (readonly UsageDay[])[], nowMs: number): readonly UsageBar[] {
  const today = Math.floor(nowMs / DAY_MS);
  const bars = Array.from({ length: USAGE_DAYS }, (_, at) => {
    const day = today - USAGE_DAYS + 1 + at;
    return { date: formatTime(day * DAY_MS).slice(0, 10), requests: 0, refused: 0 };
  });
  for (const { day, requests, refused } of usage.flat()) {
    const bar = bars[day - today + USAGE_DAYS - 1];
    if (bar === undefined) continue;
    bar.requests += requests;
    bar.refused += refused;
  }
  return bars;
}
