import { logOrigin } from '../../../codecs/tlog/log-origin.ts';
import { CodedError } from '../../../errors/coded-error.ts';
import type { Change } from '../../../model/change.ts';
import { LogFollower } from '../../log-follower.ts';
import type { FollowingDocuments, ShelfDocument, ShelfSource, TextRedaction } from '../../shelf.ts';
import type { StepRelay } from '../../step-relay.ts';
import { type EarlierChanges, earlierChanges } from './earlier-changes.ts';
import { PendingChecks } from './pending-checks.ts';
import { TlogBatch, type TlogWorld } from './tlog-batch.ts';
import { newState, stateOf, type TlogState } from './tlog-state.ts';
import type { TlogRecord, TlogWrite } from './tlog-store.ts';

export interface TlogShelfOptions extends TlogWorld {
  /** The log behind that `seq`, in order. */
  readonly readChanges: (after: number) => AsyncIterable<Change>;
  readonly sources: () => readonly ShelfSource[];
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  /** What other shelves say beyond the log, and how far they are. */
  readonly documentsSince: (seq: number) => AsyncIterable<ShelfDocument>;
  readonly documentsSeq: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stopping?: AbortSignal | undefined;
  readonly relay?: StepRelay<TlogWrite> | undefined;
  /** Has the checkpoint of a log cosigned. Absent: it has no witnesses. */
  readonly cosign?: ((note: string, log: number, signal: AbortSignal) => Promise<string>) | undefined;
  /** Hears of what the operator should know. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Documents of others, as they are looked through. */
interface DocumentRound {
  readonly documents: AsyncIterator<ShelfDocument>;
  /** The paths of those that never change. */
  readonly told: Set<string>;
  /** How far the log has become documents. */
  readonly after: number;
}

/** Entries of changes are stored at most so often: each time is a write to the disk. */
const TURN_EVERY_MS = 200;
/** A checkpoint is signed at most so often. */
const SIGN_EVERY_MS = 1000;
/** Checks without news, and documents of others, are told at most so often. */
const ROUND_EVERY_MS = 5000;
const CHANGES_AT_ONCE = 100;
const DOCUMENTS_AT_ONCE = 25;

/** Resolves when the log has all changes, and its head is signed. */
export async function openTlogShelf(options: TlogShelfOptions): Promise<TlogShelf> {
  const shelf = new TlogShelf(options);
  await shelf.open();
  return shelf;
}

/**
 * The provable log of a hub, which grows beside its log of changes.
 *
 * Entries and the head are stored first, then the head is signed, then the checkpoint is stored, and then it is shown. Where the hub does nothing, nothing is appended.
 */
export class TlogShelf implements FollowingDocuments {
  readonly #options: TlogShelfOptions;
  readonly #follower: LogFollower<TlogState, TlogBatch, TlogWrite>;
  readonly #checks: PendingChecks;
  /** Of a hub that has no log yet: what was there when it was opened. All that comes behind it is told in entries. */
  #earlier: EarlierChanges | undefined;
  #state: TlogState | undefined;
  #shown: TlogRecord | undefined;
  /** What was told in the last rounds and never changes: the same second may be looked through again. */
  #told: readonly ReadonlySet<string>[] = [];
  /** Changes that wait for the next turn. */
  #held: Change[] = [];
  #turnAtMs = Number.NEGATIVE_INFINITY;
  #turning: Promise<void> | undefined;
  #roundAtMs = Number.NEGATIVE_INFINITY;
  #signedAtMs = Number.NEGATIVE_INFINITY;
  /** Undefined between two of them. */
  #round: DocumentRound | undefined;
  #waking: Promise<void> | undefined;
  #isOriginTold = false;
  readonly #redactions: TextRedaction[] = [];
  /** A checkpoint that witnesses are asked about, and the next one. */
  #asking: Promise<void> | undefined;
  #unasked: string | undefined;
  /** A checkpoint that came back, to be shown in place of itself. */
  #cosigned: string | undefined;

  /** Use {@link openTlogShelf}. */
  constructor(options: TlogShelfOptions) {
    this.#options = options;
    this.#checks = new PendingChecks(options);
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
  }

