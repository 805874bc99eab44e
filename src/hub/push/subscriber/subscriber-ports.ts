import type { HttpClient, HttpPoster } from '../../../fetch/http-client.ts';
import type { SourceConfig } from '../../config/source-config.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import type { Watch } from '../../watch/watch-port.ts';
import type { TopicStore } from './topic-subscription.ts';

/** What happens to subscriptions, for logs and metrics. */
export type SubscriberEvent =
  | { readonly is: 'subscribed' | 'renewed' | 'unsubscribed'; readonly source: string; readonly hub: string }
  | { readonly is: 'failed' | 'denied'; readonly source: string; readonly hub: string; readonly reason: string }
  | { readonly is: 'pushed' | 'missed' | 'silent' | 'trusted'; readonly source: string; readonly hub: string }
  /** A delivery that is not the hub's. */
  | { readonly is: 'forged'; readonly source: string; readonly hub: string; readonly reason: string }
  /** A bug of ours. */
  | { readonly is: 'bug'; readonly error: unknown };

export interface SubscriberPorts {
  readonly store: TopicStore;
  readonly watch: Pick<Watch, 'source' | 'hasten'>;
  /** The HTTP client for a topic. */
  readonly httpFor: (source: SourceConfig) => HttpClient;
  /** The HTTP client for a hub. */
  readonly poster: HttpPoster;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** At least 128 unguessable bits. */
  readonly newToken: () => string;
  /** The URL under which a hub reaches us, by the last part of its path. */
  readonly callbackOf: (id: string) => string;
  /** Whether an address is one of this hub. */
  readonly isOwn: (url: URL) => boolean;
  readonly allowPrivate: boolean;
  /** Whether hubs are asked at all. If not, existing subscriptions are ended. */
  readonly isOn: boolean;
  /** The factor by which a source may rest longer while its hub is trusted. */
  readonly restFactor: number;
  readonly onEvent: (event: SubscriberEvent) => void;
}

/** Its metrics. No method throws. */
export interface SubscriberMetrics {
  /** Counts a delivery of a WebSub hub by its outcome. */
  pushReceived(outcome: 'taken' | 'forged' | 'gone' | 'unknown'): void;
  /** Counts news that a check found although a hub should have pushed it. */
  pushMissed(): void;
  /** `read` is called whenever the figures are wanted: the number of subscriptions to WebSub hubs by state. */
  subscriptions(read: () => Readonly<Record<string, number>>): void;
}
