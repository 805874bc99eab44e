import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import type { StorageKind } from '../../dialects/reader.ts';
import { withoutSaltedTexts } from '../../dialects/tlog/redact/redact-change.ts';
import { replicaBehindError } from '../../errors/replica-error.ts';
import { REDACTION } from '../../hub/cluster/bases.ts';
import type { Fence, Journal, PlannedSource } from '../../hub/cluster/journal.ts';
import type { Replica } from '../../hub/cluster/replica.ts';
import { SteppedApiKeys } from '../../hub/keys/api-key-steps.ts';
import type { ApiKeyStore } from '../../hub/keys/api-key-store.ts';
import type { KeyUsageStore } from '../../hub/keys/key-usage.ts';
import type { SourceCheck, VisitCommit, WatchedSource } from '../../hub/store/hub-store.ts';
import type { SourceFeedState } from '../../hub/store/source-feed-state.ts';
import type { StepStore } from '../../hub/store/step-store.ts';
import { withoutExcerpts } from '../../log/without-excerpts.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { type FeedPart, HubFollowState } from '../sqlite/hub-follow-state.ts';
import type { SqliteHubStore } from '../sqlite/hub-store.ts';
import type { LogDatabase } from '../sqlite/log.ts';
import type { ErasedTexts, WholeHubStore } from '../sqlite/whole-hub-store.ts';
import { ClusterReaderState } from './cluster-reader-state.ts';
import { JournalWriter, type OutgoingWrite } from './journal-writer.ts';
import { type LocalReplica, storeKind, type WrittenStep } from './local-replica.ts';
import type { CutDocuments, LogCuts } from './log-cuts.ts';
import { plannedSource } from './planned-source.ts';
import { ReplicaReads } from './replica-reads.ts';
import { visitBody, visitSteps } from './visit-body.ts';

export interface ClusterStoreParts {
  readonly journal: Journal;
  readonly local: SqliteHubStore;
  /** The same store, as it follows the journal. */
  readonly applied: LocalReplica;
  readonly replica: Replica;
  /** What this process does when the log is cut. */
  readonly cuts?: LogCuts | undefined;
  /** Before anything else is closed. */
  readonly onClose?: () => void;
  /** Whether what is appended keeps texts of pages: true unless it is said otherwise. */
  readonly excerpts?: boolean | undefined;
}

/** How long a reader waits for a change that another server already has. */
const CATCH_UP_MS = 2000;

/** How sources are edited while other processes edit and visit them. */
export type SourceEdit = Pick<PlannedSource, 'expectedRev' | 'overrules'>;

/**
 * The store of a hub that runs in several processes: reads are those of the replica, every write takes its place in the journal and resolves when it
 * is made in the replica, too. Listeners hear of the changes of all processes.
 */
export class ClusterHubStore extends ReplicaReads implements WholeHubStore {
  readonly keys: ApiKeyStore;
  readonly keyUsage: KeyUsageStore;
  readonly replica: Replica;
  readonly #parts: ClusterStoreParts;
  readonly #writer: JournalWriter;
  readonly #fence: Fence | undefined;
  #readerState: ReaderState | undefined;

  constructor(parts: ClusterStoreParts, writer = new JournalWriter(parts.journal, parts.replica), fence?: Fence) {
    const { local, replica } = parts;
    super(local);
    this.#parts = parts;
    this.replica = replica;
    this.#writer = writer;
    this.#fence = fence;
    this.keys = new SteppedApiKeys({
      read: () => local.keys.apiKeys(),
      write: async (step) => (await this.#write('keys', step)) === true,
    });
    this.keyUsage = {
      addUsage: async (counts, firstDay) => void (await this.#write('key-usage', { counts, firstDay })),
      usageOf: (owner) => local.keyUsage.usageOf(owner),
      allUsage: () => local.keyUsage.allUsage(),
    };
  }

  /** The same store for a holder of a lease: its writes are refused with `WriteRefusedError` once another process has the lease. Must not be closed. */
  under(fence: Fence): ClusterHubStore {
    return new ClusterHubStore(this.#parts, this.#writer, fence);
  }

  /** Documents of this process that the log is cut under; undefined when they are closed. See {@link LogCuts}. */
  keepAtCuts(documents: Promise<CutDocuments> | undefined): void {
    this.#parts.cuts?.keep(documents);
  }

  /**
   * A reader may come from a server that is ahead of this one. The store waits for a change newer than all that it has before it says that there is none.
   * Throws `ReplicaBehindError` if that cannot be known now.
   */
  override async changeById(id: string): Promise<Change | undefined> {
    const found = await super.changeById(id);
    const newest = (await this.lastChange())?.id ?? '';
    if (found !== undefined || id <= newest) return found;
    if (this.replica.state.trouble !== undefined) throw replicaBehindError(id);
    const late = AbortSignal.timeout(CATCH_UP_MS);
    const isLate = new Promise<boolean>((resolve) => {
      late.addEventListener('abort', () => resolve(true), { once: true });
    });
    const isBehind = this.replica.current().then(
      () => false,
      () => true,
    );
    if (await Promise.race([isBehind, isLate])) throw replicaBehindError(id);
    return await super.changeById(id);
  }

  /** A step of the store `name`, which every process applies. Resolves to what it came to here. */
  writeStep(name: string, step: unknown): Promise<unknown> {
    return this.#write(storeKind(name), { step, by: this.#writer.id } satisfies WrittenStep);
  }

  /** Called with the sources of each write that names some, whichever process made it, when it is applied here. */
  onSources(listener: (ids: readonly string[]) => void): void {
    this.#parts.applied.onSources(listener);
  }

  /** An edit that names the `rev` up to which it knows the sources is refused if one of them was written after it. */
  async putSources(sources: readonly WatchedSource[], edit: SourceEdit = {}): Promise<void> {
    const plan = sources.map((source) => {
      const isNew = edit.expectedRev !== undefined && this.findSource(source.config.id) === undefined;
      return { ...plannedSource(source, source.health), ...edit, ...(isNew && { expectedRev: 0 }) };
    });
    await this.#send([{ kind: 'sources', value: sources, plan }]);
  }

  async removeSource(id: string): Promise<void> {
    await this.#send([{ kind: 'remove-source', value: id, forget: [id] }]);
  }

  async commit(visit: VisitCommit): Promise<readonly Change[]> {
    const changes: Change[] = [];
    for (const parts of visitSteps(visit)) {
      const { placed } = await this.#send(
        parts.map((part, at) => ({
          kind: 'visit',
          ...visitBody(part, at < parts.length - 1),
          ...this.#appended(part.drafts, at),
        })),
      );
      for (const write of placed) changes.push(...write.changes);
    }
    return changes;
  }

  /** Under a lease, the visit is over with it. */
  async recordChecks(checks: readonly SourceCheck[]): Promise<void> {
    const releases = this.#fence === undefined ? {} : ({ releases: true } as const);
    const plan = new Map<string, PlannedSource>();
    for (const { check, health } of checks) {
      const source = this.local.findSource(check.source);
      if (source !== undefined) plan.set(check.source, { ...plannedSource(source, health), ...releases });
    }
    await this.#send([{ kind: 'checks', value: checks, plan: [...plan.values()] }]);
  }

  get readerState(): ReaderState {
    this.#readerState ??= new ClusterReaderState(this.local.tables.readerState, async (value) => {
      const { placed } = await this.#send([{ kind: 'reader', value }]);
      return placed[0]?.rev ?? 0;
    });
    return this.#readerState;
  }

