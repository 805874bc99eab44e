import type { TopicDelivered } from './deliver-topic.ts';
import type { PendingIntent } from './websub-store.ts';

/** What is counted of WebSub. Nothing throws. */
export interface WebSubMetrics {
  /** A callback was asked, or told, by what; and whether it confirmed. */
  asked(mode: PendingIntent['mode'], isConfirmed: boolean): void;
  /** `dropped`: behind the last try. */
  delivered(outcome: TopicDelivered['is'] | 'dropped'): void;
  /** How many subscriptions are active; asked whenever the figures are wanted. */
  watch(active: () => number): void;
}
