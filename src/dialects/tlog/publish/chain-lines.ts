import { hash } from 'node:crypto';
import { encodeLogLines } from '../../../log/log-file.ts';
import type { Change } from '../../../model/change.ts';

/**
 * A digest over lines of log.ndjson that continues from the digest of the lines before. Entries cover what a change is; this
 * detects any other changed byte of the file.
 */
export function chainLines(before: string, changes: readonly Change[]): string {
  return changes.reduce(
    (chain, change) => hash('sha256', `${chain}\n${encodeLogLines([change])}`, 'base64url'),
    before,
  );
}

/** The digest of no lines. */
export const NO_LINES = '';
