import { splitMarks } from '../extract/line-marks.ts';
import { decodePageRecord, type PageRecord } from '../log/pages-file.ts';
import type { Page, PageOutline } from '../model/page.ts';

/** Why a page that was read may not be the page: a few other words are in its place, or its end is missing. */
export type Doubt = 'replaced' | 'cut';

export interface DoubtedReading {
  readonly page: Page;
  readonly html: string;
  /** The length of what it was read from. */
  readonly bytes: number;
}

/** More than that is a text of its own. */
const MAX_FEW_WORDS = 1_000;
const END_TAG = /<\/(?:html|body)\s*>/i;
/** What a page has behind its end is short. */
const MAX_TAIL = 2_000;

/**
 * Whether something may have happened to the page on its way, and not to the page: what an origin sends in place of a text is short and has
 * none of its lines, and what it stops in the midst of has no end.
 */
export function doubtOf(known: PageRecord, { page, html, bytes }: DoubtedReading): Doubt | undefined {
  const before = decodePageRecord(known);
  if (isReplaced(before, page)) return 'replaced';
  const isShorter = known.bytes !== undefined && bytes < known.bytes;
  return isShorter && !END_TAG.test(html.slice(-MAX_TAIL)) && endsEarlier(before, page) ? 'cut' : undefined;
}

function isReplaced(before: PageOutline, after: Page): boolean {
  if (after.markdown.length > MAX_FEW_WORDS) return false;
  const [former, now] = [linesOf(before), linesOf(after)];
  if (now.length * 2 > former.length) return false;
  const known = new Set(former);
  return !now.some((line) => known.has(line));
}

/** Whether the last part is another one than it was, or has the beginning of what it had. */
function endsEarlier(before: PageOutline, after: PageOutline): boolean {
  const [former, now] = [before.sections.at(-1), after.sections.at(-1)];
  if (former === undefined || now === undefined || former.anchor !== now.anchor) return true;
  if (former.checksum === now.checksum) return false;
  if (former.text !== undefined && now.text !== undefined) return former.text.startsWith(now.text);
  const [then, lines] = [splitMarks(former.lines ?? ''), splitMarks(now.lines ?? '')];
  return lines.length <= then.length && lines.slice(0, -1).every((line, at) => line === then[at]);
}

function linesOf({ preambleLines = '', sections }: PageOutline): readonly string[] {
  return [preambleLines, ...sections.map(({ lines = '' }) => lines)].flatMap(splitMarks);
}
