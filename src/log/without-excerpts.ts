import type { ChangeDraft } from '../model/change.ts';

/** The change without old and new page text, for logs and feeds that must not contain it. */
export function withoutExcerpts<T extends ChangeDraft>({
  excerpt: _,
  before: __,
  ...change
}: T): Omit<T, 'excerpt' | 'before'> {
  return change;
}
