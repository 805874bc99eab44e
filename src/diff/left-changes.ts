import type { PageOutline } from '../model/page.ts';
import { diffPages } from './diff-pages.ts';
import type { PageChange } from './page-change.ts';

/** A page at two looks, without the parts that are not its own. */
export interface TwoLooks {
  readonly before: PageOutline;
  readonly after: PageOutline;
}

interface FoundChanges<T> {
  /** As found on the complete page. */
  readonly changes: readonly T[];
  /** The changes of its sections, if `changes` reports the page as a whole. */
  readonly finer: readonly T[];
}

/**
 * The changes that remain when only these reduced versions of a page count. Each is one of the changes found before, so that data computed for it
 * stays valid.
 */
export function leftChanges<T extends PageChange>(rest: TwoLooks, { changes, finer }: FoundChanges<T>): readonly T[] {
  const found = [...changes, ...finer];
  const left = diffPages(rest.before, rest.after).flatMap(({ action, anchor }) => {
    const same = found.find((change) => change.action === action && change.anchor === anchor);
    return same === undefined ? changes.slice(0, 1) : [same];
  });
  return [...new Set(left)];
}
