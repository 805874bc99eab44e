import type { Page, Section } from '../model/page.ts';
import { baseOf } from './anchor-names.ts';

/**
 * The section that an event's anchor refers to.
 *
 * If several headings have the anchor's id, the publisher may remember names that are not visible in a single version of the page. Then the checksum decides.
 */
export function findSection(page: Page, anchor: string, checksum?: string): Section | undefined {
  const exact = page.sections.find((section) => section.anchor === anchor);
  if (checksum === undefined || exact?.checksum === checksum) return exact;
  const base = baseOf(anchor);
  const group = page.sections.filter((section) => baseOf(section.anchor) === base);
  return group.find((section) => section.checksum === checksum) ?? exact;
}
