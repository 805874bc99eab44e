import type { NamedHubs } from '../../../model/named-hubs.ts';
import { Scheduler } from '../../schedule/scheduler.ts';
import type { WatchEvent } from '../../watch/watch-event.ts';
import type { FinishedLook } from '../../watch/watch-visits.ts';
import { isUnwritable } from '../../watch/watch-writer.ts';
import { answerChallenge, type Challenge, type ChallengeAnswer } from './challenge.ts';
import { currentOf, nextStep } from './next-step.ts';
import { afterLook, afterPush, floorMs, isSilent, isTrusted, missesOf, UNTRIED } from './push-trust.ts';
import type { SubscriberPorts } from './subscriber-ports.ts';
import { type StepParts, takeStep } from './subscriber-steps.ts';
import { TopicBook } from './topic-book.ts';
import type { Following, TopicSubscription } from './topic-subscription.ts';

/** How many hubs are asked at the same time, with one request to each. */
const CONCURRENCY = 4;
const STEPS_AT_ONCE = 6;
const AGAIN_MS = 60_000;
/** Overdue subscriptions are spread at a start: this long per source, and at most ten minutes in all. */
const SPREAD_MS = 500;
const LONGEST_SPREAD_MS = 10 * 60_000;
/** A feed that keeps naming other hubs is believed at most once in this time. */
const NAMES_KEPT_MS = 3600_000;
const ANY_HUB = 'none';

/**
 * Subscribes to the hubs that feeds of watched sources name, and hastens a check of a source when its hub pushes news. A push is only a signal: its content is
 * not read, so that it can forge, lose or delete nothing.
 */
export class Subscriber {
  readonly #ports: SubscriberPorts;
  readonly #book: TopicBook;
  readonly #scheduler: Scheduler;
  readonly #stop = new AbortController();
  #isRunning = false;

  constructor(ports: SubscriberPorts) {
    const { now, alarm } = ports;
    this.#ports = ports;
    this.#book = new TopicBook(ports.store);
    const run = (source: string) => this.#advance(source);
    this.#scheduler = new Scheduler({ concurrency: CONCURRENCY, now, alarm, run, onLate: () => {} });
  }

