import { withoutFragment } from '../primitives/without-fragment.ts';
import type { AicfEvent } from './wire.ts';

/** All characters except those of an RFC 3986 `fragment`. `%` is encoded too: an anchor is plain text, never already encoded. */
const NOT_FRAGMENT = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?]+/g;

/**
 * What an event invalidates: the whole page, or one section of it as `page#anchor`.
 *
 * A fragment in `url` is dropped, so that it can neither double the anchor nor contradict it (T-AICF-1, T-AICF-3).
 *
 * @example
 * boundaryOf({ url: 'https://docs.example/pricing#tiers', anchor: 'tiers' }); // 'https://docs.example/pricing#tiers'
 * boundaryOf({ url: 'https://docs.example/guide#intro' }); // 'https://docs.example/guide'
 */
export function boundaryOf(event: Pick<AicfEvent, 'url' | 'anchor'>): string {
  const page = withoutFragment(event.url);
  const anchor = sectionName(event.anchor);
  return anchor === undefined ? page : `${page}#${anchor.replace(NOT_FRAGMENT, percentEncode)}`;
}

/** An anchor as a plain name: `#tiers` becomes `tiers`, and an empty anchor names no section. */
export function sectionName(anchor: string | undefined): string | undefined {
  const name = anchor?.startsWith('#') ? anchor.slice(1) : anchor;
  return name === '' ? undefined : name;
}

/** Half of a surrogate pair becomes U+FFFD, as in every other UTF-8 encoder. */
function percentEncode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
