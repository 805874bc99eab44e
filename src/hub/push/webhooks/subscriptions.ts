import { CursorLostError } from '../../../errors/cursor-lost-error.ts';
import { subscriptionQuotaError, subscriptionStandingError } from '../../../errors/refusals.ts';
import { START_ID } from '../../../stream/log-cursor.ts';
import { refused } from '../../config/setting-decoders.ts';
import type { LogPlace, PushLog } from '../push-log.ts';
import type { Attempter } from './attempt.ts';
import type { SubscriptionEdit, SubscriptionWish } from './decode-subscription.ts';
import { newSecretText, type SigningScheme, schemeOf } from './secret-texts.ts';
import {
  type DeliveryAttempt,
  DISABLED_ON_REQUEST,
  type PendingChallenge,
  type StoredSecret,
  type Subscription,
  type SubscriptionCursor,
  type SubscriptionOwner,
  type SubscriptionStanding,
  type WebhookTopic,
} from './subscription.ts';
import type { WebhookEngine } from './webhook-engine.ts';
import type { WebhookStore } from './webhook-store.ts';

export interface SubscriptionsParts {
  readonly engine: WebhookEngine;
  readonly store: WebhookStore;
  readonly attempter: Attempter;
  readonly logs: Readonly<Partial<Record<WebhookTopic, PushLog>>>;
  now(): number;
  /** Unguessable bytes. */
  random(size: number): Uint8Array;
  readonly perKey?: number;
}

/** What to send again. */
export interface ReplayWish {
  readonly from?: string;
  /** Instead of `from`: what was appended from this time on, in epoch milliseconds. */
  readonly since?: number;
  readonly to?: string;
  readonly delivery?: string;
}

const PER_KEY = 10;
const MOST_SUBSCRIPTIONS = 10_000;
const MOST_AGAIN = 50;
const ID_BYTES = 12;
const CHALLENGE_BYTES = 24;
/** How long both secrets sign (SW-R1). */
const OLD_SECRET_MS = 86_400_000;
const MOST_SECRETS = 3;

/** Operations on subscriptions. A refused one throws and changes nothing. */
export class Subscriptions {
  readonly #parts: SubscriptionsParts;

  constructor(parts: SubscriptionsParts) {
    this.#parts = parts;
  }

