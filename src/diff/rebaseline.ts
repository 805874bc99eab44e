import type { PageOutline } from '../model/page.ts';
import { carryOver } from './carry-over.ts';
import { diffPages, updateOfPage } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

interface Rereading {
  /** The page as an earlier extractor, or one with other rules, read it. */
  readonly before: PageOutline;
  /** The page as the current extractor reads it. */
  readonly after: PageOutline;
  /** Whether the HTML itself differs from that of `before`. */
  readonly bytesChanged: boolean;
  /** The old HTML read with the current extractor, if it is stored. */
  readonly reread?: PageOutline;
  /** The current HTML read by the rules of `before`, if only they changed. */
  readonly asBefore?: PageOutline | undefined;
}

/**
 * The changes of one page after an upgrade of the extractor or a change of its rules: it never invents an edit, and hides none except in the parts
 * that the rules are about.
 *
 * Equal bytes are no change, whatever the fingerprints say. Different bytes are compared by reading the old ones again, or the new ones as the old
 * ones were read. If neither is possible, the page is one `update` with the note `re-read`.
 */
export function rebaseline({ before, after, bytesChanged, reread, asBefore }: Rereading): PageChange[] {
  if (!bytesChanged) return [];
  if (reread !== undefined && reread.extractor === after.extractor) return diffPages(reread, after);
  if (asBefore?.extractor === before.extractor) return diffPages(carryOver({ before, asBefore, after }), after);
  return [updateOfPage(after, ['re-read'])];
}
