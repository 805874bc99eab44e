import { discoverTopic } from '../../../crawl/discover-topic.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { NamedHubs } from '../../../model/named-hubs.ts';
import { askHub } from './ask-hub.ts';
import { goneAt } from './challenge.ts';
import { DENIED_MS, subscriptionRetryMs } from './lease.ts';
import { currentOf, type Step } from './next-step.ts';
import type { SubscriberPorts } from './subscriber-ports.ts';
import type { TopicBook } from './topic-book.ts';
import type { Following, TopicSubscription } from './topic-subscription.ts';

export interface StepParts extends Omit<SubscriberPorts, 'store'> {
  readonly book: TopicBook;
  readonly signal: AbortSignal;
}

/** Does one step for a source. Throws what the store throws, and when it is stopped. */
export async function takeStep(
  source: string,
  step: Exclude<Step, { readonly do: 'wait' }>,
  parts: StepParts,
): Promise<void> {
  const { book, now } = parts;
  switch (step.do) {
    case 'subscribe':
      return await subscribe(source, step.isRenewal, parts);
    case 'unsubscribe':
      return await unsubscribe(step.subscription, parts);
    case 'give-up':
      await book.write({ subscriptions: [goneAt(step.subscription, now())] });
      return await failed(
        source,
        { hub: step.subscription.hub, reason: 'The hub has not confirmed it within an hour.' },
        parts,
      );
    case 'end':
      return await book.write({ subscriptions: [goneAt(step.subscription, now())] });
    case 'drop':
      return await book.write({ drop: [step.subscription.id] });
    case 'forget':
      return await book.write({ forget: [source] });
  }
}

async function subscribe(source: string, isRenewal: boolean, parts: StepParts): Promise<void> {
  const { book, newToken, now, callbackOf } = parts;
  const named = isRenewal ? await namedNow(source, parts) : book.following(source)?.named;
  const following = book.following(source);
  const hubs = (named?.hubs ?? []).filter((hub) => !parts.isOwn(new URL(hub)));
  const hub = hubs[(following?.failures ?? 0) % hubs.length];
  if (following === undefined || named?.self === undefined) return;
  if (hub === undefined)
    return await failed(source, { hub: '', reason: 'The hub that the feed names is this one.' }, parts, DENIED_MS);
  const doubt = await doubtOf(source, named, parts);
  if (doubt !== undefined) return await failed(source, { hub, reason: doubt }, parts, DENIED_MS);
  const id = newToken();
  const pending: TopicSubscription = {
    id,
    callback: callbackOf(id),
    source,
    hub,
    hubUrl: following.movedHubs?.[hub] ?? hub,
    topic: named.self,
    secret: newToken(),
    state: 'pending',
    askedMs: now(),
  };
  // Stored before the hub is asked: its challenge may arrive before its answer.
  await book.write({ subscriptions: [pending] });
  const question = {
    mode: 'subscribe',
    topic: pending.topic,
    callback: pending.callback,
    secret: pending.secret,
  } as const;
  const { hubUrl, refusal, knowsSecret } = await askHub(pending.hubUrl, question, parts);
  const asked = book.subscription(pending.id) ?? pending;
  if (refusal === undefined) {
    const { secret: _, ...unsigned } = asked;
    const latest = book.following(source) ?? following;
    await book.write({
      subscriptions: [{ ...(knowsSecret ? asked : unsigned), hubUrl }],
      ...(hubUrl !== hub && { following: { ...latest, movedHubs: { ...latest.movedHubs, [hub]: hubUrl } } }),
    });
  } else if (asked.state === 'pending') {
    await book.write({ subscriptions: [goneAt(asked, now())] });
    await failed(source, { hub, reason: refusal }, parts);
  }
}

/** A renewal begins with what the feed names now (WebSub, 6.1). If that cannot be read, with what it named last. */
async function namedNow(source: string, parts: StepParts): Promise<NamedHubs | undefined> {
  const { book, now } = parts;
  const following = book.following(source);
  if (following === undefined) return undefined;
  const found = await discovered(source, following.named.at, parts);
  if (found instanceof TidingsError || JSON.stringify(found) === JSON.stringify(following.named))
    return following.named;
  await book.write({ following: { ...(book.following(source) ?? following), named: found, namedMs: now() } });
  return found;
}

/** Why a topic is not available under the name that a feed gives itself; undefined if it is. */
async function doubtOf(source: string, { at, self = '' }: NamedHubs, parts: StepParts): Promise<string | undefined> {
  if (new URL(self).host === new URL(at).host) return undefined;
  const found = await discovered(source, self, parts);
  if (found instanceof TidingsError) return `The feed calls itself ${self}, which cannot be read: ${found.message}`;
  return found.self === self ? undefined : `The feed calls itself ${self}, and what stands there does not.`;
}

async function discovered(
  source: string,
  url: string,
  { watch, httpFor, signal }: StepParts,
): Promise<NamedHubs | TidingsError> {
  const config = watch.source(source)?.config;
  if (config === undefined) return { at: url, hubs: [] };
  try {
    return await discoverTopic(url, httpFor(config), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TidingsError) return error;
    throw error;
  }
}

/** Tried once: a hub that is not reached learns it from its next delivery. */
async function unsubscribe(subscription: TopicSubscription, parts: StepParts): Promise<void> {
  const { book, now, onEvent } = parts;
  const { id, callback, topic, hub, hubUrl, source } = subscription;
  await book.write({ subscriptions: [{ ...subscription, state: 'ending', askedMs: now() }] });
  const { refusal } = await askHub(hubUrl, { mode: 'unsubscribe', topic, callback }, parts);
  const asked = book.subscription(id);
  if (refusal === undefined || asked?.state !== 'ending') return;
  await book.write({ subscriptions: [goneAt(asked, now())] });
  onEvent({ is: 'unsubscribed', source, hub });
}

interface Failure {
  readonly hub: string;
  readonly reason: string;
}

async function failed(source: string, { hub, reason }: Failure, parts: StepParts, leastMs = 0): Promise<void> {
  const { book, now, random, onEvent } = parts;
  const following = book.following(source);
  if (following === undefined) return;
  const failures = following.failures + 1;
  const leftMs = (leaseEndOf(following, book) ?? Number.POSITIVE_INFINITY) - now();
  const retryAtMs = now() + Math.max(leastMs, subscriptionRetryMs(failures, random(), leftMs));
  await book.write({ following: { ...following, failures, reason, retryAtMs } });
  onEvent({ is: 'failed', source, hub, reason });
}

function leaseEndOf(following: Following, book: TopicBook): number | undefined {
  return currentOf(following, book.of(following.source))?.expiresMs;
}
