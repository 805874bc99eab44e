import type { HubSignatureMethod } from '../../../codecs/websub/signature.ts';
import type { StepStore } from '../../store/step-store.ts';

/** A confirmed subscriber, and the state of its deliveries. Times are epoch milliseconds. */
export interface ActiveSubscription {
  /** As the subscriber wrote them. */
  readonly topic: string;
  readonly callback: string;
  readonly secret?: string;
  readonly method: HubSignatureMethod;
  readonly confirmedMs: number;
  /** When the lease ends. */
  readonly expiresMs: number;
  /** The log was delivered, or given up, up to here. */
  readonly deliveredSeq: number;
  /** The ETag of the last delivered document. */
  readonly etag?: string;
  readonly deliveredMs?: number;
  /** Failures in a row, of the current delivery. */
  readonly tries: number;
  readonly lastTry?: { readonly atMs: number; readonly outcome: string };
  readonly nextTryMs?: number;
}

/** What the callback is to be asked or told. */
export interface PendingIntent {
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied';
  readonly topic: string;
  readonly callback: string;
  readonly secret?: string;
  readonly method?: HubSignatureMethod;
  /** The granted lease. */
  readonly leaseSeconds?: number;
  readonly verifyToken?: string;
  /** Why it is denied. */
  readonly reason?: string;
  readonly askedMs: number;
  /** The place of the log at that time. */
  readonly seq: number;
  readonly tries: number;
}

/** One pair of topic and callback: at most one active state, and at most one to be confirmed. */
export interface WebSubRecord {
  readonly id: string;
  /** The topic, relative to the hub. */
  readonly path: string;
  readonly active?: ActiveSubscription;
  readonly pending?: PendingIntent;
  readonly lastChallenge?: { readonly atMs: number; readonly mode: string; readonly outcome: string };
}

export interface WebSubState {
  readonly records: readonly WebSubRecord[];
  /** The newest change of each topic with subscribers. */
  readonly topics: ReadonlyMap<string, number>;
  /** Up to here it is known which topics have changed; undefined at first. */
  readonly seq: number | undefined;
}

export interface WebSubWrite {
  readonly put?: readonly WebSubRecord[];
  readonly remove?: readonly string[];
  /** Paths, each with the newest change of its topic. */
  readonly topics?: readonly (readonly [string, number])[];
  readonly seq?: number;
}

/** Where a hub stores the subscribers of its feeds: beside its log. */
export interface WebSubStore extends StepStore<WebSubWrite> {
  load(): WebSubState;
}
