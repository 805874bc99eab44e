import { TidingsError } from '../errors/tidings-error.ts';
import type { HubSigns, SubscriberSign } from '../hub/alerts/alert-rules.ts';
import type { AlertStore } from '../hub/alerts/alert-store.ts';
import { TermsWatch } from '../hub/alerts/terms-watch.ts';
import { readStorage } from './hub-storage.ts';
import type { HubPushParts } from './push-part.ts';

/** Measuring a folder is expensive. */
const MEASURE_EVERY_MS = 10 * 60_000;
/** How often the reading position in the log is stored. A change that is read twice is still reported only once. */
const KEEP_EVERY_MS = 10 * 60_000;
const READ_TO = 'terms.seq';

/** Reads the signs of a running hub from which alerts are derived. */
export class HubSignReader {
  readonly #parts: HubPushParts;
  readonly #store: AlertStore;
  readonly #terms: TermsWatch;
  #keptSeq: number | undefined;
  #keptMs: number;
  #storage: HubSigns['storage'] = 'unknown';
  #measuredMs = Number.NEGATIVE_INFINITY;
  #subscribers: (() => readonly SubscriberSign[]) | undefined;

  constructor(parts: HubPushParts, store: AlertStore) {
    this.#parts = parts;
    this.#store = store;
    const kept = store.state(READ_TO);
    this.#keptSeq = kept === undefined ? undefined : Number(kept);
    this.#keptMs = Date.now();
    this.#terms = new TermsWatch({ tail: parts.tail, seq: this.#keptSeq });
  }

  watchSubscribers(read: () => readonly SubscriberSign[]): void {
    this.#subscribers = read;
  }

  async read(nowMs: number): Promise<HubSigns> {
    const { watch, clock, store, shelves } = this.#parts;
    await this.#measure(nowMs);
    return {
      nowMs,
      sources: watch.sources(),
      clockDoubt: clock.doubt,
      lost: store.lost,
      unwritable: watch.unwritable,
      lags: shelves.lags(),
      storage: this.#storage,
      subscribers: this.#subscribers?.() ?? 'unknown',
      terms: await this.#terms.read(),
    };
  }

  /** Stores from time to time how far the log was read, after its content was reported. */
  async keep(nowMs: number): Promise<void> {
    if (this.#keptSeq === undefined || nowMs - this.#keptMs >= KEEP_EVERY_MS) await this.#keep(nowMs);
  }

  close(): Promise<void> {
    return this.#keep(Date.now());
  }

  async #keep(nowMs: number): Promise<void> {
    this.#keptMs = nowMs;
    const { seq } = this.#terms;
    if (seq === this.#keptSeq) return;
    try {
      await this.#store.write({ state: { [READ_TO]: String(seq) } });
      this.#keptSeq = seq;
    } catch (error) {
      if (!(error instanceof TidingsError)) throw error;
    }
  }

  async #measure(nowMs: number): Promise<void> {
    const { config, store } = this.#parts;
    if (nowMs - this.#measuredMs < MEASURE_EVERY_MS || store.lost !== undefined) return;
    this.#measuredMs = nowMs;
    this.#storage = await readStorage(config.data, store);
  }
}
