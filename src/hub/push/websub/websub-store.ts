import type { HubSignatureMethod } from '../../../codecs/websub/signature.ts';
import type { StepStore } from '../../store/step-store.ts';

/** A subscriber that has confirmed, and how deliveries to it stand. Moments are epoch milliseconds. */
export interface ActiveSubscription {
  /** As the subscriber wrote them. */
  readonly topic: string;
  readonly callback: string;
  readonly secret?: string;
  readonly method: HubSignatureMethod;
  readonly confirmedMs: number;
  /** When the lease ends. */
  readonly expiresMs: number;
  /** Up to here the log was delivered, or given up. */
  readonly deliveredSeq: number;
  /** Of what was delivered last. */
  readonly etag?: string;
  readonly deliveredMs?: number;
  /** Failed in a row, of what is to be delivered now. */
  readonly tries: number;
  readonly lastTry?: { readonly atMs: number; readonly outcome: string };
  readonly nextTryMs?: number;
}

/** What the callback is to be asked, or told. */
export interface PendingIntent {
  readonly mode: 'subscribe' | 'unsubscribe' | 'denied';
  readonly topic: string;
  readonly callback: string;
  readonly secret?: string;
  readonly method?: HubSignatureMethod;
  /** What is granted. */
  readonly leaseSeconds?: number;
  readonly verifyToken?: string;
  /** Why it is denied. */
  readonly reason?: string;
  readonly askedMs: number;
  /** Where the log stood. */
  readonly seq: number;
  readonly tries: number;
}

/** What is known of one pair of topic and callback: at most one state that counts, and at most one that is to be confirmed. */
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
  /** The newest change of each topic that somebody subscribed to. */
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

/** Where a hub keeps who subscribed to its feeds: beside its log. */
export interface WebSubStore extends StepStore<WebSubWrite> {
  load(): WebSubState;
}