  /** Asks for consent at once, unless that is not wanted; nothing else is sent before. Without `from` it receives only what comes from now on. */
  async add(
    wish: SubscriptionWish & { readonly url: string },
    owner: SubscriptionOwner,
    ownHashes: readonly string[] = [],
  ): Promise<Subscription> {
    this.#ensureRoom(owner, ownHashes);
    const { topic = 'changes', filter = {}, format: form = 'tidings', verify = true, label } = wish;
    if (owner.kind === 'key') this.#ensureForKeys(wish);
    if (topic === 'alerts' && wish.filter !== undefined)
      throw refused('filter', wish.filter, 'Alerts are not filtered.');
    const log = this.#logOf(topic);
    const nowMs = this.#parts.now();
    const secret = wish.secret ?? newSecretText(wish.signing ?? 'v1', this.#parts.random);
    const subscription: Subscription = {
      id: `sub_${this.#token(ID_BYTES)}`,
      url: wish.url,
      topic,
      filter,
      form,
      batch: wish.batch ?? { max: 1, waitMs: 0 },
      owner,
      ...(label !== undefined && { label }),
      ...(wish.receipts === true && { receipts: true }),
      ...(wish.proofs === true && { proofs: true }),
      verify,
      createdMs: nowMs,
      secrets: [{ secret }],
      standing: {
        status: verify ? 'pending' : 'active',
        ...(verify && { challenge: this.#challenge() }),
        cursor: await this.#cursorFrom(log, wish.from),
        deadInRow: 0,
      },
    };
    // Another one may have been added in the meantime.
    this.#ensureRoom(owner, ownHashes);
    await this.#parts.engine.put(subscription);
    return subscription;
  }

  /** A new address has to consent again. */
  async change(subscription: Subscription, { status, format, ...edit }: SubscriptionEdit): Promise<Subscription> {
    if (subscription.topic === 'alerts' && edit.filter !== undefined)
      throw refused('filter', edit.filter, 'Alerts are not filtered.');
    const isMoved = edit.url !== undefined && edit.url !== subscription.url;
    const edited = { ...subscription, ...edit, ...(format !== undefined && { form: format }) };
    let standing = subscription.standing;
    if (isMoved)
      standing = this.#standAnew({
        ...edited,
        standing: { ...standing, ...(edited.verify && { challenge: this.#challenge() }) },
      });
    if (status === 'active') standing = this.#standAnew({ ...edited, standing });
    if (status === 'disabled') standing = { ...standing, status, reason: DISABLED_ON_REQUEST };
    const changed = { ...edited, standing };
    await this.#parts.engine.put(changed);
    return changed;
  }

  async remove({ id }: Subscription): Promise<void> {
    await this.#parts.engine.remove(id);
  }

  /** Makes a new secret; the old one also signs for a day, unless it is dropped at once. */
  async rotate(
    subscription: Subscription,
    wish: { readonly now?: boolean; readonly signing?: SigningScheme; readonly secret?: string },
  ): Promise<Subscription> {
    const nowMs = this.#parts.now();
    const [current, ...others] = subscription.secrets;
    const scheme = wish.signing ?? (current === undefined ? 'v1' : schemeOf(current));
    const secret = wish.secret ?? newSecretText(scheme, this.#parts.random);
    const ending = current === undefined ? [] : [{ ...current, untilMs: nowMs + OLD_SECRET_MS }];
    const old = wish.now === true ? [] : [...ending, ...others].filter(({ untilMs = 0 }) => untilMs > nowMs);
    const secrets: StoredSecret[] = [{ secret }, ...old].slice(0, MOST_SECRETS);
    const rotated = { ...subscription, secrets };
    await this.#parts.engine.put(rotated);
    return rotated;
  }

  /** Sends again what is between two places that it has passed, or one delivery, with their ids. */
  async replay(subscription: Subscription, wish: ReplayWish): Promise<Subscription> {
    const move = await this.#replayOf(subscription, wish);
    // Deliveries continue while places are looked up.
    const latest = this.#parts.engine.find(subscription.id) ?? subscription;
    const replayed = { ...latest, standing: move(latest.standing) };
    await this.#parts.engine.put(replayed);
    return replayed;
  }

  /** Sends a test now. Undefined if the signal ended it. */
  async test(subscription: Subscription, signal: AbortSignal): Promise<DeliveryAttempt | undefined> {
    const { id, standing } = subscription;
    if (standing.challenge !== undefined) {
      const why = 'Its endpoint has not confirmed that it wants to be told, and until then nothing else is sent.';
      throw subscriptionStandingError(id, why);
    }
    const attempted = await this.#parts.attempter.test(subscription, this.#token(ID_BYTES), signal);
    if (attempted !== undefined) await this.#parts.store.write({ attempts: [attempted.attempt] });
    return attempted?.attempt;
  }

  async #replayOf(
    { id, topic }: Subscription,
    { from, since, to, delivery }: ReplayWish,
  ): Promise<(standing: SubscriptionStanding) => SubscriptionStanding> {
    if (delivery !== undefined) {
      if ([from, since, to].some((other) => other !== undefined)) throw refused('delivery', delivery, 'Give it alone.');
      const listed = this.#listed(id, delivery);
      return (standing) => onceMore(id, standing, listed);
    }
    if ((from === undefined) === (since === undefined))
      throw refused('from', from, 'Name the cursor behind which it begins, or the moment (since), or a delivery.');
    const log = this.#logOf(topic);
    const afterSeq = since === undefined ? (await placeOf(log, from ?? '')).seq : await log.seqBefore(since);
    const last = to === undefined ? undefined : await placeOf(log, to);
    return (standing) => replayFrom(standing, afterSeq, last?.seq ?? standing.cursor.seq);
  }

  #listed(id: string, delivery: string): { readonly id: string; readonly seqs: readonly number[] } {
    const { store } = this.#parts;
    const known = [...store.deadLetters(id), ...store.attempts(id)].find((one) => one.delivery === delivery);
    if (known === undefined || known.seqs.length === 0) {
      throw refused(
        'delivery',
        delivery.slice(0, 100),
        'No delivery of events in the list of this subscription has that id.',
      );
    }
    return { id: delivery, seqs: known.seqs };
  }

  /** Enables it again at its place; an endpoint that never consented is asked again. */
  #standAnew({ standing: before, verify }: Subscription): SubscriptionStanding {
    const { reason: _reason, failingSinceMs: _failing, ...standing } = before;
    const isUnsure = verify && (standing.challenge !== undefined || standing.status === 'gone');
    const nowMs = this.#parts.now();
    const delivery = standing.delivery && { ...standing.delivery, attempts: 0, dueMs: nowMs };
    return {
      ...standing,
      status: isUnsure ? 'pending' : 'active',
      ...(isUnsure && { challenge: this.#challenge() }),
      ...(delivery && { delivery }),
      deadInRow: 0,
    };
  }

  #challenge(): PendingChallenge {
    const nowMs = this.#parts.now();
    return { text: this.#token(CHALLENGE_BYTES), atMs: nowMs, attempts: 0, dueMs: nowMs };
  }

  async #cursorFrom(log: PushLog, from: string | undefined): Promise<SubscriptionCursor> {
    const { epoch } = log;
    if (from !== undefined) {
      const { seq, id } = await placeOf(log, from);
      return { seq, epoch, ...(id !== '' && { id }) };
    }
    const { seq } = log;
    const [last] = seq === 0 ? [] : await log.read(seq - 1, 1);
    return { seq, epoch, ...(last && { id: last.id }) };
  }

  #ensureRoom(owner: SubscriptionOwner, ownHashes: readonly string[]): void {
    const { perKey = PER_KEY, engine } = this.#parts;
    const all = engine.all();
    const isOwn = (one: SubscriptionOwner) => one.kind === 'key' && ownHashes.includes(one.hash);
    if (owner.kind === 'key' && all.filter((one) => isOwn(one.owner)).length >= perKey)
      throw subscriptionQuotaError(perKey);
    if (all.length >= MOST_SUBSCRIPTIONS) throw subscriptionQuotaError(MOST_SUBSCRIPTIONS);
  }

  /** Refuses what only the operator of a hub may do. */
  #ensureForKeys({ verify, topic }: SubscriptionWish): void {
    if (verify === false) throw refused('verify', verify, "Only the hub's admin may leave out the challenge.");
    if (topic === 'alerts') throw refused('topic', topic, "Alerts are for the hub's admin.");
  }

  #logOf(topic: WebhookTopic): PushLog {
    const log = this.#parts.logs[topic];
    if (log === undefined) throw refused('topic', topic, 'This hub has no such log.');
    return log;
  }

