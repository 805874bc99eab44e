import { TidingsError } from '../../../errors/tidings-error.ts';
import { othersFirst } from '../../../log/others-first.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import type { SubscriptionStanding } from './subscription.ts';
import type { WebhookStore, WebhookWrite } from './webhook-store.ts';

type Extras = Pick<WebhookWrite, 'attempts' | 'dead' | 'settled'>;
type HeldExtras = Required<{ [Name in keyof Extras]: NonNullable<Extras[Name]>[number][] }>;

export interface StandingWriterParts {
  readonly store: Pick<WebhookStore, 'write'>;
  readonly alarm: Alarm;
  /** As it is in memory; undefined if it was removed. */
  standingOf(id: string): SubscriptionStanding | undefined;
  /** Called when the disk refuses writes, at most once in a row. */
  onProblem(error: TidingsError): void;
}

const AGAIN_MS = 5000;
/** A commit waits for the disk. Attempts that end within this time after one share the next. */
const REST_MS = 10;
/** The number of attempts that are remembered while the disk refuses writes. */
const MOST_ATTEMPTS_HELD = 2000;

/**
 * Stores the state of subscriptions: everything that ends in one turn of the event loop is one transaction, for any number of subscribers. Refused writes are
 * retried until they succeed; callers keep waiting, and nothing is lost.
 */
export class StandingWriter {
  readonly #parts: StandingWriterParts;
  #ids = new Set<string>();
  #extras: HeldExtras = { attempts: [], dead: [], settled: [] };
  #waiting: ((isDurable: boolean) => void)[] = [];
  /** A flush is planned: soon, after a rest, or when the disk is tried again. */
  #isPlanned = false;
  #isTroubled = false;
  #isClosed = false;
  #cancel: () => void = () => {};
  #flushing: Promise<void> = Promise.resolve();

  constructor(parts: StandingWriterParts) {
    this.#parts = parts;
  }

  /** Resolves with true when it is durable, with false if this is closed before. */
  write(id: string, extras: Extras = {}): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    this.#ids.add(id);
    this.#extras.attempts.push(...(extras.attempts ?? []));
    this.#extras.dead.push(...(extras.dead ?? []));
    this.#extras.settled.push(...(extras.settled ?? []));
    this.#extras.attempts.splice(0, this.#extras.attempts.length - MOST_ATTEMPTS_HELD);
    this.#plan();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Writes what is left, once. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#cancel();
    await this.#flushing;
    this.#cancel();
    await this.#flush();
    this.#isClosed = true;
    this.#cancel();
    for (const resolve of this.#waiting) resolve(false);
  }

  #plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    void othersFirst().then(() => this.#flushNow());
  }

  #flushNow(): void {
    this.#flushing = this.#flush();
  }

  async #flush(): Promise<void> {
    this.#isPlanned = false;
    if (this.#isClosed || this.#ids.size === 0) return;
    // Later writes wait for the next flush.
    this.#isPlanned = true;
    const [ids, extras, waiting] = [this.#ids, this.#extras, this.#waiting];
    const standings = [...ids].flatMap((id) => {
      const standing = this.#parts.standingOf(id);
      return standing === undefined ? [] : [{ id, standing }];
    });
    this.#ids = new Set();
    this.#extras = { attempts: [], dead: [], settled: [] };
    this.#waiting = [];
    try {
      await this.#parts.store.write({ standings, ...extras });
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
      this.#putBack(ids, extras, waiting);
      this.#tryLater(error);
      return;
    }
    this.#isTroubled = false;
    this.#flushBehind(REST_MS);
    for (const resolve of waiting) resolve(true);
  }

  #putBack(ids: ReadonlySet<string>, extras: HeldExtras, waiting: readonly ((isDurable: boolean) => void)[]): void {
    for (const id of ids) this.#ids.add(id);
    this.#extras.attempts.unshift(...extras.attempts);
    this.#extras.dead.unshift(...extras.dead);
    this.#extras.settled.unshift(...extras.settled);
    this.#waiting.unshift(...waiting);
  }

  #tryLater(error: TidingsError): void {
    if (!this.#isTroubled) this.#parts.onProblem(error);
    this.#isTroubled = true;
    this.#flushBehind(AGAIN_MS);
  }

  #flushBehind(ms: number): void {
    this.#isPlanned = true;
    this.#cancel = this.#parts.alarm(ms, () => this.#flushNow());
  }
}
