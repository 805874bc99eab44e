import { editsOf } from '../../diff/edits.ts';
import type { TextDifference } from './explain-change.ts';
import { hunksOf } from './hunks.ts';
import { sectionLines } from './section-lines.ts';
import { textLines } from './text-lines.ts';

/** One version of a page, and which section of it is meant. */
export interface TextVersion {
  readonly text: string;
  /** Absent: all of it. */
  readonly anchor?: string;
  /** The names of its sections in order, if known. */
  readonly anchors?: readonly string[];
}

/**
 * Compares two versions of a page or section, however far apart. If a section can be located in both, only that is compared. At most `mostLines` per edit are
 * reported on either side.
 */
export function compareTexts(before: TextVersion, after: TextVersion, mostLines: number): TextDifference {
  const [was, is] = [cutOf(before), cutOf(after)];
  if (was.scope === is.scope) return { is: 'edited', scope: is.scope, hunks: hunksBetween(was, is, mostLines) };
  const [lines, change] = was.scope === 'section' ? [was.lines, 'went' as const] : [is.lines, 'came' as const];
  return { is: change, start: lines.slice(0, START_LINES), lines: lines.length };
}

const START_LINES = 20;

interface Cut {
  readonly scope: 'section' | 'page';
  readonly lines: readonly string[];
  /** The number of its first line in the page. */
  readonly start: number;
}

function cutOf({ text, anchor, anchors }: TextVersion): Cut {
  const lines = textLines(text);
  const span = anchor === undefined ? undefined : sectionLines(lines, anchor, anchors);
  if (span === undefined) return { scope: 'page', lines, start: 0 };
  return { scope: 'section', lines: lines.slice(span.start, span.end), start: span.start };
}

function hunksBetween(before: Cut, after: Cut, mostLines: number) {
  const edits = editsOf(before.lines, after.lines);
  return hunksOf(edits, { before: before.lines, after: after.lines, mostLines }).map((hunk) => ({
    ...hunk,
    beforeStart: hunk.beforeStart + before.start,
    afterStart: hunk.afterStart + after.start,
  }));
}
