import type { HttpClient, HttpPoster } from '../../../fetch/http-client.ts';
import type { SourceConfig } from '../../config/source-config.ts';
import type { Alarm } from '../../schedule/scheduler.ts';
import type { Watch } from '../../watch/watch-port.ts';
import type { TopicStore } from './topic-subscription.ts';

/** What happens to subscriptions: facts for logs and metrics. */
export type SubscriberEvent =
  | { readonly is: 'subscribed' | 'renewed' | 'unsubscribed'; readonly source: string; readonly hub: string }
  | { readonly is: 'failed' | 'denied'; readonly source: string; readonly hub: string; readonly reason: string }
  | { readonly is: 'pushed' | 'missed' | 'silent' | 'trusted'; readonly source: string; readonly hub: string }
  /** A delivery that is not the hub's. */
  | { readonly is: 'forged'; readonly source: string; readonly hub: string; readonly reason: string }
  /** A fault of ours. */
  | { readonly is: 'bug'; readonly error: unknown };

export interface SubscriberPorts {
  readonly store: TopicStore;
  readonly watch: Pick<Watch, 'source' | 'hasten'>;
  /** The way out to a topic. */
  readonly httpFor: (source: SourceConfig) => HttpClient;
  /** The way out to a hub. */
  readonly poster: HttpPoster;
  readonly now: () => number;
  readonly alarm: Alarm;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
  /** At least 128 bits that nobody can guess. */
  readonly newToken: () => string;
  /** The URL under which a hub reaches us, by the last part of its path. */
  readonly callbackOf: (id: string) => string;
  /** Whether an address is one of this hub. */
  readonly isOwn: (url: URL) => boolean;
  readonly allowPrivate: boolean;
  /** Whether hubs are asked at all. Where they are not, what there is is ended. */
  readonly isOn: boolean;
  /** So many times longer a source may rest while its hub is trusted. */
  readonly restFactor: number;
  readonly onEvent: (event: SubscriberEvent) => void;
}

/** What is counted of it. Nothing throws. */
export interface SubscriberMetrics {
  /** A delivery of a WebSub hub, by what became of it. */
  pushReceived(outcome: 'taken' | 'forged' | 'gone' | 'unknown'): void;
  /** News that a check found and of which no hub had told, where one should have. */
  pushMissed(): void;
  /** `read` is called whenever the figures are wanted: how many subscriptions to WebSub hubs there are, by their state. */
  subscriptions(read: () => Readonly<Record<string, number>>): void;
}
