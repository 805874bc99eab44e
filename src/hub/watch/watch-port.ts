import type { SourceConfig } from '../config/source-config.ts';
import type { CheckRecord, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

export interface ResumeOptions {
  /** The next check may treat many pages as deleted. */
  readonly allowDeletes: boolean;
  /** Pauses that hosts asked for stay in force. */
  readonly keepsHostPauses?: boolean;
}

/**
 * A running hub as its API sees it: what is watched, and how to change that.
 *
 * Methods that write throw a {@link TidingsError}: SourceExistsError, SourceUnknownError, SourceFixedError (the source is in the config), or that of the store
 * if the disk refuses.
 */
export interface Watch {
  /** In order of id. From memory. */
  sources(): readonly WatchedSource[];
  source(id: string): WatchedSource | undefined;
  /** Adds all of them, or none if one exists. */
  add(configs: readonly SourceConfig[], whose?: Pick<WatchedSource, 'owner'>): Promise<readonly WatchedSource[]>;
  /** Changes the settings of a source of the API that keeps its place. If they affect what is read, it is checked at once. */
  change(config: SourceConfig): Promise<WatchedSource>;
  pause(id: string, reason: string, by?: WatchedSource['pausedBy']): Promise<WatchedSource>;
  /** Ends its pauses, including those that its hosts asked for, and checks it at once. */
  resume(id: string, options: ResumeOptions): Promise<WatchedSource>;
  /**
   * There may be news: checks the source now, but not sooner than `floorMs` after its last check, nor during a pause of its host. If a check is running,
   * another one follows. Ignored if the source is paused or gone.
   */
  hasten(id: string, floorMs: number): void;
  remove(id: string): Promise<void>;
  /** Ends the pauses that its hosts asked for, and reads it once without recording anything. */
  test(config: SourceConfig, signal: AbortSignal): Promise<VisitOutcome>;
  /** Newest first, including those that are not stored yet. Writes nothing. */
  checksOf(id: string, limit: number): Promise<readonly CheckRecord[]>;
  /** Why the store cannot be written now; undefined if it can. */
  readonly unwritable: string | undefined;
}
