import { splitMarks } from '../extract/line-marks.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page, PageOutline } from '../model/page.ts';

/** Why the page that was read may not be the real page: a few other words replace it, all of its text differs, or its end is missing. */
export type Doubt = 'replaced' | 'other' | 'cut';

export interface DoubtedReading {
  readonly page: Page;
  readonly html: string;
  /** The length of what it was read from. */
  readonly bytes: number;
}

/** A longer text is an independent text. */
const MAX_FEW_WORDS = 1_000;
/** A page with fewer lines is easily rewritten. */
const MIN_TEXT_LINES = 8;
/** The share of lines that may stay by chance or because they belong to the theme. */
const KEPT_SHARE = 0.1;
const END_TAG = /<\/(?:html|body)\s*>/i;
/** The longest text that a page has after its end tag. */
const MAX_TAIL = 2_000;

/**
 * Whether something may have happened in transit instead of on the page: what an origin sends instead of a text is short and shares no line with it,
 * and a truncated page has no end.
 */
export function doubtOf(known: PageRecord, { page, html, bytes }: DoubtedReading): Doubt | undefined {
  const before = decodePageRecord(known);
  const change = replacementOf(before, page);
  if (change !== undefined) return change;
  const isShorter = known.bytes !== undefined && bytes < known.bytes;
  return isShorter && !hasEnd(html) && endsEarlier(before, page) ? 'cut' : undefined;
}

/** Whether a document has its end tag. Some never do; a document that once had it and now does not was truncated. */
export function hasEnd(html: string): boolean {
  return END_TAG.test(html.slice(-MAX_TAIL));
}

function replacementOf(before: PageOutline, after: Page): Doubt | undefined {
  const [former, now] = [linesOf(before), linesOf(after)];
  if (after.markdown.length <= MAX_FEW_WORDS && now.length * 2 <= former.length) {
    return keptOf(former, now) === 0 ? 'replaced' : undefined;
  }
  // Headings like "Setup" stay when a page is sent in another language or draft.
  const [textBefore, text] = [linesOf(before, WITHOUT_HEADING), linesOf(after, WITHOUT_HEADING)];
  const isLong = Math.min(textBefore.length, text.length) >= MIN_TEXT_LINES;
  return isLong && keptOf(textBefore, text) <= text.length * KEPT_SHARE ? 'other' : undefined;
}

function keptOf(former: readonly string[], now: readonly string[]): number {
  const known = new Set(former);
  return now.filter((line) => known.has(line)).length;
}

/** Whether the last part differs, or is only the beginning of what it was. */
function endsEarlier(before: PageOutline, after: PageOutline): boolean {
  const [former, now] = [before.sections.at(-1), after.sections.at(-1)];
  if (former === undefined || now === undefined || former.anchor !== now.anchor) return true;
  if (former.checksum === now.checksum) return false;
  if (former.text !== undefined && now.text !== undefined) return former.text.startsWith(now.text);
  const [then, lines] = [splitMarks(former.lines ?? ''), splitMarks(now.lines ?? '')];
  return lines.length <= then.length && lines.slice(0, -1).every((line, at) => line === then[at]);
}

const WITHOUT_HEADING = 1;

function linesOf({ preambleLines = '', sections }: PageOutline, from = 0): readonly string[] {
  return [...splitMarks(preambleLines), ...sections.flatMap(({ lines = '' }) => splitMarks(lines).slice(from))];
}
