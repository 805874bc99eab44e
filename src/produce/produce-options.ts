import type { AddressForm } from '../crawl/site-address.ts';
import type { ProjectionSettings } from '../dialects/projection-settings.ts';
import type { RiskWeights } from '../extract/risk/risk-rules.ts';
import type { ChangeDraft } from '../model/change.ts';
import type { GivenRules } from '../model/given-rules.ts';

export interface ProduceOptions extends ProjectionSettings, GivenRules, AddressForm {
  readonly site: string;
  /** The names of the dialects to write. All of them unless said otherwise. What must not be lost comes along in any case. */
  readonly formats?: readonly string[];
  readonly allowDeletes?: boolean;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  /** Other weights than the usual ones for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights;
  /** So much stands in a file of the state before it goes on in another one; 1 MiB unless said otherwise. */
  readonly stateBytes?: number;
  /** Stops the run; what is written by then is completed by the next one. */
  readonly signal?: AbortSignal;
  /** Hears what is told, before it is appended; on a dry run, too. Not called where all is as the last publish saw it. */
  readonly onChanges?: (changes: readonly ChangeDraft[]) => void;
  readonly onProgress?: (done: number, total: number) => void;
}
