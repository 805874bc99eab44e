import type { EvidenceFile } from '../../audit/audit-report.ts';
import type { LivePages } from '../../crawl/live-page.ts';
import type { SiteTerms } from '../../crawl/site-terms.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { RiskWeights } from '../../extract/risk/risk-rules.ts';
import type { HostPause } from '../../fetch/host-pauses.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import type { PoliteClient } from '../../fetch/polite-client.ts';
import type { BuiltSite } from '../../model/folder.ts';
import type { HintOptions } from '../../produce/collect-hints.ts';
import type { Alarm } from '../schedule/scheduler.ts';
import type { HubStore } from '../store/hub-store.ts';

/** How a hub looks whether its feeds tell the truth. */
export interface HonestySampling {
  /** Of each source, once a day. */
  readonly pages: number;
  /** A text that nobody can guess. */
  readonly newSeed: () => string;
  readonly log: Pick<HubStore, 'changes' | 'lastChange'>;
}

/** What a visit reads through and writes to. */
export interface VisitPorts {
  readonly store: Pick<HubStore, 'pagesOf' | 'commit' | 'followStateOf' | 'storage' | 'changes' | 'seqBefore'>;
  /** Those in which feeds may be read. */
  readonly dialects: readonly Dialect[];
  /** For protocol documents. */
  readonly http: HttpClient;
  /** For pages and sitemaps. */
  readonly client: PoliteClient;
  readonly pages: LivePages;
  /** What is said of the use of pages. Absent: nobody asks. */
  readonly terms?: SiteTerms | undefined;
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
  /** Looks that are closer to each other see the same moment; 2 s unless said otherwise. */
  readonly confirmMs?: number | undefined;
  /** An operator asked for this check; it is not one of the rhythm. */
  readonly isAsked?: boolean;
  /** The longest pause that keeps the source from a host that it asks; undefined where none does. */
  readonly pauseOf?: () => Promise<HostPause | undefined>;
  /** What a file with a secret holds, without the white space around it. */
  readonly readSecret?: (file: string) => Promise<string>;
  /** Looks now and then whether feeds tell the truth. Absent: nobody does. */
  readonly honesty?: HonestySampling | undefined;
  /** Keeps what proves that the log of a source is wrong, and says where. Absent: sources are not audited. */
  readonly keepEvidence?: ((source: string, files: readonly EvidenceFile[]) => Promise<string>) | undefined;
  /** Hears how many pages were read, of how many that are known of by then. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** What extensions add to a change of a page. */
  readonly hints: HintOptions;
  /** Other weights than the usual ones for the rules that score the risk of a page. */
  readonly riskRules?: RiskWeights | undefined;
}