  /** Continues after the last stop: pushes without a check get one, and due steps are spread. */
  begin(): void {
    const { now, random, watch, callbackOf } = this.#ports;
    this.#isRunning = true;
    for (const subscription of this.#book.all()) {
      const { id, callback, state } = subscription;
      // If our address has changed, the hub must learn it.
      if (state === 'active' && callback !== callbackOf(id)) this.#book.keep({ ...subscription, renewAtMs: 0 });
    }
    const sources = this.#book.sources();
    const spreadMs = Math.min(sources.length * SPREAD_MS, LONGEST_SPREAD_MS);
    for (const source of sources) {
      const { trust } = this.#book.following(source) ?? {};
      if (trust?.unservedMs !== undefined) watch.hasten(source, floorMs(trust, this.#ports));
      const expiresMs = this.#current(source)?.expiresMs ?? Number.POSITIVE_INFINITY;
      this.#plan(source, Math.round(random() * Math.min(spreadMs, Math.max(0, expiresMs - now()) / 2)));
    }
  }

  /** Asks no hub until it begins again, because another process does. Challenges and deliveries are still accepted. */
  rest(): void {
    this.#isRunning = false;
    for (const source of this.#book.sources()) this.#scheduler.forget(source);
  }

  /** Ends running steps. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#scheduler.stop();
  }

  following(source: string): Following | undefined {
    return this.#book.following(source);
  }

  subscriptionsOf(source: string): readonly TopicSubscription[] {
    return this.#book.of(source);
  }

  /** By state, without those that are over. */
  counts(): Readonly<Record<'pending' | 'active' | 'ending', number>> {
    const counts = { pending: 0, active: 0, ending: 0 };
    for (const { state } of this.#book.all()) if (state !== 'gone') counts[state] += 1;
    return counts;
  }

  /** Takes events of sources, except their checks. */
  heard(event: WatchEvent): void {
    if (event.is === 'checked' || !('source' in event) || typeof event.source !== 'object') return;
    const { id } = event.source.config;
    if (this.#book.following(id) !== undefined) this.#plan(id);
  }

  /** Takes a finished check, and returns the factor by which the rest of the source may exceed its interval. */
  looked({ source, outcome, startedMs, endedMs }: FinishedLook): number {
    const { id } = source.config;
    const { allowPrivate } = this.#ports;
    // If private addresses are allowed, the source of a key owner must not lead there through the hub that it names.
    const mayLead = source.owner === undefined || !allowPrivate;
    if (outcome.is === 'read' && outcome.hubs !== undefined && mayLead)
      void this.#tolerantly(() => this.#learn(id, outcome.hubs));
    const following = this.#book.following(id);
    const current = this.#current(id);
    if (following === undefined) return 1;
    if (outcome.is === 'read' && !outcome.isUnasked) {
      const { lastCheckMs = 0 } = source.health;
      const wasActive = current?.sinceMs !== undefined && current.sinceMs <= lastCheckMs;
      const trust = afterLook(following.trust, { startedMs, endedMs, hasNews: outcome.changes > 0, wasActive });
      this.#weigh(following, { ...following, trust }, current?.hub ?? '');
    }
    const { trust } = this.#book.following(id) ?? following;
    return current !== undefined && isTrusted(trust) ? this.#ports.restFactor : 1;
  }

  /** Answers a hub that verifies a subscription. */
  async challenged(id: string, challenge: Challenge): Promise<ChallengeAnswer> {
    const subscription = this.#book.subscription(id);
    if (subscription === undefined) return { is: 'refused' };
    const { now, random, onEvent } = this.#ports;
    const answer = answerChallenge(subscription, challenge, { nowMs: now(), random: random() });
    if (answer.is === 'refused' || answer.after === undefined) return answer;
    const { source, hub } = subscription;
    const following = this.#book.following(source);
    const before = this.#current(source);
    await this.#book.write({
      subscriptions: [answer.after],
      ...(following !== undefined && { following: followingAfter(following, answer, this.#book.of(source)) }),
    });
    if (answer.is === 'denied') onEvent({ is: 'denied', source, hub, reason: answer.reason });
    else if (answer.after.state === 'gone') onEvent({ is: 'unsubscribed', source, hub });
    else onEvent({ is: before === undefined ? 'subscribed' : 'renewed', source, hub });
    this.#plan(source);
    return answer;
  }

  /** Why a delivery is refused; undefined if the hub may deliver. */
  refusal(id: string): 'gone' | 'unknown' | undefined {
    const { source = '', state = 'pending', expiresMs = 0 } = this.#book.subscription(id) ?? {};
    if (state === 'pending') return 'unknown';
    const isOver = state === 'gone' || expiresMs <= this.#ports.now() || this.#book.following(source) === undefined;
    return isOver ? 'gone' : undefined;
  }

  /** `isGenuine` says why a delivery is not signed with a secret. Throws what the store throws. */
  async delivered(id: string, isGenuine: (secret: string) => string | true): Promise<void> {
    const subscription = this.#book.subscription(id);
    const following = this.#book.following(subscription?.source ?? '');
    if (subscription === undefined || following === undefined || this.refusal(id) !== undefined) return;
    const { source, hub, secret } = subscription;
    const verdict = secret === undefined ? true : isGenuine(secret);
    if (verdict === true) await this.#pushed(following, subscription);
    else this.#ports.onEvent({ is: 'forged', source, hub, reason: verdict });
  }

  /** One stored push covers all that arrive before the next check. */
  async #pushed(before: Following, subscription: TopicSubscription): Promise<void> {
    const { now, watch, onEvent } = this.#ports;
    const { source, hub } = subscription;
    const following = { ...before, trust: afterPush(before.trust, now()) };
    if (before.trust.unservedMs === undefined) await this.#book.write({ following });
    else this.#book.keep(following);
    onEvent({ is: 'pushed', source, hub });
    if (!isTrusted(before.trust) && isTrusted(following.trust)) onEvent({ is: 'trusted', source, hub });
    watch.hasten(source, floorMs(following.trust, this.#ports));
  }

  async #learn(source: string, named: NamedHubs | undefined): Promise<void> {
    const { isOn, now } = this.#ports;
    const known = this.#book.following(source);
    if (named === undefined || !isOn || (known === undefined && named.hubs.length === 0)) return;
    if (JSON.stringify(known?.named) === JSON.stringify(named)) return;
    const nowMs = now();
    const {
      failures,
      isDenied,
      reason,
      retryAtMs,
      namedMs = Number.NEGATIVE_INFINITY,
      ...kept
    } = known ?? { trust: UNTRIED };
    const isRestless = nowMs - namedMs < NAMES_KEPT_MS;
    const following = {
      ...kept,
      source,
      named,
      namedMs: nowMs,
      failures: 0,
      ...(isRestless && { retryAtMs: namedMs + NAMES_KEPT_MS }),
      ...(named.self === undefined && named.hubs.length > 0 && { reason: 'The feed names a hub, and not itself.' }),
    };
    await this.#book.write({ following });
    this.#plan(source);
  }

  /** Stores what checks have shown, if anything important changed. */
  #weigh(before: Following, after: Following, hub: string): void {
    const { source } = before;
    const { onEvent } = this.#ports;
    if (JSON.stringify(before.trust) === JSON.stringify(after.trust)) return;
    this.#book.keep(after);
    void this.#tolerantly(() => this.#book.write({ following: this.#book.following(source) ?? after }));
    if (missesOf(after.trust) > missesOf(before.trust)) onEvent({ is: 'missed', source, hub });
    if (isSilent(after.trust) && !isSilent(before.trust)) onEvent({ is: 'silent', source, hub });
    if (isTrusted(after.trust) && !isTrusted(before.trust)) onEvent({ is: 'trusted', source, hub });
  }

  /** For work that nobody waits for. What the disk refuses is learned again. */
  async #tolerantly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isUnwritable(error)) this.#ports.onEvent({ is: 'bug', error });
    }
  }

  async #advance(source: string): Promise<void> {
    try {
      for (let steps = 0; steps < STEPS_AT_ONCE; steps += 1) {
        const following = this.#book.following(source);
        if (following === undefined || this.#stop.signal.aborted) return;
        const step = nextStep(following, this.#book.of(source), this.#facts(source));
        if (step.do === 'wait') break;
        await takeStep(source, step, this.#stepParts());
      }
      this.#plan(source);
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (!isUnwritable(error)) this.#ports.onEvent({ is: 'bug', error });
      this.#plan(source, AGAIN_MS);
    }
  }

  #stepParts(): StepParts {
    return { ...this.#ports, book: this.#book, signal: this.#stop.signal };
  }

  #facts(source: string) {
    const { watch, isOn, now } = this.#ports;
    const watched = watch.source(source);
    return {
      nowMs: now(),
      isWanted: isOn && watched !== undefined && watched.paused === undefined,
      isGone: watched === undefined,
    };
  }

  #current(source: string): TopicSubscription | undefined {
    const following = this.#book.following(source);
    const current = following && currentOf(following, this.#book.of(source));
    return (current?.expiresMs ?? 0) > this.#ports.now() ? current : undefined;
  }

  #plan(source: string, spreadMs = 0): void {
    const following = this.#book.following(source);
    if (following === undefined || !this.#isRunning) return;
    const facts = this.#facts(source);
    const step = nextStep(following, this.#book.of(source), facts);
    const delayMs = step.do === 'wait' ? step.untilMs - facts.nowMs : spreadMs;
    const hub = new URL(following.named.hubs[0] ?? `http://${ANY_HUB}/`).host;
    if (Number.isFinite(delayMs))
      this.#scheduler.plan({ id: source, host: hub, isLong: false }, Math.max(delayMs, spreadMs));
  }
}

/** Trust is not passed on to another hub. */
function followingAfter(
  { reason: _reason, retryAtMs, isDenied: _isDenied, ...following }: Following,
  answer: Exclude<ChallengeAnswer, { readonly is: 'refused' }>,
  before: readonly TopicSubscription[],
): Following {
  if (answer.is === 'denied') {
    return {
      ...following,
      failures: following.failures + 1,
      reason: answer.reason,
      isDenied: true,
      retryAtMs: answer.retryAtMs,
    };
  }
  if (answer.after?.state !== 'active') return { ...following, ...(retryAtMs !== undefined && { retryAtMs }) };
  const { hub } = answer.after;
  const isOther = before.some((one) => one.state === 'active' && one.hub !== hub);
  return { ...following, failures: 0, ...(isOther && { trust: UNTRIED }) };
}
