import type { ApiKeyRecord, KeyStanding } from './api-key-store.ts';
import type { StandingEvent } from './payments.ts';

/** A key that is unpaid at the moment becomes valid again when it is paid for. */
export function isRevokedForGood({ revokedMs, revokedFor }: ApiKeyRecord): boolean {
  return revokedMs !== undefined && revokedFor !== 'unpaid';
}

/**
 * The state of a key that is not revoked for good, after an event of its subscription; undefined if the event changes nothing.
 *
 * An end is an end, whenever it is heard of. Of other events the one that was sent last counts, in whatever order they come.
 */
export function standingAfter(record: ApiKeyRecord, event: StandingEvent, atMs: number): KeyStanding | undefined {
  const { revokedMs = atMs, heardMs = Number.NEGATIVE_INFINITY } = record;
  const { kind, sentMs } = event;
  if (kind === 'ended') return { revokedMs, revokedFor: kind, heardMs: Math.max(sentMs, heardMs) };
  if (sentMs < heardMs || (sentMs === heardMs && !isContrary(record, event))) return undefined;
  return { ...(kind === 'unpaid' && { revokedMs, revokedFor: kind }), heardMs: sentMs };
}

/** Whether an event says otherwise than one that was sent at the same moment. */
export function isInDoubt(record: ApiKeyRecord, event: StandingEvent): boolean {
  return event.kind !== 'ended' && event.sentMs === record.heardMs && isContrary(record, event);
}

function isContrary({ revokedMs }: ApiKeyRecord, { kind }: StandingEvent): boolean {
  return (revokedMs === undefined) === (kind === 'unpaid');
}
