import { nextUlid } from '../../src/codecs/primitives/ulid.ts';
import type { Alert, AlertEvent } from '../../src/hub/alerts/alert.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
let last = 0;

/** An event of an alert, each with its own number. */
export function newAlertEvent(rest: Partial<Alert> = {}, type: AlertEvent['type'] = 'alert.raised'): AlertEvent {
  last += 1;
  const id = nextUlid(NOON + last, undefined, (size) => new Uint8Array(size));
  const alert: Alert = {
    id,
    kind: 'source.broken',
    severity: 'warning',
    subject: 'docs',
    sinceMs: NOON,
    raisedMs: NOON,
    summary: 'docs cannot be read.',
    remedy: 'Look at it.',
    ...rest,
  };
  return { seq: last, id, type, atMs: NOON, alert };
}
