import type { ChangeReceipts } from '../../../dialects/shelf.ts';
import type { TidingsError } from '../../../errors/tidings-error.ts';
import type { PushEvent, PushLog } from '../push-log.ts';
import type { Attempted, Attempter } from './attempt.ts';
import { withCheckpoint } from './delivery-proofs.ts';
import { DeliveryTurns, type TurnOptions } from './delivery-turns.ts';
import { type DeliverMove, nextMove } from './next-move.ts';
import { FIRST_RETRY_MS } from './retry-schedule.ts';
import { createRunner, type Runner, turnOf, wishesOf } from './runner.ts';
import {
  type AfterParts,
  standingAfterConsent,
  standingAfterFailure,
  standingAfterSilence,
  standingAfterTaken,
} from './standing-after.ts';
import { StandingWriter } from './standing-writer.ts';
import type {
  DeadLetter,
  Subscription,
  SubscriptionStanding,
  SubscriptionStatus,
  WebhookTopic,
} from './subscription.ts';
import type { WebhookStore, WebhookWrite } from './webhook-store.ts';

/** A change of the status of a subscription. */
export interface StandingChange {
  readonly from: SubscriptionStatus;
  readonly to: SubscriptionStatus;
  readonly reason?: string;
}

/** The state of the owner of a subscription; `paused` may be temporary. */
export type OwnerStanding = 'good' | 'paused' | 'ended';

export interface WebhookEngineParts extends Pick<TurnOptions, 'alarm' | 'quick' | 'slow'> {
  readonly store: WebhookStore;
  readonly logs: Readonly<Partial<Record<WebhookTopic, PushLog>>>;
  readonly attempter: Attempter;
  /** For subscriptions with proofs. Absent if nothing is proven. */
  readonly receipts?: ChangeReceipts | undefined;
  ownerStanding(subscription: Subscription): OwnerStanding;
  now(): number;
  random(): number;
  readonly firstRetryMs?: number;
  /** Called when a subscription begins to fail, recovers, or ends, so that its owner can be informed in another way. */
  onStanding(subscription: Subscription, change: StandingChange): void;
  /** Called when the disk refuses a write. */
  onProblem(error: TidingsError): void;
  /** Called with a bug of ours. */
  onBug(error: unknown): void;
}

const OWNER_PAUSE_MS = 60_000;
const AFTER_BUG_MS = 60_000;
const PROOF_LOOK_MS = 200;
/** How often the place of a subscriber that wants few events is stored, in events. */
const UNWRITTEN_EVENTS = 1000;

/**
 * Delivers the events of logs to subscribers: at least once, in order for each, one delivery at a time.
 *
 * A subscription is a place in a log; nothing is stored per event before it is sent. The place moves when a delivery succeeds, and is durable before the next
 * one is sent. So a crash repeats only the delivery that was running.
 */
export class WebhookEngine {
  readonly #parts: WebhookEngineParts;
  readonly #turns: DeliveryTurns;
  readonly #writer: StandingWriter;
  readonly #runners = new Map<string, Runner>();
  readonly #endings: (() => void)[] = [];
  #hasBegun = false;
  #isClosed = false;