  #token(bytes: number): string {
    return Buffer.from(this.#parts.random(bytes)).toString('base64url').replaceAll('-', '_');
  }
}

async function placeOf(log: PushLog, cursor: string): Promise<LogPlace> {
  const place = cursor === START_ID ? (log.begins() ?? { seq: 0, id: '' }) : await log.find(cursor);
  if (place === undefined) throw new CursorLostError(cursor);
  return place;
}

function onceMore(
  id: string,
  standing: SubscriptionStanding,
  delivery: { readonly id: string; readonly seqs: readonly number[] },
): SubscriptionStanding {
  const again = [...(standing.again ?? []).filter((one) => one.id !== delivery.id), delivery];
  if (again.length > MOST_AGAIN) throw subscriptionStandingError(id, `${MOST_AGAIN} deliveries wait to be sent again.`);
  return { ...standing, again };
}

/** Only events that it has passed: later ones come anyway. */
function replayFrom(standing: SubscriptionStanding, afterSeq: number, to: number): SubscriptionStanding {
  const toSeq = Math.min(to, standing.cursor.seq);
  if (afterSeq >= toSeq) return standing;
  const { delivery, ...rest } = standing;
  const kept = delivery?.origin === 'replay' ? rest : standing;
  return { ...kept, replay: { afterSeq, toSeq } };
}
