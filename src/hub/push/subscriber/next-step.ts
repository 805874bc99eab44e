import { PENDING_MS } from './lease.ts';
import type { Following, TopicSubscription } from './topic-subscription.ts';

/** The next thing to do for the subscriptions of a source. */
export type Step =
  /** Nothing before that time. */
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'subscribe'; readonly isRenewal: boolean }
  /** The hub has not confirmed it in time. */
  | { readonly do: 'give-up'; readonly subscription: TopicSubscription }
  | { readonly do: 'unsubscribe'; readonly subscription: TopicSubscription }
  /** It is over, whatever the hub says. */
  | { readonly do: 'end'; readonly subscription: TopicSubscription }
  /** It was over long ago. */
  | { readonly do: 'drop'; readonly subscription: TopicSubscription }
  /** Nothing is left of it. */
  | { readonly do: 'forget' };

export interface StepFacts {
  readonly nowMs: number;
  /** The source is watched, and subscriptions are wanted at all. */
  readonly isWanted: boolean;
  /** The source is gone. */
  readonly isGone: boolean;
}

/** How long a delivery to a removed callback is answered with "gone". */
const GONE_MS = 30 * 24 * 3600_000;

/** The first of the due steps. A new subscription is confirmed before the old one is ended, so that no push is lost in between. */
export function nextStep(following: Following, all: readonly TopicSubscription[], facts: StepFacts): Step {
  const { nowMs, isWanted, isGone } = facts;
  const over = all.find((subscription) => isOver(subscription, nowMs));
  if (over !== undefined) return { do: over.state === 'gone' ? 'drop' : 'end', subscription: over };
  const pending = all.find(({ state }) => state === 'pending');
  if (pending !== undefined && nowMs - pending.askedMs >= PENDING_MS) return { do: 'give-up', subscription: pending };
  const mayWant = isWanted && canSubscribe(following);
  if (!mayWant && pending !== undefined) return { do: 'end', subscription: pending };
  const current = mayWant ? currentOf(following, all) : undefined;
  const other = all.find((subscription) => subscription.state === 'active' && subscription !== current);
  // Until a new one is confirmed, the old one is kept.
  if (other !== undefined && (!mayWant || current !== undefined)) return { do: 'unsubscribe', subscription: other };
  const { retryAtMs = 0 } = following;
  if (mayWant && pending === undefined && retryAtMs <= nowMs) {
    if (current === undefined) return { do: 'subscribe', isRenewal: false };
    if ((current.renewAtMs ?? 0) <= nowMs) return { do: 'subscribe', isRenewal: true };
  }
  if (isGone && all.length === 0) return { do: 'forget' };
  const wantsMs =
    mayWant && pending === undefined ? Math.max(retryAtMs, current?.renewAtMs ?? 0) : Number.POSITIVE_INFINITY;
  return { do: 'wait', untilMs: all.reduce((soonestMs, one) => Math.min(soonestMs, overAtMs(one)), wantsMs) };
}

/** The newest subscription that matches what the feed names now. */
export function currentOf({ named }: Following, all: readonly TopicSubscription[]): TopicSubscription | undefined {
  const serving = all.filter(
    ({ state, topic, hub }) => state === 'active' && topic === named.self && named.hubs.includes(hub),
  );
  return serving.reduce<TopicSubscription | undefined>(
    (newest, one) => ((newest?.sinceMs ?? 0) > (one.sinceMs ?? 0) ? newest : one),
    undefined,
  );
}

function canSubscribe({ named }: Following): boolean {
  return named.self !== undefined && named.hubs.length > 0;
}

function isOver(subscription: TopicSubscription, nowMs: number): boolean {
  return subscription.state !== 'pending' && overAtMs(subscription) <= nowMs;
}

/** When something must be done about it at the latest. */
function overAtMs({ state, askedMs, expiresMs = 0, goneMs = 0 }: TopicSubscription): number {
  switch (state) {
    case 'active':
      return expiresMs;
    case 'gone':
      return goneMs + GONE_MS;
    case 'pending':
    case 'ending':
      return askedMs + PENDING_MS;
  }
}
