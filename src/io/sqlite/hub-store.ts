import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import type { StorageKind } from '../../dialects/reader.ts';
import type { ApiKeyStore } from '../../hub/keys/api-key-store.ts';
import type { KeyUsageStore } from '../../hub/keys/key-usage.ts';
import type {
  ChangeQuery,
  CheckRecord,
  HubStore,
  PageState,
  SourceCheck,
  SourcePages,
  VisitCommit,
  WatchedSource,
} from '../../hub/store/hub-store.ts';
import type { SourceFeedState } from '../../hub/store/source-feed-state.ts';
import type { LogStart } from '../../log/log-start.ts';
import { othersFirst } from '../../log/others-first.ts';
import type { Change } from '../../model/change.ts';
import { ensureApiKeyTables, SqliteApiKeys } from './api-keys.ts';
import { explainSqliteError } from './database.ts';
import { HubChanges } from './hub-changes.ts';
import { HubCommits } from './hub-commits.ts';
import { HubFacts } from './hub-facts.ts';
import { HubFollowState, HubFollowTables } from './hub-follow-state.ts';
import { HubPages } from './hub-pages.ts';
import { ensureHubSchema } from './hub-schema.ts';
import { HubSnapshots, type SweepPlace } from './hub-snapshots.ts';
import { HOUR_MS, HubSources, type Settle } from './hub-sources.ts';
import { ensureKeyUsageTable, SqliteKeyUsage } from './key-usage.ts';
import { type LogDatabase, openLogDatabase, type SqliteLog, type SqliteLogOptions } from './log.ts';
import { createSqliteReaderState } from './reader-state.ts';

/** The store of a hub in a data folder: the tables of the hub beside those of its log. */
export async function openSqliteHubStore(options: SqliteLogOptions): Promise<SqliteHubStore> {
  const opened = await openLogDatabase(options);
  try {
    ensureHubSchema(opened.database, opened.file, { readonly: options.readonly ?? false });
    ensureApiKeyTables(opened.database, { readonly: options.readonly ?? false });
    ensureKeyUsageTable(opened.database, { readonly: options.readonly ?? false });
    return new SqliteHubStore(opened, options.now ?? Date.now, options.readonly);
  } catch (error) {
    await opened.log.close();
    throw explainSqliteError(opened.file, error);
  }
}

/** The checks of so many sources are looked through in one transaction. */
const SOURCES_AT_ONCE = 20;

/** Writes run one after another on the calling thread, through the log: it owns the one transaction there can be. */
export class SqliteHubStore implements HubStore {
  /** The API keys, in the same database. */
  readonly keys: ApiKeyStore;
  /** What was asked with them. */
  readonly keyUsage: KeyUsageStore;
  readonly #opened: LogDatabase;
  readonly #log: SqliteLog;
  readonly #changes: HubChanges;
  readonly #sources: HubSources;
  readonly #pages: HubPages;
  readonly #snapshots: HubSnapshots;
  readonly #follow: HubFollowTables;
  readonly #facts: HubFacts;
  readonly #commits: HubCommits;
  #readerState: ReaderState | undefined;

