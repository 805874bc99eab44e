import type { LivePages } from '../../crawl/live-page.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { RiskWeights } from '../../extract/risk/risk-rules.ts';
import type { HostPause } from '../../fetch/host-pauses.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';
import type { BuiltSite } from '../../model/folder.ts';
import type { HintOptions } from '../../produce/collect-hints.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { HubStore } from '../store/hub-store.ts';

/** What a visit reads through and writes to. */
export interface VisitPorts {
  readonly store: Pick<HubStore, 'pagesOf' | 'commit' | 'followStateOf' | 'storage'>;
  /** Those in which feeds may be read. */
  readonly dialects: readonly Dialect[];
  /** For protocol documents. */
  readonly http: HttpClient;
  /** For pages and sitemaps. */
  readonly client: PoliteClient;
  readonly pages: LivePages;
  readonly openFolder: (path: string) => BuiltSite;
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly now: () => number;
  /** Resolves after so long, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly alarm: Alarm;
  /** Aborted when the hub stops. */
  readonly signal: AbortSignal;
  /** Where this hub answers itself: its base URL, the address that it listens on. What stands there is no source of it. */
  readonly ownAddresses?: () => readonly string[];
  /** Which hub this is, among those that follow each other. */
  readonly hubId?: string;
  /** An operator asked for this check; it is not one of the rhythm. */
  readonly isAsked?: boolean;
  /** The longest pause that keeps the source from a host that it asks; undefined where none does. */
  readonly pauseOf?: () => Promise<HostPause | undefined>;
  /** What a file with a secret holds, without the white space around it. */
  readonly readSecret?: (file: string) => Promise<string>;
  /** What extensions add to a change of a page. */
  readonly hints: HintOptions;
  /** Other weights than the usual ones for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights | undefined;
}
