import type { SourceConfig } from '../hub/config/source-config.ts';
import type { RetrustView, SourceView } from '../hub/routes/source-view.ts';
import type { VisitOutcome } from '../hub/store/visit-outcome.ts';
import type { GivenRules } from '../model/given-rules.ts';

export type { SourceView } from '../hub/routes/source-view.ts';
export type { VisitOutcome } from '../hub/store/visit-outcome.ts';

/** Where sources are kept: a hub that runs, or the data folder of one that does not. */
export interface SourcePlace extends AsyncDisposable {
  /** In order of id. */
  list(): Promise<readonly SourceView[]>;
  /** All of them, or none where one is refused. */
  add(sources: readonly SourceConfig[]): Promise<void>;
  /** It is read by these rules from now on, and by no others. */
  rule(id: string, rules: GivenRules): Promise<SourceView>;
  pause(id: string, reason: string | undefined): Promise<SourceView>;
  resume(id: string, options: { readonly allowDeletes: boolean }): Promise<SourceView>;
  /** An agent-feed counts again that was terminated or moved. */
  retrust(id: string, options: { readonly moved: boolean }): Promise<RetrustView>;
  remove(id: string): Promise<void>;
  /** One read; nothing of it is kept. */
  test(source: SourceConfig): Promise<VisitOutcome>;
  /** Whether what is changed here counts at once. */
  readonly isRunning: boolean;
}
