import { FEED_CLAUSE } from '../../../codecs/atom/decoded-feed.ts';
import { type Ledger, openLedger } from '../../../codecs/primitives/ledger.ts';
import { RESOURCESYNC_CLAUSES } from '../../../codecs/resourcesync/clauses.ts';
import { ENTRY, FORM, KIND, LIMIT } from '../../../codecs/resourcesync/issue.ts';
import { listReasons } from './reasons.ts';

/** For a Resource List that makes false claims about what is served. */
export const AUDIT = 'RESOURCESYNC-AUDIT';
/** For things that no specification requires, but that make documents easier to read. */
export const ADVICE = 'RESOURCESYNC-ADVICE';

/** A ledger with the clauses of IFCC-0001, and with what else sitemaps, ResourceSync, XML or Atom require. */
export function openListLedger(): Ledger {
  const others = [FORM, KIND, ENTRY, LIMIT, AUDIT].map((id) => ({ id, level: 'MUST' }) as const);
  const last = [{ id: ADVICE, level: 'MAY' } as const, { id: FEED_CLAUSE, level: 'MUST' } as const];
  const ledger = openLedger([...RESOURCESYNC_CLAUSES, ...others, ...last]);
  for (const [id, reason] of listReasons()) ledger.skipped(reason, id);
  return ledger;
}
