/**
 * Pages that a publish writes for people say so in their head, so that they are no pages of the site that they stand on: they would tell of their own
 * changes for ever.
 */
export const OWN_PAGE_MARK = 'Tidings changes page';

const OWN_PAGE = new RegExp(`<meta\\b[^<>]{0,40}\\bcontent=["']?${OWN_PAGE_MARK}\\b`, 'i');
/** The mark stands in the first of them, also where another program wrote the tags anew. */
const HEAD_BYTES = 1024;

/** Whether a publish wrote this file. */
export function isOwnPage(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES));
  return OWN_PAGE.test(head.toString('latin1'));
}