  storage<T>(kind: StorageKind<T>): T {
    if (kind.is(this.readerState)) return this.readerState;
    return this.local.storage(kind);
  }

  followStateOf(source: string): SourceFeedState {
    return new HubFollowState(source, this.local.tables.follow, (parts) => this.#commitFeed(parts));
  }

  /** What is written in steps is written by all processes. */
  openTables<T>(open: (opened: LogDatabase) => T): T {
    return this.local.openTables((opened) => open({ ...opened, steps: (name, apply) => this.#steps(name, apply) }));
  }

  async cutLog(seq: number): Promise<void> {
    if (seq <= (this.logStart()?.seq ?? 0)) return;
    if ((await this.changesAt([seq])).length === 0) throw new Error(`The log has no change ${seq} to be cut behind.`);
    await this.#write('cut-log', seq);
  }

  async dropSnapshots(beforeMs: number): Promise<number> {
    return (await this.#write('drop-snapshots', beforeMs)) as number;
  }

  async dropChecks(beforeMs: number): Promise<void> {
    await this.#write('drop-checks', beforeMs);
  }

  /** The journal first: if this is cut off in between, the texts are still here, and it is done again. */
  async redactChange(erased: ErasedTexts): Promise<void> {
    const [change] = await this.changesAt([erased.seq]);
    if (change !== undefined) await this.#parts.journal.rewrite(withoutSaltedTexts(change, erased.fields));
    await this.#write(REDACTION, erased);
  }

  async putFact(name: string, text: string): Promise<void> {
    await this.#write('fact', { name, text });
  }

  /** Writes that were begun are made first. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.onClose?.();
    await this.#writer.settled();
    await this.replica[Symbol.asyncDispose]();
    await this.#parts.journal[Symbol.asyncDispose]();
    await this.local[Symbol.asyncDispose]();
  }

  #steps<Step>(name: string, apply: (step: Step) => void): StepStore<Step> {
    const { applied } = this.#parts;
    applied.addStore(name, (step) => apply(step as Step));
    return {
      write: async (step) => void (await this.writeStep(name, step)),
      onWritten: (listener) => applied.onStep(name, ({ step, by }) => listener(step as Step, by === this.#writer.id)),
    };
  }

  async #commitFeed(parts: readonly FeedPart[]): Promise<void> {
    await this.#send(
      parts.map(({ drafts, write }, at) => {
        const hasMore = at < parts.length - 1 && { hasMore: true };
        ensureNamed(write.pending.map(({ event }) => event.id));
        return { kind: 'feed', value: { ...write, ...hasMore }, ...this.#appended(drafts, at) };
      }),
    );
  }

  #appended(drafts: readonly ChangeDraft[], at: number): Pick<OutgoingWrite, 'drafts' | 'isMore'> {
    const kept = this.#parts.excerpts === false ? drafts.map(withoutExcerpts) : drafts;
    return { ...(kept.length > 0 && { drafts: kept }), ...(at > 0 && { isMore: true }) };
  }

  async #write(kind: string, value: unknown): Promise<unknown> {
    return (await this.#send([{ kind, value }])).result;
  }

  #send(writes: readonly OutgoingWrite[]) {
    return this.#writer.send(writes, this.#fence);
  }
}

/** What cannot be stored must not get a place. */
function ensureNamed(ids: readonly unknown[]): void {
  if (ids.some((id) => typeof id !== 'string')) throw new Error('An event that waits has no id.');
}
