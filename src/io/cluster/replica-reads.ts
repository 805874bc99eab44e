import type { ChangeQuery, CheckRecord, PageState, SourcePages, WatchedSource } from '../../hub/store/hub-store.ts';
import type { LogStart } from '../../log/log-start.ts';
import type { Change } from '../../model/change.ts';
import type { SqliteHubStore } from '../sqlite/hub-store.ts';

/** The reads of a store of several processes: from its own replica, whatever happens to the journal. */
export class ReplicaReads {
  protected readonly local: SqliteHubStore;

  constructor(local: SqliteHubStore) {
    this.local = local;
  }

  get lost(): string | undefined {
    return this.local.lost;
  }

  sources(): Promise<readonly WatchedSource[]> {
    return this.local.sources();
  }

  findSource(id: string): WatchedSource | undefined {
    return this.local.findSource(id);
  }

  pagesOf(source: string): Promise<SourcePages> {
    return this.local.pagesOf(source);
  }

  pageOf(source: string, url: string): Promise<PageState | undefined> {
    return this.local.pageOf(source, url);
  }

  pagesBehind(source: string, url: string, limit: number): Promise<readonly PageState[]> {
    return this.local.pagesBehind(source, url, limit);
  }

  onChanges(listener: (changes: readonly Change[]) => void): void {
    this.local.onChanges(listener);
  }

  onRedactions(listener: (change: Change) => void): void {
    this.local.onRedactions(listener);
  }

  redactions(): number {
    return this.local.redactions();
  }

  changes(query: ChangeQuery): AsyncIterable<Change> {
    return this.local.changes(query);
  }

  lastChange(): Promise<Change | undefined> {
    return this.local.lastChange();
  }

  changeById(id: string): Promise<Change | undefined> {
    return this.local.changeById(id);
  }

  changesAt(seqs: readonly number[]): Promise<readonly Change[]> {
    return this.local.changesAt(seqs);
  }

  lastChangeUpTo(id: string): Promise<Change | undefined> {
    return this.local.lastChangeUpTo(id);
  }

  logStart(): LogStart | undefined {
    return this.local.logStart();
  }

  seqBefore(timeMs: number): Promise<number> {
    return this.local.seqBefore(timeMs);
  }

  seqBeyond(bytes: number): Promise<number> {
    return this.local.seqBeyond(bytes);
  }

  lastChangeIdOf(source: string): Promise<string | undefined> {
    return this.local.lastChangeIdOf(source);
  }

  hasTold(source: string, url: string): Promise<boolean> {
    return this.local.hasTold(source, url);
  }

  lastChangeIds(): Promise<ReadonlyMap<string, string>> {
    return this.local.lastChangeIds();
  }

  recentChanges(limit: number, source?: string): Promise<readonly Change[]> {
    return this.local.recentChanges(limit, source);
  }

  checksOf(source: string, limit: number): Promise<readonly CheckRecord[]> {
    return this.local.checksOf(source, limit);
  }

  snapshot(checksum: string): Promise<string | undefined> {
    return this.local.snapshot(checksum);
  }

  snapshotsBeyond(bytes: number): Promise<number> {
    return this.local.snapshotsBeyond(bytes);
  }

  checksBeyond(bytes: number): Promise<number> {
    return this.local.checksBeyond(bytes);
  }

  fact(name: string): Promise<string | undefined> {
    return this.local.fact(name);
  }
}
