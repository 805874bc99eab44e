import { hash } from 'node:crypto';
import type { TimeSpan } from '../../codecs/resourcesync/time-span.ts';
import type { ChangeKind } from '../../codecs/resourcesync/wire.ts';

/**
 * Names a change among all of a source. A day and its first second are two moments; one moment in two spellings is one.
 */
export function changeKey(collection: string, loc: string, change: ChangeKind, { startMs, endMs }: TimeSpan): string {
  return hash('sha256', JSON.stringify([collection, loc, change, startMs, endMs - startMs]), 'base64url').slice(0, 32);
}

/** One spelling for the URLs that identify collections, so that they can be compared. */
export function collectionKey(describes: string): string {
  return new URL(describes).href;
}
