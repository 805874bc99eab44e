import type { SourceConfig } from '../config/source-config.ts';
import type { CheckRecord, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

export interface ResumeOptions {
  /** The next check may take much for gone. */
  readonly allowDeletes: boolean;
  /** What hosts asked for holds all the same. */
  readonly keepsHostPauses?: boolean;
}

/**
 * A running hub as its API sees it: what is watched, and the means to change that.
 *
 * What writes throws a {@link TidingsError}: SourceExistsError, SourceUnknownError, SourceFixedError (it stands in the config),
 * or that of the store when the disk does not take it.
 */
export interface Watch {
  /** In order of id. From memory. */
  sources(): readonly WatchedSource[];
  source(id: string): WatchedSource | undefined;
  /** All of them, or none when one exists. */
  add(configs: readonly SourceConfig[], whose?: Pick<WatchedSource, 'owner'>): Promise<readonly WatchedSource[]>;
  /** A source of the API reads the same place by other settings from now on. Where they bear on what is read it is checked at once. */
  change(config: SourceConfig): Promise<WatchedSource>;
  pause(id: string, reason: string, by?: WatchedSource['pausedBy']): Promise<WatchedSource>;
  /** Ends its pauses, those that its hosts asked for included, and checks it at once. */
  resume(id: string, options: ResumeOptions): Promise<WatchedSource>;
  /**
   * There may be news: it is looked at now, but not sooner than `floorMs` behind its last check, nor while its host wants peace. Said while it is
   * being looked at, it is looked at once more. Of a source that is paused or gone, nothing.
   */
  hasten(id: string, floorMs: number): void;
  remove(id: string): Promise<void>;
  /** Ends the pauses that its hosts asked for, and reads it once without recording anything. */
  test(config: SourceConfig, signal: AbortSignal): Promise<VisitOutcome>;
  /** Newest first, also those that are not written yet. Nothing is written. */
  checksOf(id: string, limit: number): Promise<readonly CheckRecord[]>;
  /** Why the store cannot be written now; undefined when it can. */
  readonly unwritable: string | undefined;
}
