import { createHash } from 'node:crypto';
import type { PlacedWrite } from './journal.ts';

/** Tells a write from any other that could stand in its place, in another history. */
export function markOf({ rev, kind, body, changes, atMs }: PlacedWrite): string {
  const hash = createHash('sha256').update(`${rev} ${kind} ${atMs} ${changes[0]?.id ?? ''} ${changes.length}\n`);
  return hash.update(body).digest('hex');
}
