import { formatTime } from '../../codecs/primitives/time.ts';
import { ALERT_KINDS, type Alert, type AlertEvent } from './alert.ts';

/** An alert as the API and webhooks show it. */
export interface AlertView
  extends Pick<Alert, 'id' | 'kind' | 'severity' | 'subject' | 'summary' | 'remedy' | 'source' | 'url'> {
  readonly since: string;
  readonly raised_at: string;
}

/** That it began, or is over. */
export interface AlertEventView {
  readonly seq: number;
  readonly id: string;
  readonly type: AlertEvent['type'];
  readonly at: string;
  readonly alert: AlertView;
}

export function viewAlert({ id, kind, severity, subject, summary, remedy, source, url, ...moments }: Alert): AlertView {
  return {
    id,
    kind,
    severity,
    subject,
    summary,
    remedy,
    ...(source !== undefined && { source }),
    ...(url !== undefined && { url }),
    since: formatTime(moments.sinceMs),
    raised_at: formatTime(moments.raisedMs),
  };
}

export function viewAlertEvent({ seq, id, type, atMs, alert }: AlertEvent): AlertEventView {
  return { seq, id, type, at: formatTime(atMs), alert: viewAlert(alert) };
}

const text = { type: 'string' } as const;
const moment = { type: 'string', format: 'date-time' } as const;

export const ALERT_SCHEMA = {
  type: 'object',
  required: ['id', 'kind', 'severity', 'subject', 'summary', 'remedy', 'since', 'raised_at'],
  properties: {
    id: { ...text, description: 'The id of the alert, also used when it ends.' },
    kind: { enum: ALERT_KINDS },
    severity: { enum: ['warning', 'critical'] },
    subject: { ...text, description: 'The affected source, subscription or dialect, or hub.' },
    summary: text,
    remedy: { ...text, description: 'What to do.' },
    source: text,
    url: text,
    since: moment,
    raised_at: moment,
  },
} as const;

export const ALERT_EVENT_SCHEMA = {
  type: 'object',
  required: ['seq', 'id', 'type', 'at', 'alert'],
  properties: {
    seq: { type: 'integer', minimum: 1 },
    id: text,
    type: { enum: ['alert.raised', 'alert.cleared'] },
    at: moment,
    alert: ALERT_SCHEMA,
  },
} as const;
