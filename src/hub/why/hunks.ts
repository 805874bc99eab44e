import type { Edit } from '../../diff/edits.ts';

/** A stretch of a unified diff. Lines are counted from 1. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeLines: number;
  readonly afterStart: number;
  readonly afterLines: number;
  /** Each begins with a space (as before), `-` (gone) or `+` (new). */
  readonly lines: readonly string[];
  /** How many more lines differ and are left out by the limit. */
  readonly left?: number;
}

/** Lines of a text, from `start` up to, but not including, `end`. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

interface Versions {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly mostLines?: number | undefined;
}

const CONTEXT_LINES = 3;

/**
 * The edits with three lines around them.
 *
 * With `within`, a span of the later text, only the edits in it, and no line outside of it. At most `versions.mostLines` removed lines and as many added ones
 * per edit.
 */
export function hunksOf(edits: readonly Edit[], versions: Versions, within?: LineSpan): Hunk[] {
  const { start, end } = within ?? { start: 0, end: versions.after.length };
  const chosen = within === undefined ? edits : edits.filter((edit) => touches(edit, within));
  const hunks: Hunk[] = [];
  let group: Edit[] = [];
  for (const edit of chosen) {
    const last = group.at(-1);
    if (last !== undefined && edit.at - last.until > 2 * CONTEXT_LINES) {
      hunks.push(hunkOf(group, versions, { start, end }));
      group = [];
    }
    group.push(edit);
  }
  if (group.length > 0) hunks.push(hunkOf(group, versions, { start, end }));
  return hunks;
}

/** A deletion at a border belongs to what comes before it. */
function touches({ at, until }: Edit, { start, end }: LineSpan): boolean {
  return at === until ? at > start && at <= end : at < end && until > start;
}

function hunkOf(edits: readonly Edit[], versions: Versions, { start, end }: LineSpan): Hunk {
  const { before, after, mostLines = Number.POSITIVE_INFINITY } = versions;
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) throw new Error('A hunk has at least one edit.');
  const afterStart = Math.min(first.at, Math.max(start, first.at - CONTEXT_LINES));
  const afterEnd = Math.max(last.until, Math.min(end, last.until + CONTEXT_LINES));
  const beforeStart = first.from - (first.at - afterStart);
  const beforeEnd = last.to + (afterEnd - last.until);
  const lines: string[] = [];
  let [place, left] = [afterStart, 0];
  for (const { from, to, at, until } of edits) {
    for (const line of after.slice(place, at)) lines.push(` ${line}`);
    for (const line of before.slice(from, Math.min(to, from + mostLines))) lines.push(`-${line}`);
    for (const line of after.slice(at, Math.min(until, at + mostLines))) lines.push(`+${line}`);
    left += Math.max(0, to - from - mostLines) + Math.max(0, until - at - mostLines);
    place = until;
  }
  for (const line of after.slice(place, afterEnd)) lines.push(` ${line}`);
  return {
    beforeStart: beforeStart + (beforeEnd > beforeStart ? 1 : 0),
    beforeLines: beforeEnd - beforeStart,
    afterStart: afterStart + (afterEnd > afterStart ? 1 : 0),
    afterLines: afterEnd - afterStart,
    lines,
    ...(left > 0 && { left }),
  };
}
