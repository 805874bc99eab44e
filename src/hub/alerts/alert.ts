/** What can be wrong with a hub, its sources or its subscribers. Names are permanent. */
export const ALERT_KINDS = [
  'source.broken',
  'source.quiet',
  'source.deletions',
  'source.untrusted',
  'source.terms',
  'source.owner',
  'clock.doubt',
  'data.lost',
  'store.unwritable',
  'documents.lag',
  'subscriber.behind',
  'subscriber.disabled',
  'disk.filling',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** `critical`: the hub itself cannot do its work. */
export type AlertSeverity = 'warning' | 'critical';

/** Something that an operator should know. Texts have one line, without control characters. */
export interface Alert {
  /** A ULID, the same when it is over. */
  readonly id: string;
  readonly kind: AlertKind;
  readonly severity: AlertSeverity;
  /** What is affected: the id of a source or a subscription, a dialect, or `hub`. */
  readonly subject: string;
  /** Distinguishes it from others of the same kind and subject, if there can be several: the id of a change. */
  readonly occurrence?: string;
  /** Since when it is so. Moments are epoch milliseconds. */
  readonly sinceMs: number;
  /** When it was reported. */
  readonly raisedMs: number;
  /** What happened, for people. */
  readonly summary: string;
  /** What to do. */
  readonly remedy: string;
  /** The source, or the page, that it is about. */
  readonly source?: string;
  readonly url?: string;
}

/** That an alert began, or is over. */
export interface AlertEvent {
  /** 1 and up, without a hole. */
  readonly seq: number;
  /** A ULID. */
  readonly id: string;
  readonly type: 'alert.raised' | 'alert.cleared';
  readonly atMs: number;
  readonly alert: Alert;
}

/** Identifies an alert: there is at most one open alert per name. */
export function alertName({ kind, subject, occurrence }: Pick<Alert, 'kind' | 'subject' | 'occurrence'>): string {
  return JSON.stringify([kind, subject, occurrence ?? '']);
}
