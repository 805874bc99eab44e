import { slugOf } from '../../extract/slug.ts';
import type { LineSpan } from './hunks.ts';

interface HeadingLine {
  readonly line: number;
  readonly text: string;
}

/**
 * The lines of the section with this name in a page's Markdown; undefined if they cannot be located.
 *
 * `anchors`: the names of all its sections in order, if known. Otherwise the heading is recognised by its words, from which sections get their names on pages
 * that give them none.
 */
export function sectionLines(
  lines: readonly string[],
  anchor: string,
  anchors?: readonly string[],
): LineSpan | undefined {
  const headings = headingLines(lines);
  const index = anchors?.length === headings.length ? anchors.indexOf(anchor) : placeByWords(headings, anchor);
  const heading = headings[index];
  return heading === undefined ? undefined : { start: heading.line, end: headings[index + 1]?.line ?? lines.length };
}

/** The position of each section in a page's Markdown, and its heading in plain words. Text before the first heading belongs to none. */
export function sectionSpans(lines: readonly string[]): readonly (LineSpan & { readonly heading: string })[] {
  const headings = headingLines(lines);
  return headings.map(({ line, text }, index) => ({
    start: line,
    end: headings[index + 1]?.line ?? lines.length,
    heading: plainWords(text)
      .replace(/[[\]*`]/g, '')
      .trim(),
  }));
}

const FENCE = /^`{3,}/;
const HEADING = /^#{1,6} (.*)$/;

/** Headings outside of code. The writer of the Markdown escapes anything else that looks like one. */
function headingLines(lines: readonly string[]): HeadingLine[] {
  const headings: HeadingLine[] = [];
  let fence: string | undefined;
  for (const [line, text] of lines.entries()) {
    const sign = FENCE.exec(text)?.[0];
    if (fence !== undefined) {
      if (sign !== undefined && sign.length >= fence.length && text.trimEnd() === sign) fence = undefined;
      continue;
    }
    fence = sign;
    const heading = HEADING.exec(text)?.[1];
    if (heading !== undefined) headings.push({ line, text: heading });
  }
  return headings;
}

/** -1 unless exactly one fits. */
function placeByWords(headings: readonly HeadingLine[], anchor: string): number {
  const slugs = headings.map(({ text }) => slugOf(plainWords(text)));
  return onlyPlace(slugs, (slug) => slug === anchor) ?? onlyPlace(slugs, (slug) => anchor.endsWith(`-${slug}`)) ?? -1;
}

function onlyPlace(slugs: readonly string[], fits: (slug: string) => boolean): number | undefined {
  const first = slugs.findIndex(fits);
  return first !== -1 && first === slugs.findLastIndex(fits) ? first : undefined;
}

/** Without where links lead. */
function plainWords(heading: string): string {
  return heading.replace(/\]\([^()\s]*\)/g, ' ').replace(/\\(?=[!-/:-@[-`{-~])/g, '');
}
