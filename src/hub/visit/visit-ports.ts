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

/** How a hub samples whether its feeds tell the truth. */
export interface HonestySampling {
  /** The number of pages per source and day. */
  readonly pages: number;
  /** A text that nobody can guess. */
  readonly newSeed: () => string;
  readonly log: Pick<HubStore, 'changes' | 'lastChange'>;
}

/** The ports of a visit. */
export interface VisitPorts {
  readonly store: Pick<HubStore, 'pagesOf' | 'commit' | 'followStateOf' | 'storage' | 'changes' | 'seqBefore'>;
  /** The dialects in which feeds may be read. */
  readonly dialects: readonly Dialect[];
  /** For protocol documents. */
  readonly http: HttpClient;
  /** For pages and sitemaps. */
  readonly client: PoliteClient;
  readonly pages: LivePages;
  /** The terms of use of pages. Absent: they are not read. */
  readonly terms?: SiteTerms | undefined;
  readonly openFolder: (path: string) => BuiltSite;
  readonly gunzip: (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;
  readonly now: () => number;
  /** Resolves after this time, or as soon as the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly alarm: Alarm;
  /** Aborted when the hub stops. */
  readonly signal: AbortSignal;
  /** The addresses of this hub itself: its base URL and the address that it listens on. Nothing below them may be a source. */
  readonly ownAddresses?: () => readonly string[];
  /** The id of this hub, among hubs that follow each other. */
  readonly hubId?: string;
  /** Looks closer together than this see the same moment; 2 s by default. */
  readonly confirmMs?: number | undefined;
  /** An operator asked for this check; it is not a scheduled one. */
  readonly isAsked?: boolean;
  /** The longest pause among the hosts that the source asks; undefined if there is none. */
  readonly pauseOf?: () => Promise<HostPause | undefined>;
  /** The content of a file with a secret, trimmed. */
  readonly readSecret?: (file: string) => Promise<string>;
  /** How to sample whether feeds tell the truth. Absent: no samples. */
  readonly honesty?: HonestySampling | undefined;
  /** Stores the evidence that the log of a source is wrong, and returns where. Absent: sources are not audited. */
  readonly keepEvidence?: ((source: string, files: readonly EvidenceFile[]) => Promise<string>) | undefined;
  /** Receives how many pages were read, of how many that are known so far. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** What extensions add to a change of a page. */
  readonly hints: HintOptions;
  /** Weights of the risk rules, in place of the usual ones. */
  readonly riskRules?: RiskWeights | undefined;
}
