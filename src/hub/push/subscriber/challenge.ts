import { hubUrlKey } from '../../../codecs/websub/hub-url.ts';
import { DENIED_MS, leaseFrom } from './lease.ts';
import type { TopicSubscription } from './topic-subscription.ts';

/** What a hub asks or reports at a callback (WebSub, 5.2 and 5.3). */
export interface Challenge {
  readonly mode: string | undefined;
  readonly topic: string | undefined;
  readonly challenge: string | undefined;
  readonly leaseSeconds: string | undefined;
  readonly reason: string | undefined;
}

/** `after`: the new state of the subscription; absent if it is unchanged. */
export type ChallengeAnswer =
  | { readonly is: 'agreed'; readonly challenge: string; readonly after?: TopicSubscription }
  | { readonly is: 'denied'; readonly reason: string; readonly retryAtMs: number; readonly after?: TopicSubscription }
  /** We did not ask for that. */
  | { readonly is: 'refused' };

/** It is repeated in our answer, so no character is accepted that could have a meaning there. */
const CHALLENGE = /^[A-Za-z0-9_.~-]{1,256}$/;
const MAX_REASON = 200;

/** Agrees only to what is pending. Anybody who knows the callback can ask: a challenge for an active subscription changes neither its lease nor its secret. */
export function answerChallenge(
  subscription: TopicSubscription,
  { mode, topic, challenge, leaseSeconds, reason = '' }: Challenge,
  { nowMs, random }: { readonly nowMs: number; readonly random: number },
): ChallengeAnswer {
  const { state, expiresMs = 0 } = subscription;
  if (topic === undefined || hubUrlKey(topic) !== hubUrlKey(subscription.topic)) return { is: 'refused' };
  if (mode === 'denied') {
    const words = reason
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_REASON);
    const denied = {
      is: 'denied',
      reason: words === '' ? 'The hub has denied it.' : `The hub has denied it: ${words}`,
    } as const;
    const after = state === 'gone' ? {} : { after: goneAt(subscription, nowMs) };
    return { ...denied, retryAtMs: nowMs + DENIED_MS, ...after };
  }
  if (challenge === undefined || !CHALLENGE.test(challenge)) return { is: 'refused' };
  const agreed = { is: 'agreed', challenge } as const;
  if (mode === 'unsubscribe' && state === 'ending') return { ...agreed, after: goneAt(subscription, nowMs) };
  if (mode !== 'subscribe') return { is: 'refused' };
  if (state === 'active' && expiresMs > nowMs) return agreed;
  if (state !== 'pending') return { is: 'refused' };
  const lease = leaseFrom(leaseSeconds, nowMs, random);
  return { ...agreed, after: { ...subscription, state: 'active', sinceMs: nowMs, ...lease } };
}

/** Its secret is of no use any more. */
export function goneAt({ secret: _, ...subscription }: TopicSubscription, nowMs: number): TopicSubscription {
  return { ...subscription, state: 'gone', goneMs: nowMs };
}
