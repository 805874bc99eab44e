import type { ChangeDraft } from '../model/change.ts';

/** The change without what a page said and says, for logs and feeds that must not tell it. */
export function withoutExcerpts<T extends ChangeDraft>({
  excerpt: _,
  before: __,
  ...change
}: T): Omit<T, 'excerpt' | 'before'> {
  return change;
}
