import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import type { StorageKind } from '../../dialects/reader.ts';
import type { ApiKeyStore } from '../../hub/keys/api-key-store.ts';
import type { KeyUsageStore } from '../../hub/keys/key-usage.ts';
import type {
  ChangeQuery,
  CheckRecord,
  PageState,
  SourceCheck,
  SourcePages,
  VisitCommit,
  WatchedSource,
} from '../../hub/store/hub-store.ts';
import type { SourceFeedState } from '../../hub/store/source-feed-state.ts';
import type { LogStart } from '../../log/log-start.ts';
import type { Change } from '../../model/change.ts';
import { ensureApiKeyTables, sqliteApiKeyStore } from './api-keys.ts';
import { explainSqliteError } from './database.ts';
import { eraseTexts, erasing } from './erase-texts.ts';
import { HubFollowState } from './hub-follow-state.ts';
import { ensureHubSchema } from './hub-schema.ts';
import { HubTables } from './hub-tables.ts';
import { readInTurns, writeSources } from './hub-upkeep.ts';
import { ensureKeyUsageTable } from './key-usage.ts';
import { type LogDatabase, openLogDatabase, type SqliteLog, type SqliteLogOptions } from './log.ts';
import { ensureStays } from './move-mark.ts';
import { ensureReplicaOrNot } from './replica-stamp.ts';
import type { ErasedTexts, WholeHubStore } from './whole-hub-store.ts';

export interface SqliteHubOptions extends SqliteLogOptions {
  /** It follows a journal: what it holds is written by that alone. */
  readonly isReplica?: boolean;
  /** It brings a move into a database to its end: see `move-mark.ts`. */
  readonly isMoving?: boolean;
}

/** The store of a hub in a data folder: the tables of the hub beside those of its log. */
export async function openSqliteHubStore(options: SqliteHubOptions): Promise<SqliteHubStore> {
  // The journal holds what a replica loses.
  const opened = await openLogDatabase({ ...options, isExpendable: options.isReplica ?? false });
  try {
    ensureHubSchema(opened.database, opened.file, { readonly: options.readonly ?? false });
    ensureApiKeyTables(opened.database, { readonly: options.readonly ?? false });
    ensureKeyUsageTable(opened.database, { readonly: options.readonly ?? false });
    if (!options.readonly) {
      if (!options.isMoving) ensureStays(opened.database, opened.file);
      ensureReplicaOrNot(opened.database, opened.file, options.isReplica ?? false);
    }
    return new SqliteHubStore(opened, options.now ?? Date.now, options.readonly);
  } catch (error) {
    await opened.log.close();
    throw explainSqliteError(opened.file, error);
  }
}

/** Writes run one after another on the calling thread, through the log: it owns the one transaction there can be. */
export class SqliteHubStore implements WholeHubStore {
  readonly keys: ApiKeyStore;
  readonly keyUsage: KeyUsageStore;
  /** For a replica, which writes what has its place already. */
  readonly tables: HubTables;
  readonly #log: SqliteLog;

  /** Use {@link openSqliteHubStore}. */
  constructor(opened: LogDatabase, now: () => number, readonly = false) {
    this.tables = new HubTables(opened, { now, readonly });
    this.keys = sqliteApiKeyStore(this.tables.keys, opened);
    this.keyUsage = this.tables.keyUsage;
    this.#log = opened.log;
  }

  get lost(): string | undefined {
    return this.#log.lost;
  }

  async sources(): Promise<readonly WatchedSource[]> {
    return this.#log.ask(() => this.tables.sources.all());
  }

  findSource(id: string): WatchedSource | undefined {
    return this.#log.ask(() => this.tables.sources.find(id));
  }

