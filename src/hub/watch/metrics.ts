import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import type { Action } from '../../model/change.ts';
import type { SourceKind } from '../config/source-config.ts';
import type { CheckWord } from '../store/hub-store.ts';

/** How a hub stands at the moment it is asked. */
export interface HubFigures {
  /** How many sources have each status. */
  readonly sources: Readonly<Record<SourceStatusWord, number>>;
  /** The newest `seq` of the log, and the newest that every feed has. */
  readonly logSeq: number;
  readonly feedSeq: number;
  /** How much later than due the source that waits longest is read. */
  readonly dueLagSeconds: number;
  readonly storeWritable: boolean;
  readonly runningChecks: number;
}

/** The streams of events. The last three are counted since the hub was started. */
export interface StreamFigures {
  readonly open: number;
  /** What waits in memory for readers. */
  readonly waitingBytes: number;
  /** Changes, each as often as it was told. */
  readonly told: number;
  /** Streams that were ended because their reader was too slow. */
  readonly dropped: number;
  /** Streams beyond what is allowed. */
  readonly refused: number;
}

/** The webhooks. Attempts are counted since the hub was started. */
export interface WebhookFigures {
  /** How many subscriptions have each status. */
  readonly subscriptions: Readonly<Record<'pending' | 'active' | 'failing' | 'disabled' | 'gone', number>>;
  readonly attempts: Readonly<Record<'delivered' | 'failed' | 'gone', number>>;
  /** How many events the subscriber that is farthest behind has not come to. */
  readonly mostLag: number;
}

/** The requests of one line of the route table. */
export interface RouteMetrics {
  /** Counts an answer and the time that it took. Cheap enough for every request. */
  answered(method: string, status: number, seconds: number): void;
}

/**
 * What a hub counts. No name here has a value per source or per client, so that the number of series stays small.
 *
 * Nothing throws.
 */
export interface HubMetrics {
  /** Asked for once per route, by its pattern. */
  route(path: string): RouteMetrics;
  checked(kind: SourceKind, outcome: CheckWord, seconds: number): void;
  changed(action: Action, count: number): void;
  /** `read` is called once whenever the figures are wanted; the last one given counts. */
  watch(read: () => HubFigures): void;
  /** The same for streams. */
  watchStreams(read: () => StreamFigures): void;
  /** The same for webhooks. */
  watchWebhooks(read: () => WebhookFigures): void;
  /** The same for alerts that are open, by kind. */
  watchAlerts(read: () => Readonly<Record<string, number>>): void;
}
