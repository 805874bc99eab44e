import type { Change } from './change.ts';

/** The URL fragment that leads from the page of a change to its section: `#tiers`. Empty if no element of the page has the anchor as its id. */
export function anchorFragment({ anchor, anchorIs }: Pick<Change, 'anchor' | 'anchorIs'>): string {
  return anchor === undefined || anchorIs === 'key' ? '' : `#${encodeURIComponent(anchor.toWellFormed())}`;
}
