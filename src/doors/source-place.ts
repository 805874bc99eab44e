import type { SourceConfig } from '../hub/config/source-config.ts';
import type { RetrustView, SourceView } from '../hub/routes/source-view.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import type { GivenRules } from '../model/given-rules.ts';

export type { SourceView } from '../hub/routes/source-view.ts';
export type { VisitOutcome } from '../hub/store/visit-outcome.ts';

/** Where sources are kept: a running hub, or the data folder of one that is not running. */
export interface SourcePlace extends AsyncDisposable {
  /** In order of id. */
  list(): Promise<readonly SourceView[]>;
  /** Adds all of them, or none if one is refused. */
  add(sources: readonly SourceConfig[]): Promise<void>;
  /** From now on the source is read by exactly these rules. */
  rule(id: string, rules: GivenRules): Promise<SourceView>;
  pause(id: string, reason: string | undefined): Promise<SourceView>;
  resume(id: string, options: { readonly allowDeletes: boolean }): Promise<SourceView>;
  /** Trusts an agent-feed again that was terminated or moved. */
  retrust(id: string, options: { readonly moved: boolean }): Promise<RetrustView>;
  remove(id: string): Promise<void>;
  /** Reads the source once, without storing anything. */
  test(source: SourceConfig): Promise<VisitOutcome>;
  /** Whether changes made here take effect at once. */
  readonly isRunning: boolean;
}
