import { hash } from 'node:crypto';
import type { LogPlace } from '../push-log.ts';

/** Letters that neither end a part of the signed text nor divide a header (SW-H4). */
const PLAIN = /^[\w-]{1,64}$/;

/** The `webhook-id` of events for a subscriber: always the same, so that attempts and replays share it. */
export function deliveryId(subscription: string, events: readonly Pick<LogPlace, 'id'>[]): string {
  const ids = events.map(({ id }) => id);
  const [first = ''] = ids;
  if (ids.length === 1) return `msg_${subscription}_${plain(first)}`;
  return `msg_${subscription}_${plain(first)}_${ids.length}_${digest(ids.join(' '))}`;
}

/** The id of a notice about the subscription itself. */
export function noticeId(subscription: string, what: string, which: string): string {
  return `msg_${subscription}_${what}_${plain(which)}`;
}

function plain(text: string): string {
  return PLAIN.test(text) ? text : digest(text);
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
