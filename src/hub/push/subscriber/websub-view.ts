import { formatTime } from '../../../codecs/primitives/time.ts';
import { currentOf } from './next-step.ts';
import { isSilent, isTrusted, missesOf } from './push-trust.ts';
import type { Following, TopicSubscription } from './topic-subscription.ts';

/** Whether a hub tells of the news of a source, as the admin sees it. */
export interface WebSubView {
  /** Of those that the feed names, the one that serves it or is asked next. */
  readonly hub: string;
  /** What the feed calls itself. */
  readonly topic?: string;
  readonly state: 'active' | 'pending' | 'denied' | 'failed';
  readonly leaseUntil?: string;
  readonly lastPush?: string;
  /** Looks that found news of which the hub had not told, since it last brought some. */
  readonly misses: number;
  /** It has brought news, and does so: the source is asked less often. */
  readonly trusted: boolean;
  /** Why there is no subscription, or no new one. */
  readonly reason?: string;
  readonly retryAt?: string;
}

/** Undefined where its feed names no hub. */
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

/** What a person should know: that a hub does not do what it has promised. */
export function webSubNotes(
  following: Following | undefined,
  subscriptions: readonly TopicSubscription[],
  nowMs: number,
): readonly string[] {
  const current = following && activeOf(following, subscriptions, nowMs);
  if (following === undefined || current === undefined || !isSilent(following.trust)) return [];
  // Without the count, which is another one at each look.
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
