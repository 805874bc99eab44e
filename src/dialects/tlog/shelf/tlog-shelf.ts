import { logOrigin } from '../../../codecs/tlog/log-origin.ts';
import { CodedError } from '../../../errors/coded-error.ts';
import type { Change } from '../../../model/change.ts';
import { LogFollower } from '../../log-follower.ts';
import type { FollowingDocuments, ShelfSource, TextRedaction } from '../../shelf.ts';
import type { StepRelay } from '../../step-relay.ts';
import { AskedWitnesses, type CosignCheckpoint } from './asked-witnesses.ts';
import { DocumentRounds, type OthersDocuments } from './document-rounds.ts';
import { type EarlierChanges, earlierChanges } from './earlier-changes.ts';
import { PendingChecks } from './pending-checks.ts';
import { TlogBatch, type TlogWorld } from './tlog-batch.ts';
import { TlogRhythm, TURN_EVERY_MS } from './tlog-rhythm.ts';
import { newState, stateOf, type TlogState } from './tlog-state.ts';
import type { TlogRecord, TlogWrite } from './tlog-store.ts';

export interface TlogShelfOptions extends TlogWorld, OthersDocuments {
  /** The public address of the hub, with a final slash; empty while it is not known. */
  readonly baseUrl: () => string;
  /** The log after that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  readonly sources: () => readonly ShelfSource[];
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stopping?: AbortSignal | undefined;
  readonly relay?: StepRelay<TlogWrite> | undefined;
  /** Absent if the log has no witnesses. */
  readonly cosign?: CosignCheckpoint | undefined;
  /** Called with what the operator should know. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** How many changes become entries before other work gets a turn. */
const CHANGES_AT_ONCE = 32;

/** Resolves when the log has all changes and its head is signed. */
export async function openTlogShelf(options: TlogShelfOptions): Promise<TlogShelf> {
  const shelf = new TlogShelf(options);
  await shelf.open();
  return shelf;
}

/**
 * The provable log of a hub, which grows beside its log of changes.
 *
 * Entries and the head are stored first. Then the head is signed, the checkpoint is stored, and only then shown. If the hub does
 * nothing, nothing is appended.
 */
export class TlogShelf implements FollowingDocuments {
  readonly #options: TlogShelfOptions;
  readonly #follower: LogFollower<TlogState, TlogBatch, TlogWrite>;
  readonly #checks: PendingChecks;
  readonly #rhythm: TlogRhythm;
  readonly #rounds: DocumentRounds;
  readonly #witnesses: AskedWitnesses | undefined;
  /** For a hub without a log: the changes that existed when it was opened. All later changes become entries. */
  #earlier: EarlierChanges | undefined;
  #state: TlogState | undefined;
  #shown: TlogRecord | undefined;
  /** Changes that wait for the next turn. */
  #held: Change[] = [];
  #turning: Promise<void> | undefined;
  #waking: Promise<void> | undefined;
  #isOriginTold = false;
  readonly #redactions: TextRedaction[] = [];

