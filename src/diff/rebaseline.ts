import type { PageOutline } from '../model/page.ts';
import { carryOver } from './carry-over.ts';
import { diffPages, updateOfPage } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

interface Rereading {
  /** The page as an earlier extractor saw it, or one with other rules. */
  readonly before: PageOutline;
  /** The page as the present extractor sees it. */
  readonly after: PageOutline;
  /** Whether the HTML itself differs from what `before` was made of. */
  readonly bytesChanged: boolean;
  /** The old HTML read with the present extractor, where it is kept. */
  readonly reread?: PageOutline;
  /** The present HTML read by the rules of `before`, where they are all that changed. */
  readonly asBefore?: PageOutline | undefined;
}

/**
 * What an upgrade of the extractor, or a change of its rules, means for one page: it never invents an edit, and hides none but
 * in what the rules are about.
 *
 * The same bytes are no change, whatever the fingerprints say. Other bytes are compared by reading the old ones again, or the new
 * ones as the old ones were read; where neither can be, the page is one `update` with the note `re-read`.
 */
export function rebaseline({ before, after, bytesChanged, reread, asBefore }: Rereading): PageChange[] {
  if (!bytesChanged) return [];
  if (reread !== undefined && reread.extractor === after.extractor) return diffPages(reread, after);
  if (asBefore?.extractor === before.extractor) return diffPages(carryOver({ before, asBefore, after }), after);
  return [updateOfPage(after, ['re-read'])];
}
