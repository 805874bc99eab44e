import { hash } from 'node:crypto';
import type { TimeSpan } from '../../../codecs/resourcesync/time-span.ts';
import type { ChangeKind } from '../../../codecs/resourcesync/wire.ts';

/** 32 characters. */
const KEY_BYTES = 24;

/**
 * Identifies a change among all of a source, by the start of its time. Authors and tools write the same moment as a day, to the
 * minute or to the millisecond, and another spelling is not another change.
 */
export function changeKey(collection: string, loc: string, change: ChangeKind, { startMs }: TimeSpan): string {
  const digest = hash('sha256', JSON.stringify([collection, new URL(loc).href, change, startMs]), 'buffer');
  return digest.toString('base64url', 0, KEY_BYTES);
}

/** A normal form of the URLs that identify collections, so that they can be compared. */
export function collectionKey(describes: string): string {
  return new URL(describes).href;
}