  /** Use {@link openSqliteHubStore}. */
  constructor(opened: LogDatabase, now: () => number, readonly = false) {
    const { log, database, file } = opened;
    this.keys = new SqliteApiKeys(opened);
    this.keyUsage = new SqliteKeyUsage(opened);
    this.#opened = opened;
    this.#log = log;
    this.#changes = new HubChanges(opened);
    this.#sources = new HubSources({ database, file, readonly });
    this.#pages = new HubPages(database);
    this.#snapshots = new HubSnapshots(database, file);
    this.#follow = new HubFollowTables(opened);
    this.#facts = new HubFacts(database, file);
    const [changes, pages, snapshots] = [this.#changes, this.#pages, this.#snapshots];
    this.#commits = new HubCommits({ log, changes, pages, snapshots, now });
  }

  /** Why nothing is written any more: the data folder was deleted or replaced. */
  get lost(): string | undefined {
    return this.#log.lost;
  }

  async sources(): Promise<readonly WatchedSource[]> {
    return this.#log.ask(() => this.#sources.all());
  }

  async putSources(sources: readonly WatchedSource[]): Promise<void> {
    this.#writeSources(() =>
      sources.flatMap((source) => {
        const isNew = !this.#sources.has(source.config.id);
        // A visit that was under way when the source was removed may have left something behind.
        return [...(isNew ? [this.#forget(source.config.id)] : []), this.#sources.put(source)];
      }),
    );
  }

  async removeSource(id: string): Promise<void> {
    this.#writeSources(() => [this.#forget(id)]);
  }

  async pagesOf(source: string): Promise<SourcePages> {
    return this.#inTurns(this.#pages.of(source));
  }

  async pageOf(source: string, url: string): Promise<PageState | undefined> {
    return this.#log.ask(() => this.#pages.find(source, url));
  }

  async pagesBehind(source: string, url: string, limit: number): Promise<readonly PageState[]> {
    return this.#log.ask(() => this.#pages.behind(source, url, limit));
  }

  commit(visit: VisitCommit): Promise<readonly Change[]> {
    return this.#commits.commit(visit);
  }

  async recordChecks(checks: readonly SourceCheck[]): Promise<void> {
    this.#writeSources(() => [this.#sources.record(checks)]);
  }

  /** Its tables are made when the first source wants them. */
  get readerState(): ReaderState {
    this.#readerState ??= createSqliteReaderState(this.#opened.database, this.#opened.file, 'hub_reader');
    return this.#readerState;
  }

  storage<T>(kind: StorageKind<T>): T {
    if (kind.is(this.readerState)) return this.readerState;
    throw new Error(`A hub keeps no store of the kind ${kind.name}.`);
  }

  followStateOf(source: string): SourceFeedState {
    return new HubFollowState(source, this.#follow, (parts) => this.#commits.append(parts));
  }

  /** Tables of others in the same database: what is derived from the log must not be restored without it. */
  openTables<T>(open: (opened: LogDatabase) => T): T {
    return open(this.#opened);
  }

  onChanges(listener: (changes: readonly Change[]) => void): void {
    this.#commits.onChanges(listener);
  }

  changes(query: ChangeQuery): AsyncIterable<Change> {
    return this.#changes.read(query);
  }

  async lastChange(): Promise<Change | undefined> {
    return this.#changes.recent(1)[0];
  }

  async changeById(id: string): Promise<Change | undefined> {
    return this.#changes.byId(id);
  }

  async changesAt(seqs: readonly number[]): Promise<readonly Change[]> {
    return this.#changes.at(seqs);
  }

  async lastChangeUpTo(id: string): Promise<Change | undefined> {
    return this.#changes.lastUpTo(id);
  }

  logStart(): LogStart | undefined {
    return this.#changes.start;
  }

  async cutLog(seq: number): Promise<void> {
    this.#log.ask(() => this.#changes.cut(seq));
    while (this.#log.ask(() => this.#changes.dropSome())) await othersFirst();
  }

  async seqBefore(timeMs: number): Promise<number> {
    return this.#changes.seqBefore(timeMs);
  }

  async seqBeyond(bytes: number): Promise<number> {
    return this.#changes.seqBeyond(bytes);
  }

  async lastChangeIdOf(source: string): Promise<string | undefined> {
    return this.#changes.lastIdOf(source);
  }

  async hasTold(source: string, url: string): Promise<boolean> {
    return (
      this.#changes.hasTold(source, url) || (await this.followStateOf(source).liveItemsOn(source, url, 1)).length > 0
    );
  }

  /** The ids of the newest changes, by source, those of sources that are gone included. */
  async lastChangeIds(): Promise<ReadonlyMap<string, string>> {
    return this.#changes.lastIds();
  }

  async recentChanges(limit: number, source?: string): Promise<readonly Change[]> {
    return source === undefined ? this.#changes.recent(limit) : this.#changes.recentOf(source, limit);
  }

  async checksOf(source: string, limit: number): Promise<readonly CheckRecord[]> {
    return this.#log.ask(() => this.#sources.checksOf(source, limit));
  }

  /** Also one that was stored through the log alone. */
  async snapshot(checksum: string): Promise<string | undefined> {
    const read = this.#log.ask(() => this.#snapshots.find(checksum));
    return read === undefined ? this.#log.snapshots.get(checksum) : read();
  }

  async dropSnapshots(beforeMs: number): Promise<number> {
    let total = 0;
    await this.#inSteps((place) => this.#snapshots.spareBases(beforeMs, place));
    for (const isTold of [true, false]) {
      await this.#inSteps((place) => {
        const { dropped, next } = this.#snapshots.drop(beforeMs, { place, isTold });
        total += dropped;
        return next;
      });
    }
    return total;
  }

  async snapshotsBeyond(bytes: number): Promise<number> {
    return this.#inTurns(this.#snapshots.beyond(bytes));
  }

  /** Of some sources at a time, so that others have their turn. */
  async dropChecks(beforeMs: number): Promise<void> {
    const ids = this.#log.ask(() => this.#sources.all()).map(({ config }) => config.id);
    for (let at = 0; at < ids.length; at += SOURCES_AT_ONCE) {
      this.#writeSources(() => [this.#sources.dropChecks(ids.slice(at, at + SOURCES_AT_ONCE), beforeMs)]);
      await othersFirst();
    }
  }

  /** By the hour: to sort all checks of all sources would take long. */
  async checksBeyond(bytes: number): Promise<number> {
    const weights = new Map<number, number>();
    const ids = this.#log.ask(() => this.#sources.all()).map(({ config }) => config.id);
    for (const [at, id] of ids.entries()) {
      const weighed = this.#log.ask(() => this.#sources.weighChecks(id));
      for (const { hour, bytes: more } of weighed) weights.set(hour, (weights.get(hour) ?? 0) + more);
      if (at % SOURCES_AT_ONCE === 0) await othersFirst();
    }
    let left = bytes;
    for (const [hour, weight] of [...weights].sort(([one], [other]) => other - one)) {
      left -= weight;
      if (left < 0) return (hour + 1) * HOUR_MS;
    }
    return 0;
  }

  async fact(name: string): Promise<string | undefined> {
    return this.#log.ask(() => this.#facts.find(name));
  }

  async putFact(name: string, value: string): Promise<void> {
    this.#log.appendWith([], () => this.#facts.put(name, value));
  }

  /** Commits that were begun are stored first. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#commits.settled();
    await this.#log.close();
  }

  /** Reads bit by bit: others have their turn in between. */
  async #inTurns<T>(reading: Generator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = this.#log.ask(() => reading.next());
      if (done) return value;
      await othersFirst();
    }
  }

  /** Each step is a transaction, and others have their turn behind it. The last one leads nowhere. */
  async #inSteps(take: (place: SweepPlace | undefined) => SweepPlace | undefined): Promise<void> {
    let place: SweepPlace | undefined;
    do {
      this.#log.appendWith([], () => {
        place = take(place);
      });
      await othersFirst();
    } while (place !== undefined);
  }

  /** What is known of sources in memory follows only what was committed. */
  #writeSources(write: () => readonly Settle[]): void {
    let settling: readonly Settle[] = [];
    this.#log.appendWith([], () => {
      settling = write();
    });
    for (const settle of settling) settle();
  }

  #forget(id: string): Settle {
    this.#pages.forget(id);
    this.#follow.forget(id);
    return this.#sources.forget(id);
  }
}
