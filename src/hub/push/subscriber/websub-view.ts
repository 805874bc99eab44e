import { formatTime } from '../../../codecs/primitives/time.ts';
import { currentOf } from './next-step.ts';
import { isSilent, isTrusted, missesOf } from './push-trust.ts';
import type { Following, TopicSubscription } from './topic-subscription.ts';

/** Whether a hub pushes the news of a source, as the admin sees it. */
export interface WebSubView {
  /** Of the hubs that the feed names, the one that serves it or is asked next. */
  readonly hub: string;
  /** The name that the feed gives itself. */
  readonly topic?: string;
  readonly state: 'active' | 'pending' | 'denied' | 'failed';
  readonly leaseUntil?: string;
  readonly lastPush?: string;
  /** Checks that found news without a push, since the last push with news. */
  readonly misses: number;
  /** It reliably brings news: the source is asked less often. */
  readonly trusted: boolean;
  /** Why there is no subscription, or no new one. */
  readonly reason?: string;
  readonly retryAt?: string;
}

/** Undefined if its feed names no hub. */
export function viewWebSub(
  following: Following | undefined,
  subscriptions: readonly TopicSubscription[],
  nowMs: number,
): WebSubView | undefined {
  if (following === undefined || following.named.hubs.length === 0) return undefined;
  const { named, trust, reason, retryAtMs, failures } = following;
  const current = activeOf(following, subscriptions, nowMs);
  const hub = current?.hub ?? named.hubs[failures % named.hubs.length] ?? '';
  return {
    hub,
    ...(named.self !== undefined && { topic: named.self }),
    state: stateOf(following, subscriptions, nowMs),
    ...(current?.expiresMs !== undefined && { leaseUntil: formatTime(current.expiresMs) }),
    ...(trust.lastPushMs !== undefined && { lastPush: formatTime(trust.lastPushMs) }),
    misses: missesOf(trust),
    trusted: current !== undefined && isTrusted(trust),
    ...(reason !== undefined && { reason }),
    ...(retryAtMs !== undefined && retryAtMs > nowMs && { retryAt: formatTime(retryAtMs) }),
  };
}

/** What a person should know: a hub does not deliver what it has promised. */
export function webSubNotes(
  following: Following | undefined,
  subscriptions: readonly TopicSubscription[],
  nowMs: number,
): readonly string[] {
  const current = following && activeOf(following, subscriptions, nowMs);
  if (following === undefined || current === undefined || !isSilent(following.trust)) return [];
  // Without the count, which differs at each check.
  return [`hub not delivering: ${current.hub} does not tell of the news of this feed. It is asked in its own rhythm.`];
}

function stateOf(
  following: Following,
  subscriptions: readonly TopicSubscription[],
  nowMs: number,
): WebSubView['state'] {
  if (activeOf(following, subscriptions, nowMs) !== undefined) return 'active';
  if (following.isDenied) return 'denied';
  return following.reason === undefined ? 'pending' : 'failed';
}

function activeOf(
  following: Following,
  subscriptions: readonly TopicSubscription[],
  nowMs: number,
): TopicSubscription | undefined {
  const current = currentOf(following, subscriptions);
  return (current?.expiresMs ?? 0) > nowMs ? current : undefined;
}