  /** Use {@link openTlogShelf}. */
  constructor(options: TlogShelfOptions) {
    this.#options = options;
    this.#checks = new PendingChecks(options);
    this.#rhythm = new TlogRhythm(options.now);
    this.#rounds = new DocumentRounds(options);
    this.#follower = new LogFollower({
      readChanges: options.readChanges,
      stopping: options.stopping,
      relay: options.relay,
      mostChanges: CHANGES_AT_ONCE,
      changesAtOnce: CHANGES_AT_ONCE,
      load: () => this.#load(),
      begin: (state) => new TlogBatch(state, options),
      more: (state) => this.#sayings(state),
      store: (step) => options.store.write(step),
      show: (step) => this.#show(step),
      settle: async () => void this.#wakeSoon(),
    });
    this.#witnesses = this.#askedWitnesses(options);
  }

  get seq(): number {
    if (this.#isWaiting) return Number.POSITIVE_INFINITY;
    // Earlier changes are covered by their hash, so the log need not keep them until the first entry is written.
    return this.#shown === undefined ? Math.max(this.#earlier?.seq ?? 0, this.#follower.seq) : this.#follower.seq;
  }

  get trouble(): string | undefined {
    return this.#follower.trouble;
  }

  /** The current log as it is stored, with the shown checkpoint; undefined before its first entry. From memory. */
  get record(): TlogRecord | undefined {
    return this.#shown;
  }

  /** For {@link openTlogShelf}. */
  async open(): Promise<void> {
    this.#shown = this.#current();
    if (this.#shown === undefined && this.#follower.isMaker)
      this.#earlier = await earlierChanges(this.#options.readChanges(0));
    if (!this.#isWaiting) await this.#follower.open();
  }

  /** Immediately after a pause; otherwise together with what else comes in that time. */
  async add(changes: readonly Change[]): Promise<void> {
    if (!this.#follower.isOpen || !this.#follower.isMaker) return;
    for (const change of changes) this.#held.push(change);
    if (this.#isWaiting) this.#held = [];
    else if (this.#held.length === 0) await this.#turning;
    else if (this.#rhythm.untilTurnMs === 0) await this.#turn();
    else void this.#wakeSoon();
  }

  async mend(): Promise<void> {
    if (this.#isWaiting) return;
    // The log already has them.
    this.#held = [];
    await this.#follower.mend();
  }

  /** Takes sources that may have been checked or renamed. The log follows within the next seconds. */
  async restate(ids: Iterable<string>): Promise<void> {
    if (!this.#follower.isOpen || !this.#follower.isMaker) return;
    const named = [...ids];
    this.#checks.note(named);
    this.#rounds.noteNames(named);
    // A caller that reports a check does not wait for its round.
    void this.#wakeSoon();
  }

  /**
   * Logs that texts of a change were redacted, and drops their salts. Throws if that could not be stored: then nothing was logged.
   */
  async redact(redaction: TextRedaction): Promise<void> {
    if (!this.#follower.isMaker) {
      const what =
        'Another process of this hub writes its provable log: the one that has the role projector in GET /healthz. Ask that one; nothing was changed.';
      throw new CodedError('NotTheProjectorError', 'retry-later', what);
    }
    this.#redactions.push(redaction);
    await this.#follower.takeTurn();
    const left = this.#redactions.indexOf(redaction);
    if (left === -1 && this.trouble === undefined) return;
    if (left !== -1) this.#redactions.splice(left, 1);
    throw new CodedError('RedactionFailedError', 'retry-later', `The provable log cannot be written: ${this.trouble}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower.close();
    await this.#waking;
    await this.#witnesses?.settled();
  }

  /** A log cannot begin before the address of the hub is known. */
  get #isWaiting(): boolean {
    return this.#shown === undefined && this.#options.baseUrl() === '';
  }

  #current(): TlogRecord | undefined {
    const newest = this.#options.store.logs().at(-1);
    return newest?.epoch === this.#options.epoch ? newest : undefined;
  }

  async #load(): Promise<TlogState> {
    const { store, readChanges } = this.#options;
    const record = this.#current();
    this.#rounds.giveUp();
    this.#checks.giveBack();
    this.#shown = record;
    if (record !== undefined) this.#tellOrigin(record);
    if (record !== undefined) this.#state = stateOf(record, store);
    else {
      const before = store.logs().at(-1);
      this.#earlier ??= await earlierChanges(this.#follower.isMaker ? readChanges(0) : nothing());
      const earlier = this.#earlier;
      const previous = before?.checkpoint;
      const beginning = { earlier, ...(previous !== undefined && { previous }) };
      this.#state = newState((before?.log ?? 0) + 1, beginning);
    }
    return this.#state;
  }

  /** Reported once: the origin of a log never changes. */
  #tellOrigin({ origin }: TlogRecord): void {
    const base = this.#options.baseUrl();
    if (this.#isOriginTold || base === '' || logOrigin(new URL(base)) === origin) return;
    this.#isOriginTold = true;
    this.#options.onProblem?.(
      `The provable log began as ${origin} and keeps that name, although this hub is reached at ${base} now. Followers go on knowing it by its name and its key.`,
    );
  }

  #show({ log, seq, head, documentsSeq, begins, checks, checkpoint }: TlogWrite): void {
    if (checks.length > 0) this.#checks.settle();
    const identity = begins ?? this.#shown;
    if (identity === undefined) throw new Error(`The provable log ${log} goes on before it has begun.`);
    const shown = checkpoint ?? (begins === undefined ? this.#shown?.checkpoint : undefined);
    const { origin, vkey, seed, epoch } = identity;
    this.#shown = {
      ...{ log, origin, vkey, seed, ...(epoch !== undefined && { epoch }) },
      ...{ seq, documentsSeq, ...head },
      ...(shown !== undefined && { checkpoint: shown }),
    };
    if (checkpoint === undefined || this.#witnesses?.isCosigned(checkpoint)) return;
    this.#rhythm.noteCheckpoint();
    if (this.#follower.isMaker) this.#witnesses?.ask(checkpoint);
  }

  #askedWitnesses({ cosign, onProblem }: TlogShelfOptions): AskedWitnesses | undefined {
    if (cosign === undefined) return undefined;
    return new AskedWitnesses({
      cosign,
      log: () => this.#shown?.log,
      closing: this.#follower.closing,
      onCosigned: () => this.#follower.takeTurn(),
      onProblem: (message) => onProblem?.(message),
    });
  }

  /**
   * What follows the changes of a turn: the checkpoint of everything stored so far, then some documents and the checks of a round.
   * A long round takes many turns, so that no change waits for it.
   */
  *#sayings(state: TlogState): Generator<(batch: TlogBatch) => Promise<void>, void, undefined> {
    for (const redaction of this.#redactions.splice(0)) yield async (batch) => batch.addRedaction(redaction);
    // A log with earlier changes begins right away, without waiting for something new.
    if (hasPast(state)) yield async (batch) => batch.begin();
    yield async (batch) => batch.close();
    const cosigned = this.#witnesses?.cosignedOf(state.signedSize);
    if (cosigned !== undefined) yield async (batch) => batch.show(cosigned);
    if (state.signedSize < state.edge.size && this.#rhythm.untilSignMs === 0) yield async (batch) => batch.sign();
    if (!this.#rounds.isRunning && this.#hasRound(state) && this.#rhythm.untilRoundMs === 0) {
      this.#rhythm.noteRound();
      const checked = this.#checks.take();
      if (checked.length > 0) yield (batch) => batch.addChecks(checked);
      this.#rounds.begin(state);
    }
    if (this.#rounds.isRunning) yield (batch) => this.#rounds.addSome(batch);
  }

  #hasRound(state: TlogState): boolean {
    return this.#checks.size > 0 || this.#rounds.hasNew(state);
  }

  /** Takes a turn when the next round or checkpoint is due; does nothing while there is nothing to add. */
  #wakeSoon(): Promise<void> {
    const ms = this.#dueInMs();
    if (ms === undefined) return this.#waking ?? Promise.resolve();
    this.#waking ??= this.#wake(ms);
    return this.#waking;
  }

  /** Checks again after a moment, because something that came meanwhile may be due earlier. */
  async #wake(ms: number): Promise<void> {
    await this.#options.wait(Math.min(ms, TURN_EVERY_MS), this.#follower.closing);
    this.#waking = undefined;
    if (!this.#follower.isOpen || this.#isWaiting) return;
    // What was due then is still due, whatever happened to the clock.
    if (ms > TURN_EVERY_MS && this.#dueInMs() !== 0) return this.#wakeSoon();
    // `trouble` reports what prevents a turn. The next turn tries again.
    await this.#turn().catch(() => undefined);
  }

  #turn(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#rhythm.noteTurn();
    const turning = this.#follower.add(held);
    this.#turning = turning.catch(() => undefined);
    return turning;
  }

  #dueInMs(): number | undefined {
    const state = this.#state;
    const due: number[] = [];
    if (this.#held.length > 0) due.push(this.#rhythm.untilTurnMs);
    if (this.#rounds.isRunning) due.push(0);
    if (state === undefined ? this.#checks.size > 0 : this.#hasRound(state)) due.push(this.#rhythm.untilRoundMs);
    if (state !== undefined && state.signedSize < state.edge.size) due.push(this.#rhythm.untilSignMs);
    return due.length === 0 ? undefined : Math.min(...due);
  }
}

function hasPast({ identity, beginning }: TlogState): boolean {
  return identity === undefined && (beginning?.previous !== undefined || (beginning?.earlier.count ?? 0) > 0);
}

async function* nothing(): AsyncGenerator<never, void, undefined> {}
