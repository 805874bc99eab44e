import type { Change } from './change.ts';

/** What leads a browser from the page of a change to its section: `#tiers`. Empty where no element of the page has the anchor as its id. */
export function anchorFragment({ anchor, anchorIs }: Pick<Change, 'anchor' | 'anchorIs'>): string {
  return anchor === undefined || anchorIs === 'key' ? '' : `#${encodeURIComponent(anchor.toWellFormed())}`;
}
