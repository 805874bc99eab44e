import { followRefusedError } from '../errors/refusals.ts';
import type { Since } from './reader.ts';

/** Refuses an id as the place to begin, for feeds without an order that would define what comes after it. */
export function ensureTime({ id }: Since, url: string): void {
  if (id === undefined) return;
  throw followRefusedError(
    `${JSON.stringify(id.slice(0, 100))} is no place to begin at with ${url}: --since takes an RFC 3339 time ` +
      '(2026-02-05T12:00:00Z) or a date (2026-02-05) there.',
  );
}
