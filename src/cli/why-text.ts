import { oneLine } from '../codecs/primitives/one-line.ts';
import { formatTime } from '../codecs/primitives/time.ts';
import type { CheckRecord, Explanation, Hunk, TextDifference } from '../doors/why.ts';
import { clippedLines } from './clipped-lines.ts';

/** More than a person reads at once; `--json` has them all. */
const MOST_LINES = 200;

/** An explanation as a person reads it. */
export function whyText({ change, boundary, checks, text, rules, volatile = [] }: Explanation): string[] {
  const { action, note, id, seq, source, time, claimedTime, title, provenance } = change;
  const { by, originId, extractor, readFrom } = provenance;
  const facts: (readonly [string, string | undefined])[] = [
    ['id', `${id} (number ${seq} of the log)`],
    ['source', source],
    ['title', title],
    ['learned', time],
    ['claimed', claimedTime && `${claimedTime}, by the origin`],
    ['how', howText(by, originId)],
    ['signed by', signatureText(provenance)],
    ['extractor', extractor],
    ['rules', rules && rulesText(rules)],
    ['read from', readFrom === undefined ? undefined : `${readFrom}, a fallback`],
    ['before', checks.before && checkText(checks.before)],
    ['found by', checks.found && checkText(checks.found)],
    ['content', provenance.contentError === undefined ? undefined : `not read: ${provenance.contentError}`],
    ...volatile.map((block) => ['volatile', volatileText(block)] as const),
    ['unchanged', provenance.unchanged === true ? 'the checksum is the one that was known already' : undefined],
  ];
  return [
    `${action} ${oneLine(boundary)}${note === undefined ? '' : `  (${oneLine(note)})`}`,
    ...facts.flatMap(([name, fact]) => (fact === undefined ? [] : [`  ${name.padEnd(10)} ${oneLine(fact)}`])),
    '',
    ...atMost(MOST_LINES, differenceText(text, change.anchor)),
  ];
}

function volatileText({ where, changed, looks, since }: NonNullable<Explanation['volatile']>[number]): string {
  return `${where} changed at ${changed} of ${looks} looks since ${since}; what changes there is held back`;
}

function howText(by: string | undefined, originId: string | undefined): string {
  if (by === undefined) return 'not recorded';
  if (by === 'compare') return 'two readings of the page were compared';
  const feed = by.endsWith('feed') ? by : `${by} feed`;
  return `the ${feed} of the source said so${originId === undefined ? '' : `, there as ${originId}`}`;
}

function rulesText({ ignore = [], only = [] }: NonNullable<Explanation['rules']>): string {
  const said = [ignore.length > 0 && `ignore ${ignore.join(', ')}`, only.length > 0 && `only ${only.join(', ')}`];
  return said.filter((words) => words !== false).join('; ');
}

/** Nothing where nobody says that it was signed. */
function signatureText({ verified, signer }: Explanation['change']['provenance']): string | undefined {
  if (verified === undefined) return undefined;
  return verified === true ? `${signer ?? 'a key that is not named'}; the signature was verified` : 'nobody';
}

function checkText({ atMs, tookMs, outcome, changes, pages }: CheckRecord): string {
  const found = changes === 0 ? 'nothing had changed' : `${changes} ${changes === 1 ? 'change' : 'changes'}`;
  const way = outcome === 'fallback' ? ', by a fallback' : '';
  return `the look at ${formatTime(atMs)}: ${found}${pages === undefined ? '' : `, of ${pages} ${pages === 1 ? 'page' : 'pages'}`}${way} (${tookMs} ms)`;
}

function differenceText(text: TextDifference, anchor: string | undefined): string[] {
  switch (text.is) {
    case 'unknown':
      return [text.because];
    case 'came':
    case 'went': {
      const sign = text.is === 'came' ? '+' : '-';
      const more = text.lines - text.start.length;
      const lines = clippedLines(text.start.map((line) => sign + line));
      return more > 0 ? [...lines, `… and ${more} more lines of the page`] : lines;
    }
    case 'edited': {
      if (text.hunks.length === 0)
        return ['The Markdown is the same: what differs is not shown in it, like the title.'];
      const isUnclear = anchor !== undefined && text.scope === 'page';
      const lines = text.hunks.flatMap(hunkText);
      return isUnclear ? ['Which lines are of the section cannot be told any more; of the page:', ...lines] : lines;
    }
  }
}

function hunkText({ beforeStart, beforeLines, afterStart, afterLines, lines }: Hunk): string[] {
  return [`@@ -${beforeStart},${beforeLines} +${afterStart},${afterLines} @@`, ...clippedLines(lines)];
}

function atMost(most: number, lines: readonly string[]): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), `… and ${lines.length - most} more lines; --json has them all`];
}
