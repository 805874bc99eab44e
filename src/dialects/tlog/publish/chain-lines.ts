import { hash } from 'node:crypto';
import { encodeLogLines } from '../../../log/log-file.ts';
import type { Change } from '../../../model/change.ts';

/**
 * A digest over lines of log.ndjson that goes on from the digest of those before. Entries say what a change is; this finds any other byte of the
 * file that is not as it was written.
 */
export function chainLines(before: string, changes: readonly Change[]): string {
  return changes.reduce(
    (chain, change) => hash('sha256', `${chain}\n${encodeLogLines([change])}`, 'base64url'),
    before,
  );
}

/** Of no lines at all. */
export const NO_LINES = '';
