import { slugOf } from '../../extract/slug.ts';
import type { LineSpan } from './hunks.ts';

interface HeadingLine {
  readonly line: number;
  readonly text: string;
}

/**
 * The lines of the section of this name in a page's Markdown; undefined where that cannot be told.
 *
 * `anchors`: the names of all its sections in order, where they are known. Else the heading is known by its words, which give
 * sections their names on pages that give them none.
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

/** Where each section of a page's Markdown stands, and its heading in plain words. What stands before the first one is none. */
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

/** Those outside of code. The writer of the Markdown escapes whatever else looks like one. */
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