  get seq(): number {
    if (this.#isWaiting) return Number.POSITIVE_INFINITY;
    // What was there before is known by its hash: the log need not keep it until the first entry is written.
    return this.#shown === undefined ? Math.max(this.#earlier?.seq ?? 0, this.#follower.seq) : this.#follower.seq;
  }

  get trouble(): string | undefined {
    return this.#follower.trouble;
  }

  /** The log that goes on, as it is stored, with the checkpoint that is shown; undefined before its first entry. From memory. */
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

  /** At once after a moment of rest; else they are told together with what comes in that moment. */
  async add(changes: readonly Change[]): Promise<void> {
    if (!this.#follower.isOpen || !this.#follower.isMaker) return;
    for (const change of changes) this.#held.push(change);
    if (this.#isWaiting) this.#held = [];
    else if (this.#held.length === 0) await this.#turning;
    else if (this.#leftMs(this.#turnAtMs, TURN_EVERY_MS) === 0) await this.#turn();
    else void this.#wakeSoon();
  }

  async mend(): Promise<void> {
    if (this.#isWaiting) return;
    // The log has them.
    this.#held = [];
    await this.#follower.mend();
  }

  /** Sources were checked, perhaps. Those without news are told of within the next seconds. */
  async restate(ids: Iterable<string>): Promise<void> {
    if (!this.#follower.isOpen || !this.#follower.isMaker) return;
    this.#checks.note(ids);
    // Nobody who reports a check waits for the round that tells of it.
    if (this.#checks.size > 0) void this.#wakeSoon();
  }

  /** Says that texts of a change are taken out, and forgets their salts. Throws where that could not be stored: nothing was said, then. */
  async redact(redaction: TextRedaction): Promise<void> {
    if (!this.#follower.isMaker) {
      const what = 'Another process of this hub writes its provable log. Ask that one, or ask again later.';
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
    await this.#asking;
  }

  /** A log cannot begin before it is known where the hub is reached. */
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
    this.#round = undefined;
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

  /** Once: the origin of a log is never changed. */
  #tellOrigin({ origin }: TlogRecord): void {
    const base = this.#options.baseUrl();
    if (this.#isOriginTold || base === '' || logOrigin(new URL(base)) === origin) return;
    this.#isOriginTold = true;
    this.#options.onProblem?.(
      `The provable log began as ${origin} and keeps that name, although this hub is reached at ${base} now. Followers go on knowing it by its name and its key.`,
    );
  }

  #show({ log, seq, head, documentsSeq, begins, checkpoint }: TlogWrite): void {
    const identity = begins ?? this.#shown;
    if (identity === undefined) throw new Error(`The provable log ${log} goes on before it has begun.`);
    if (checkpoint !== undefined && checkpoint === this.#cosigned) this.#cosigned = undefined;
    else if (checkpoint !== undefined) {
      this.#signedAtMs = this.#options.now();
      this.#askWitnesses(checkpoint);
    }
    const shown = checkpoint ?? (begins === undefined ? this.#shown?.checkpoint : undefined);
    const { origin, vkey, seed, epoch } = identity;
    this.#shown = {
      ...{ log, origin, vkey, seed, ...(epoch !== undefined && { epoch }) },
      ...{ seq, documentsSeq, ...head },
      ...(shown !== undefined && { checkpoint: shown }),
    };
  }

  /** The checkpoint is shown by now: nobody waits for witnesses. While one is asked about, only the newest behind it is kept. */
  #askWitnesses(checkpoint: string): void {
    if (this.#options.cosign === undefined || !this.#follower.isMaker) return;
    this.#unasked = checkpoint;
    this.#asking ??= this.#ask()
      .catch((error: unknown) => this.#options.onProblem?.(`Witnesses cannot be asked. ${messageOf(error)}`))
      .finally(() => {
        this.#asking = undefined;
      });
  }

  async #ask(): Promise<void> {
    while (this.#unasked !== undefined && this.#follower.isOpen) {
      const [note, log] = [this.#unasked, this.#shown?.log];
      this.#unasked = undefined;
      if (log === undefined) return;
      const cosigned = (await this.#options.cosign?.(note, log, this.#follower.closing)) ?? note;
      if (cosigned === note || !this.#follower.isOpen) continue;
      this.#cosigned = cosigned;
      await this.#follower.takeTurn().catch(() => undefined);
    }
  }

  /**
   * What is said behind the changes of a turn: the checkpoint of all that is stored by then, and behind it some of the documents and the checks of a round.
   * A long round takes many turns, so that no change waits for it.
   */
  *#sayings(state: TlogState): Generator<(batch: TlogBatch) => Promise<void>, void, undefined> {
    for (const redaction of this.#redactions.splice(0)) yield async (batch) => batch.addRedaction(redaction);
    // What was there before commits itself: it need not wait for something new.
    if (hasPast(state)) yield async (batch) => batch.begin();
    yield async (batch) => batch.close();
    const cosigned = this.#cosigned;
    if (cosigned !== undefined && sizeOfNote(cosigned) === state.signedSize)
      yield async (batch) => batch.show(cosigned);
    else this.#cosigned = undefined;
    if (state.signedSize < state.edge.size && this.#isSignDue()) yield async (batch) => batch.sign();
    if (this.#round === undefined && this.#isRoundDue(state)) {
      this.#roundAtMs = this.#options.now();
      const checked = this.#checks.take();
      if (checked.length > 0) yield (batch) => batch.addChecks(checked);
      this.#round = this.#newRound(state);
    }
    const round = this.#round;
    if (round === undefined) return;
    yield async (batch) => {
      if (!(await this.#addSome(batch, round))) return;
      batch.documentsReach(round.after);
      this.#round = undefined;
      this.#told = [round.told, ...this.#told].slice(0, 2);
    };
  }

  #newRound(state: TlogState): DocumentRound | undefined {
    const after = Math.min(this.#options.documentsSeq(), state.seq);
    // Documents name the address of the hub: before it listens there are none.
    const areReady = state.identity !== undefined && this.#options.baseUrl() !== '';
    if (after <= state.documentsSeq || !areReady) return undefined;
    const documents = this.#options.documentsSince(state.documentsSeq)[Symbol.asyncIterator]();
    return { documents, told: new Set(), after };
  }

  /** Whether there are no more. */
  async #addSome(batch: TlogBatch, { documents, told, after }: DocumentRound): Promise<boolean> {
    for (let count = 0; count < DOCUMENTS_AT_ONCE; count += 1) {
      const next = await documents.next();
      if (next.done) return true;
      const { path, lasts } = next.value;
      if (lasts) told.add(path);
      if (!lasts || !this.#told.some((paths) => paths.has(path))) batch.addDocument(next.value, after);
    }
    return false;
  }

  #isRoundDue(state: TlogState): boolean {
    return this.#hasRound(state) && this.#leftMs(this.#roundAtMs, ROUND_EVERY_MS) === 0;
  }

  #hasRound({ documentsSeq, seq }: TlogState): boolean {
    return this.#checks.size > 0 || Math.min(this.#options.documentsSeq(), seq) > documentsSeq;
  }

  #isSignDue(): boolean {
    return this.#leftMs(this.#signedAtMs, SIGN_EVERY_MS) === 0;
  }

  /** Takes a turn when the next round or checkpoint is due; none while there is nothing to say. */
  #wakeSoon(): Promise<void> {
    const ms = this.#dueInMs();
    if (ms === undefined) return this.#waking ?? Promise.resolve();
    this.#waking ??= this.#wake(ms);
    return this.#waking;
  }

  /** Looks again after a moment: what came meanwhile may be due earlier. */
  async #wake(ms: number): Promise<void> {
    await this.#options.wait(Math.min(ms, TURN_EVERY_MS), this.#follower.closing);
    this.#waking = undefined;
    if (!this.#follower.isOpen || this.#isWaiting) return;
    // What was due by then is, whatever became of the clock.
    if (ms > TURN_EVERY_MS && this.#dueInMs() !== 0) return this.#wakeSoon();
    // What keeps it from a turn is told by `trouble`, and met again with the next one.
    await this.#turn().catch(() => undefined);
  }

  #turn(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    this.#turnAtMs = this.#options.now();
    const turning = this.#follower.add(held);
    this.#turning = turning.catch(() => undefined);
    return turning;
  }

  #dueInMs(): number | undefined {
    const state = this.#state;
    const due: number[] = [];
    if (this.#held.length > 0) due.push(this.#leftMs(this.#turnAtMs, TURN_EVERY_MS));
    if (this.#round !== undefined) due.push(0);
    if (state === undefined ? this.#checks.size > 0 : this.#hasRound(state))
      due.push(this.#leftMs(this.#roundAtMs, ROUND_EVERY_MS));
    if (state !== undefined && state.signedSize < state.edge.size)
      due.push(this.#leftMs(this.#signedAtMs, SIGN_EVERY_MS));
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** How long it is until so much time has passed since that moment. A clock that was set back is not waited for. */
  #leftMs(sinceMs: number, everyMs: number): number {
    const passedMs = this.#options.now() - sinceMs;
    return passedMs < 0 ? 0 : Math.max(0, everyMs - passedMs);
  }
}

function hasPast({ identity, beginning }: TlogState): boolean {
  return identity === undefined && (beginning?.previous !== undefined || (beginning?.earlier.count ?? 0) > 0);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The second line of a checkpoint of our own. */
function sizeOfNote(note: string): number {
  return Number(note.split('\n')[1]);
}

async function* nothing(): AsyncGenerator<never, void, undefined> {}
