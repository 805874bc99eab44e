import type { SourceConfig } from '../config/source-config.ts';
import type { CheckRecord, WatchedSource } from '../store/hub-store.ts';
import type { VisitOutcome } from '../store/visit-outcome.ts';

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
  add(configs: readonly SourceConfig[]): Promise<readonly WatchedSource[]>;
  pause(id: string, reason: string): Promise<WatchedSource>;
  /** Checks it at once. `allowDeletes`: that check may take much for gone. */
  resume(id: string, options: { readonly allowDeletes: boolean }): Promise<WatchedSource>;
  remove(id: string): Promise<void>;
  /** Reads it once without recording anything. */
  test(config: SourceConfig, signal: AbortSignal): Promise<VisitOutcome>;
  checksOf(id: string, limit: number): Promise<readonly CheckRecord[]>;
  /** Why the store cannot be written now; undefined when it can. */
  readonly unwritable: string | undefined;
}
