import { createChangeFilter, filterKey } from '../change-filter.ts';
import type { PushEvent } from '../push-log.ts';
import type { TurnTask } from './delivery-turns.ts';
import type { Subscription } from './subscription.ts';

/** A running subscription, with its state in memory. */
export interface Runner {
  subscription: Subscription;
  wants: (event: PushEvent) => boolean;
  /** The same for equivalent wishes. */
  wish: string;
  /** The log was examined up to here: events were taken, or not wanted. */
  seenSeq: number;
  /** Since when an incomplete batch has been waiting. */
  waitingSinceMs: number | undefined;
  /** It has reached the end of the log, and waits to be woken. */
  isIdle: boolean;
  /** Of the last attempt. */
  tookMs: number;
  /** Ends a running attempt. */
  stop: AbortController;
}

/** Slower endpoints share the slots of failing ones. */
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
