import { createHash } from 'node:crypto';
import type { PlacedWrite } from './journal.ts';

/** Distinguishes a write from any other at the same place in another history. */
export function markOf({ rev, kind, body, changes, atMs }: PlacedWrite): string {
  const hash = createHash('sha256').update(`${rev} ${kind} ${atMs} ${changes[0]?.id ?? ''} ${changes.length}\n`);
  return hash.update(body).digest('hex');
}
