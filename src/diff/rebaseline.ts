import type { PageOutline } from '../model/page.ts';
import { diffPages, updateOfPage } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

interface Rereading {
  /** The page as an earlier extractor saw it. */
  readonly before: PageOutline;
  /** The page as the present extractor sees it. */
  readonly after: PageOutline;
  /** Whether the HTML itself differs from what `before` was made of. */
  readonly bytesChanged: boolean;
  /** The old HTML read with the present extractor, where it is kept. */
  readonly reread?: PageOutline;
}

/**
 * What an upgrade of the extractor means for one page: it never hides an edit and never invents one.
 *
 * The same bytes are no change, whatever the fingerprints say. Other bytes are compared by reading the old ones
 * again; where those are gone, the page is one `update` with the note `re-read`.
 */
export function rebaseline({ after, bytesChanged, reread }: Rereading): PageChange[] {
  if (!bytesChanged) return [];
  if (reread !== undefined && reread.extractor === after.extractor) return diffPages(reread, after);
  return [updateOfPage(after, ['re-read'])];
}
