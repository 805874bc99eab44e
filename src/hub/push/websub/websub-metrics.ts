import type { TopicDelivered } from './deliver-topic.ts';
import type { PendingIntent } from './websub-store.ts';

/** The metrics of WebSub. No method throws. */
export interface WebSubMetrics {
  /** A callback was asked or told, by mode; and whether it confirmed. */
  asked(mode: PendingIntent['mode'], isConfirmed: boolean): void;
  /** `dropped`: after the last try. */
  delivered(outcome: TopicDelivered['is'] | 'dropped'): void;
  /** How many subscriptions are active; called whenever the figures are wanted. */
  watch(active: () => number): void;
}
