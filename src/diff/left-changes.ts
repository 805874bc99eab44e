import type { PageOutline } from '../model/page.ts';
import { diffPages } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

/** A page at two looks, without what is none of its own. */
export interface TwoLooks {
  readonly before: PageOutline;
  readonly after: PageOutline;
}

interface FoundChanges<T> {
  /** As found with all that the page says. */
  readonly changes: readonly T[];
  /** Of its sections, where those tell of the page as a whole. */
  readonly finer: readonly T[];
}

/**
 * The changes of a page that are left when these versions of it, without what is none of its own, are all that counts. Each is one of
 * those found before, so that what was made for it is known.
 */
export function leftChanges<T extends PageChange>(rest: TwoLooks, { changes, finer }: FoundChanges<T>): readonly T[] {
  const found = [...changes, ...finer];
  const left = diffPages(rest.before, rest.after).flatMap(({ action, anchor }) => {
    const same = found.find((change) => change.action === action && change.anchor === anchor);
    return same === undefined ? changes.slice(0, 1) : [same];
  });
  return [...new Set(left)];
}
