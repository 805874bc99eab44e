import { hash } from 'node:crypto';
import type { LogPlace } from '../push-log.ts';

/** Letters that neither end a part of what is signed nor divide a header (SW-H4). */
const PLAIN = /^[\w-]{1,64}$/;

/** The `webhook-id` of events for a subscriber: the same whenever it is made, so that attempts and replays have one. */
export function deliveryId(subscription: string, events: readonly Pick<LogPlace, 'id'>[]): string {
  const ids = events.map(({ id }) => id);
  const [first = ''] = ids;
  if (ids.length === 1) return `msg_${subscription}_${plain(first)}`;
  return `msg_${subscription}_${plain(first)}_${ids.length}_${digest(ids.join(' '))}`;
}

/** That of something that happened to the subscription itself. */
export function noticeId(subscription: string, what: string, which: string): string {
  return `msg_${subscription}_${what}_${plain(which)}`;
}

function plain(text: string): string {
  return PLAIN.test(text) ? text : digest(text);
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