  constructor(parts: WebhookEngineParts) {
    this.#parts = parts;
    const { now, alarm, store, quick, slow } = parts;
    const limits = { ...(quick && { quick }), ...(slow && { slow }) };
    this.#turns = new DeliveryTurns({ now, alarm, run: (id) => this.#run(id), ...limits });
    this.#writer = new StandingWriter({
      store,
      alarm,
      standingOf: (id) => this.#runners.get(id)?.subscription.standing,
      onProblem: (error) => parts.onProblem(error),
    });
    for (const subscription of store.subscriptions()) this.#runners.set(subscription.id, createRunner(subscription));
    store.onWritten((step, isOwn) => this.#hear(step, isOwn));
  }

  /** Continues where the last run stopped, here or in another process. Called when the hub listens, because subscribers may send requests to it. */
  begin(): void {
    if (this.#hasBegun || this.#isClosed) return;
    this.#hasBegun = true;
    for (const [topic, log] of Object.entries(this.#parts.logs)) {
      this.#endings.push(log.onEvents((events) => this.#wake(topic, events)));
    }
    for (const runner of this.#runners.values()) this.#plan(runner, 0);
  }

  /** Delivers nothing until it begins again, because another process does. Running attempts do not count. */
  rest(): void {
    if (!this.#hasBegun || this.#isClosed) return;
    this.#hasBegun = false;
    for (const end of this.#endings.splice(0)) end();
    for (const runner of this.#runners.values()) {
      this.#turns.forget(runner.subscription.id);
      endAttempt(runner);
    }
  }

  /** In order of creation. */
  all(): readonly Subscription[] {
    return [...this.#runners.values()].map(({ subscription }) => subscription);
  }

  find(id: string): Subscription | undefined {
    return this.#runners.get(id)?.subscription;
  }

  /** Adds it, or replaces the one with its id. Ends a running attempt. Durable when it resolves. */
  put(subscription: Subscription): Promise<void> {
    return this.#parts.store.write({ put: [subscription] });
  }

  remove(id: string): Promise<void> {
    return this.#parts.store.write({ remove: [id] });
  }

  /** How many events of its log the subscriber has not reached. */
  lagOf(id: string): number {
    const runner = this.#runners.get(id);
    if (runner === undefined) return 0;
    const log = this.#logOf(runner);
    return Math.max(0, (log?.seq ?? 0) - Math.max(runner.seenSeq, runner.subscription.standing.cursor.seq));
  }

  /** Ends running attempts: they do not count, and are repeated after the next start. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const end of this.#endings) end();
    for (const { stop } of this.#runners.values()) stop.abort();
    for (const runner of this.#runners.values()) this.#noteSeen(runner, 1);
    await this.#writer.close();
    await this.#turns.stop();
  }

  /** Takes a write of this or another process. The delivering process knows the state of subscriptions best. */
  #hear({ put = [], remove = [], standings = [] }: WebhookWrite, isOwn: boolean): void {
    for (const subscription of put) {
      this.#enter(subscription);
      // A write of ours on its way may follow it in the store.
      if (!isOwn && this.#hasBegun) void this.#writer.write(subscription.id);
    }
    for (const id of remove) {
      this.#runners.get(id)?.stop.abort();
      this.#runners.delete(id);
      this.#turns.forget(id);
    }
    if (isOwn || this.#hasBegun) return;
    for (const { id, standing } of standings) {
      const runner = this.#runners.get(id);
      if (runner !== undefined) this.#stand(runner, standing);
    }
  }

  #enter(subscription: Subscription): void {
    const known = this.#runners.get(subscription.id);
    if (known === undefined) {
      const runner = createRunner(subscription);
      this.#runners.set(subscription.id, runner);
      this.#plan(runner, 0);
      return;
    }
    const { standing: before } = known.subscription;
    Object.assign(known, wishesOf(subscription), { subscription, seenSeq: subscription.standing.cursor.seq });
    endAttempt(known);
    this.#plan(known, 0);
    this.#sayStanding(known, before);
  }

  /** Wakes waiting subscriptions for new events. No store is read, and each wish is checked once. */
  #wake(topic: string, events: readonly PushEvent[]): void {
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    const fits = new Map<string, boolean>();
    for (const runner of this.#runners.values()) {
      // A subscription that waits to fill a batch may have enough now.
      const isWaiting = runner.isIdle || runner.waitingSinceMs !== undefined;
      if (!isWaiting || runner.subscription.topic !== topic) continue;
      const isWanted = fits.get(runner.wish) ?? events.some((event) => runner.wants(event));
      fits.set(runner.wish, isWanted);
      if (isWanted || runner.seenSeq < first.seq - 1) this.#plan(runner, 0);
      else if (runner.isIdle) runner.seenSeq = last.seq;
      this.#noteSeen(runner, UNWRITTEN_EVENTS);
    }
  }

  #plan(runner: Runner, delayMs: number): void {
    runner.isIdle = false;
    if (this.#hasBegun) this.#turns.plan(turnOf(runner), delayMs);
  }

  async #run(id: string): Promise<void> {
    const runner = this.#runners.get(id);
    if (runner === undefined || this.#isClosed) return;
    const { stop } = runner;
    try {
      const delayMs = await this.#step(runner);
      // It was removed, changed or planned in the meantime.
      if (stop.signal.aborted || this.#isClosed) return;
      if (delayMs !== undefined) this.#plan(runner, delayMs);
      else if (runner.seenSeq < (this.#logOf(runner)?.seq ?? 0) && isTold(runner)) this.#plan(runner, 0);
      else runner.isIdle = isTold(runner);
    } catch (error) {
      this.#parts.onBug(error);
      this.#plan(runner, AFTER_BUG_MS);
    }
  }

  /** One step of a subscription: at most one attempt. Returns when the next one is due; undefined if something has to happen first. */
  async #step(runner: Runner): Promise<number | undefined> {
    const log = this.#logOf(runner);
    if (log === undefined) return undefined;
    const owner = this.#parts.ownerStanding(runner.subscription);
    if (owner === 'paused') return OWNER_PAUSE_MS;
    if (owner === 'ended') return this.#disable(runner, 'The API key that it belongs to counts no more.');

    const { stop, seenSeq, waitingSinceMs, wants } = runner;
    const nowMs = this.#parts.now();
    const move = await nextMove(runner.subscription, { log, nowMs, seenSeq, waitingSinceMs, wants });
    if (stop.signal.aborted) return undefined;
    if (move.kind === 'verify') return this.#verify(runner);
    if (move.kind === 'deliver') return this.#deliver(runner, move, log);
    this.#stand(runner, move.standing);
    runner.seenSeq = Math.max(runner.seenSeq, move.seenSeq);
    if (move.kind === 'rest') return undefined;
    if (runner.subscription.standing.status === 'active' && move.ms > 0) runner.waitingSinceMs ??= nowMs;
    return move.ms;
  }

  async #deliver(runner: Runner, next: DeliverMove, log: PushLog): Promise<number | undefined> {
    const { stop } = runner;
    this.#stand(runner, next.standing);
    runner.waitingSinceMs = undefined;
    const { receipts, now } = this.#parts;
    const move = withCheckpoint(runner.subscription, next, { receipts, nowMs: now() });
    if (move === undefined) return PROOF_LOOK_MS;
    const { delivery, isKnown } = move;
    this.#stand(runner, move.standing);
    // A single event always makes the same delivery; a batch must be stored first, so that a crash does not make another one.
    const isSame = delivery.seqs.length === 1 && delivery.checkpoint === undefined;
    const isFixed = isKnown || isSame || (await this.#writer.write(runner.subscription.id));
    if (!isFixed || stop.signal.aborted) return undefined;
    const attempted = await this.#parts.attempter.deliver(runner.subscription, move, stop.signal);
    if (attempted === undefined || stop.signal.aborted) return undefined;
    const { answer, attempt } = attempted;
    runner.tookMs = answer.tookMs;
    const after = this.#after(log);
    if (answer.outcome === 'delivered') {
      this.#stand(runner, standingAfterTaken(runner.subscription.standing, move, after));
      const isAgain = delivery.origin === 'again' || delivery.origin === 'replay';
      const settled = isAgain ? [{ subscription: runner.subscription.id, delivery: delivery.id }] : [];
      await this.#writer.write(runner.subscription.id, { attempts: [attempt], settled });
      return 0;
    }
    const failure = standingAfterFailure(runner.subscription.standing, move, answer, after);
    const dead: DeadLetter[] = failure.dead ? [{ ...failure.dead, subscription: runner.subscription.id }] : [];
    this.#stand(runner, failure.standing);
    await this.#writer.write(runner.subscription.id, { attempts: [attempt], dead });
    return failure.waitMs;
  }

  async #verify(runner: Runner): Promise<number | undefined> {
    const { stop } = runner;
    const attempted = await this.#parts.attempter.verify(runner.subscription, stop.signal);
    if (attempted === undefined || stop.signal.aborted) return undefined;
    const { standing, waitMs } = this.#afterChallenge(runner, attempted);
    this.#stand(runner, standing);
    await this.#writer.write(runner.subscription.id, { attempts: [attempted.attempt] });
    return waitMs;
  }

  #afterChallenge({ subscription: { standing } }: Runner, { answer }: Attempted) {
    if (answer.outcome === 'delivered')
      return { standing: standingAfterConsent(standing, this.#parts.now()), waitMs: 0 };
    return standingAfterSilence(standing, answer, this.#after());
  }

  async #disable(runner: Runner, reason: string): Promise<undefined> {
    const { standing } = runner.subscription;
    if (!isTold(runner) && standing.status !== 'pending') return undefined;
    this.#stand(runner, { ...standing, status: 'disabled', reason });
    await this.#writer.write(runner.subscription.id);
    return undefined;
  }

  #after(log?: PushLog): AfterParts {
    const { now, random, firstRetryMs: firstMs = FIRST_RETRY_MS } = this.#parts;
    return { epoch: log?.epoch ?? '', nowMs: now(), firstMs, random };
  }

  /** In memory; the caller writes it if it must be durable. */
  #stand(runner: Runner, standing: SubscriptionStanding): void {
    const { standing: before } = runner.subscription;
    runner.subscription = { ...runner.subscription, standing };
    if (standing.cursor.seq !== before.cursor.seq) runner.seenSeq = cursorSeen(runner.seenSeq, standing, before);
    this.#sayStanding(runner, before);
  }

  #sayStanding({ subscription }: Runner, { status: from }: SubscriptionStanding): void {
    const { status: to, reason } = subscription.standing;
    if (from !== to) this.#parts.onStanding(subscription, { from, to, ...(reason !== undefined && { reason }) });
  }

  /** Moves the stored cursor past events that are not wanted. */
  #noteSeen(runner: Runner, least: number): void {
    const { subscription, seenSeq, isIdle } = runner;
    const { cursor } = subscription.standing;
    if (!isIdle || seenSeq - cursor.seq < least) return;
    const log = this.#logOf(runner);
    const last = log?.held(seenSeq - 1, 1)?.[0];
    if (log === undefined || last === undefined || cursor.epoch !== log.epoch) return;
    this.#stand(runner, { ...subscription.standing, cursor: { seq: last.seq, id: last.id, epoch: log.epoch } });
    void this.#writer.write(subscription.id);
  }

  #logOf({ subscription }: Runner): PushLog | undefined {
    return this.#parts.logs[subscription.topic];
  }
}

function endAttempt(runner: Runner): void {
  runner.stop.abort();
  runner.stop = new AbortController();
}

function isTold({ subscription: { standing } }: Runner): boolean {
  return standing.status === 'active' || standing.status === 'failing';
}

/** After a resync the place may be before what was examined of another log. */
function cursorSeen(seenSeq: number, { cursor }: SubscriptionStanding, before: SubscriptionStanding): number {
  return cursor.epoch === before.cursor.epoch ? Math.max(seenSeq, cursor.seq) : cursor.seq;
}
