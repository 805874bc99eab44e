import type { LogPlace } from '../push/push-log.ts';
import type { StepStore } from '../store/step-store.ts';
import type { Alert, AlertEvent } from './alert.ts';

/** How many events are kept; the oldest go first. */
export const KEPT_ALERT_EVENTS = 10_000;

export interface AlertWrite {
  /** Appended, in order. What they raise is open, what they clear is not any more. */
  readonly events?: readonly AlertEvent[];
  /** Facts of readers and writers. */
  readonly state?: Readonly<Record<string, string>>;
}

/** The alerts of a hub, in one database with its log. */
export interface AlertStore extends StepStore<AlertWrite> {
  /** In the order in which they were raised. */
  open(): readonly Alert[];
  /** The newest event. */
  newest(): LogPlace | undefined;
  /** Behind which event the log begins; undefined while it was never cut. */
  begins(): LogPlace | undefined;
  find(id: string): LogPlace | undefined;
  /** The `seq` of the newest event that is older than that time; 0 if there is none. */
  seqBefore(timeMs: number): number;
  /** Oldest first. */
  read(afterSeq: number, limit: number): readonly AlertEvent[];
  /** Newest first. */
  recent(limit: number): readonly AlertEvent[];
  state(name: string): string | undefined;
}
