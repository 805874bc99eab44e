import type { SourceStatusWord } from '../../codecs/diffdelta/wire.ts';
import type { Action } from '../../model/change.ts';
import type { SourceKind } from '../config/source-config.ts';
import type { CheckWord } from '../store/hub-store.ts';

/** The state of a hub at the moment of the question. */
export interface HubFigures {
  /** How many sources have each status. */
  readonly sources: Readonly<Record<SourceStatusWord, number>>;
  /** The newest `seq` of the log, and the newest that every feed has. */
  readonly logSeq: number;
  readonly feedSeq: number;
  /** How overdue the longest waiting source is. */
  readonly dueLagSeconds: number;
  readonly storeWritable: boolean;
  readonly runningChecks: number;
}

/** The event streams. The last three are counted since the start of the hub. */
export interface StreamFigures {
  readonly open: number;
  /** Bytes in memory that wait for readers. */
  readonly waitingBytes: number;
  /** Changes sent, counted once per stream. */
  readonly told: number;
  /** Streams that were ended because their reader was too slow. */
  readonly dropped: number;
  /** Streams refused because the limit was reached. */
  readonly refused: number;
}

/** The webhooks. Attempts are counted since the start of the hub. */
export interface WebhookFigures {
  /** How many subscriptions have each status. */
  readonly subscriptions: Readonly<Record<'pending' | 'active' | 'failing' | 'disabled' | 'gone', number>>;
  readonly attempts: Readonly<Record<'delivered' | 'failed' | 'gone', number>>;
  /** The number of events that the slowest subscriber has not received yet. */
  readonly mostLag: number;
}

/** The requests of one line of the route table. */
export interface RouteMetrics {
  /** Counts an answer and its duration. Cheap enough for every request. */
  answered(method: string, status: number, seconds: number): void;
}

/**
 * The metrics of a hub. No label has a value per source or per client, so that the number of series stays small.
 *
 * No method throws.
 */
export interface HubMetrics {
  /** Called once per route, with its pattern. */
  route(path: string): RouteMetrics;
  checked(kind: SourceKind, outcome: CheckWord, seconds: number): void;
  changed(action: Action, count: number): void;
  /** `read` is called once whenever the figures are wanted; the last function given is used. */
  watch(read: () => HubFigures): void;
  /** The same for streams. */
  watchStreams(read: () => StreamFigures): void;
  /** The same for webhooks. */
  watchWebhooks(read: () => WebhookFigures): void;
  /** The same for open alerts, by kind. */
  watchAlerts(read: () => Readonly<Record<string, number>>): void;
}
