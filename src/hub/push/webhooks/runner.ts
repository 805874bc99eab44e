import { createChangeFilter, filterKey } from '../change-filter.ts';
import type { PushEvent } from '../push-log.ts';
import type { TurnTask } from './delivery-turns.ts';
import type { Subscription } from './subscription.ts';

/** A subscription that is run, with what is known of it in memory only. */
export interface Runner {
  subscription: Subscription;
  wants: (event: PushEvent) => boolean;
  /** The same for those that want the same. */
  wish: string;
  /** Everything of the log up to here was looked at: taken, or not wanted. */
  seenSeq: number;
  /** Since when there is something to send that waits for more. */
  waitingSinceMs: number | undefined;
  /** It has come to the end of the log, and waits to be woken. */
  isIdle: boolean;
  /** Of the last attempt. */
  tookMs: number;
  /** Ends the attempt that is under way. */
  stop: AbortController;
}

/** Who takes longer than this shares the slots of those that fail. */
const SLOW_MS = 3000;

export function createRunner(subscription: Subscription): Runner {
  return {
    ...wishesOf(subscription),
    subscription,
    seenSeq: subscription.standing.cursor.seq,
    waitingSinceMs: undefined,
    isIdle: false,
    tookMs: 0,
    stop: new AbortController(),
  };
}

/** What it wants by its settings, which may have changed. */
export function wishesOf({ topic, filter }: Subscription): Pick<Runner, 'wants' | 'wish'> {
  const fits = createChangeFilter(filter);
  return {
    wants: ({ change }) => change === undefined || fits(change),
    wish: `${topic} ${filterKey(filter)}`,
  };
}

export function turnOf({ subscription, tookMs }: Runner): TurnTask {
  const { id, url, standing } = subscription;
  return { id, host: new URL(url).host, isSlow: standing.status !== 'active' || tookMs > SLOW_MS };
}