  async putSources(sources: readonly WatchedSource[]): Promise<void> {
    writeSources(this.#log, () => this.tables.putSources(sources));
  }

  async removeSource(id: string): Promise<void> {
    writeSources(this.#log, () => [this.tables.forgetSource(id)]);
  }

  async pagesOf(source: string): Promise<SourcePages> {
    return readInTurns(this.#log, this.tables.pages.of(source));
  }

  async pageOf(source: string, url: string): Promise<PageState | undefined> {
    return this.#log.ask(() => this.tables.pages.find(source, url));
  }

  async pagesBehind(source: string, url: string, limit: number): Promise<readonly PageState[]> {
    return this.#log.ask(() => this.tables.pages.behind(source, url, limit));
  }

  commit(visit: VisitCommit): Promise<readonly Change[]> {
    return this.tables.commits.commit(visit);
  }

  async recordChecks(checks: readonly SourceCheck[]): Promise<void> {
    writeSources(this.#log, () => [this.tables.sources.record(checks)]);
  }

  get readerState(): ReaderState {
    return this.tables.readerState;
  }

  storage<T>(kind: StorageKind<T>): T {
    if (kind.is(this.readerState)) return this.readerState;
    throw new Error(`A hub keeps no store of the kind ${kind.name}.`);
  }

  followStateOf(source: string): SourceFeedState {
    const { follow, commits } = this.tables;
    return new HubFollowState(source, follow, (parts) =>
      commits.append(parts.map(({ drafts, write }) => ({ drafts, alsoWrite: () => follow.write(write) }))),
    );
  }

  openTables<T>(open: (opened: LogDatabase) => T): T {
    return open(this.tables.opened);
  }

  onChanges(listener: (changes: readonly Change[]) => void): void {
    this.tables.commits.onChanges(listener);
  }

  onRedactions(listener: (change: Change) => void): void {
    this.tables.changes.onRedactions(listener);
  }

  redactions(): number {
    return this.tables.changes.redactions;
  }

  changes(query: ChangeQuery): AsyncIterable<Change> {
    return this.tables.changes.read(query);
  }

  async lastChange(): Promise<Change | undefined> {
    return this.tables.changes.recent(1)[0];
  }

  async changeById(id: string): Promise<Change | undefined> {
    return this.tables.changes.byId(id);
  }

  async changesAt(seqs: readonly number[]): Promise<readonly Change[]> {
    return this.tables.changes.at(seqs);
  }

  async lastChangeUpTo(id: string): Promise<Change | undefined> {
    return this.tables.changes.lastUpTo(id);
  }

  logStart(): LogStart | undefined {
    return this.tables.changes.start;
  }

  cutLog(seq: number): Promise<void> {
    return this.tables.upkeep.cutLog(seq);
  }

  async seqBefore(timeMs: number): Promise<number> {
    return this.tables.changes.seqBefore(timeMs);
  }

  async seqBeyond(bytes: number): Promise<number> {
    return this.tables.changes.seqBeyond(bytes);
  }

  async lastChangeIdOf(source: string): Promise<string | undefined> {
    return this.tables.changes.lastIdOf(source);
  }

  async hasTold(source: string, url: string): Promise<boolean> {
    return (
      this.tables.changes.hasTold(source, url) ||
      (await this.followStateOf(source).liveItemsOn(source, url, 1)).length > 0
    );
  }

  async lastChangeIds(): Promise<ReadonlyMap<string, string>> {
    return this.tables.changes.lastIds();
  }

  async recentChanges(limit: number, source?: string): Promise<readonly Change[]> {
    return source === undefined ? this.tables.changes.recent(limit) : this.tables.changes.recentOf(source, limit);
  }

  async checksOf(source: string, limit: number): Promise<readonly CheckRecord[]> {
    return this.#log.ask(() => this.tables.sources.checksOf(source, limit));
  }

  /** Also one that was stored through the log alone. */
  async snapshot(checksum: string): Promise<string | undefined> {
    const read = this.#log.ask(() => this.tables.snapshots.find(checksum));
    return read === undefined ? this.#log.snapshots.get(checksum) : read();
  }

  dropSnapshots(beforeMs: number): Promise<number> {
    return this.tables.upkeep.dropSnapshots(beforeMs);
  }

  snapshotsBeyond(bytes: number): Promise<number> {
    return this.tables.upkeep.snapshotsBeyond(bytes);
  }

  async redactChange(erased: ErasedTexts): Promise<void> {
    const { opened } = this.tables;
    erasing(opened, () => opened.log.appendWith([], () => eraseTexts(this.tables, erased)));
    this.tables.changes.tellRedacted(erased.seq);
  }

  dropChecks(beforeMs: number): Promise<void> {
    return this.tables.upkeep.dropChecks(beforeMs);
  }

  checksBeyond(bytes: number): Promise<number> {
    return this.tables.upkeep.checksBeyond(bytes);
  }

  async fact(name: string): Promise<string | undefined> {
    return this.#log.ask(() => this.tables.facts.find(name));
  }

  async putFact(name: string, value: string): Promise<void> {
    this.#log.appendWith([], () => this.tables.facts.put(name, value));
  }

  /** Commits that were begun are stored first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.tables.commits.settled();
    await this.#log.close();
  }
}
