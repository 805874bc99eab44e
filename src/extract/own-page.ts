/**
 * Pages that a publish writes for people carry this mark in their head, so that they do not count as pages of the site: otherwise they would report their own
 * changes forever.
 */
export const OWN_PAGE_MARK = 'Tidings changes page';

const OWN_PAGE = new RegExp(`<meta\\b[^<>]{0,40}\\bcontent=["']?${OWN_PAGE_MARK}\\b`, 'i');
/** The mark is within these bytes, even if another program rewrote the tags. */
const HEAD_BYTES = 1024;

/** Whether a publish wrote this file. */
export function isOwnPage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  return OWN_PAGE.test(head.toString('latin1'));
}
