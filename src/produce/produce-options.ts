import type { AddressForm } from '../crawl/site-address.ts';
import type { ProjectionSettings } from '../dialects/projection-settings.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { GivenRules } from '../model/given-rules.ts';

export interface ProduceOptions extends ProjectionSettings, GivenRules, AddressForm {
  readonly site: string;
  /** The names of the dialects to write. Default: all. Parts that must not be lost are always written. */
  readonly formats?: readonly string[];
  readonly allowDeletes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  /** Custom weights for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights;
  /** The maximum size of a file of the state. Default: 1 MiB. */
  readonly stateBytes?: number;
  /** Stops the run; the next run completes what is written by then. */
  readonly signal?: AbortSignal;
  /** Called with the changes before they are appended, also on a dry run. Not called if nothing differs from what the last publish saw. */
  readonly onChanges?: (changes: readonly ChangeDraft[]) => void;
  readonly onProgress?: (done: number, total: number) => void;
}
