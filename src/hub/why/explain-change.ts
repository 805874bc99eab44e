import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { editsOf } from '../../diff/edits.ts';
import type { Change } from '../../model/change.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { decodeTermsNote } from '../../model/terms-note.ts';
import type { VolatileBlock } from '../../model/volatile-parts.ts';
import type { CheckRecord } from '../store/hub-store.ts';
import { type Hunk, hunksOf } from './hunks.ts';
import { sectionLines } from './section-lines.ts';
import { textLines } from './text-lines.ts';

/** Why something is a change: how it was learned, and what was there before and after. */
export interface Explanation {
  readonly change: Change;
  /** The page, or the section as `page#anchor`. */
  readonly boundary: string;
  /** The looks at the source around it. */
  readonly checks: ChecksAround;
  readonly text: TextDifference;
  /** The rules by which the page was read, if the source still has those of that time. */
  readonly rules?: GivenRules;
  /** Blocks of the page that are different at most looks: what changes there is held back. */
  readonly volatile?: readonly VolatileBlock[];
}

export interface ChecksAround {
  /** The one that found it. */
  readonly found?: CheckRecord;
  /** The last good one before that: what changed did so after it. */
  readonly before?: CheckRecord;
}

export type TextDifference =
  /** `scope` is also `page` for a change of a section whose lines cannot be located. */
  | { readonly is: 'edited'; readonly scope: 'section' | 'page'; readonly hunks: readonly Hunk[] }
  /** The first lines of what came or went; `lines`: how many there are in all. */
  | { readonly is: 'came' | 'went'; readonly start: readonly string[]; readonly lines: number }
  | { readonly is: 'unknown'; readonly because: string };

/** What the store still has of the two versions of a page. */
export interface PageVersions {
  readonly before?: string;
  readonly after?: string;
  /** The names of the sections of the later text in order, if known. */
  readonly anchors?: readonly string[];
  /** Whether nothing else was found on the page at that moment. */
  readonly isAlone: boolean;
  /** The maximum of lines per edit on either side. Absent: all. */
  readonly mostLines?: number;
}

const START_LINES = 20;

export function explainChange(change: Change, versions: PageVersions, checks: readonly CheckRecord[]): Explanation {
  return {
    change,
    boundary: boundaryOf(change),
    checks: checksAround(change, checks),
    text: differenceOf(change, versions),
  };
}

/** `checks` come newest first. A check is dated by its beginning, a change by the moment when it was stored. */
function checksAround({ time }: Change, checks: readonly CheckRecord[]): ChecksAround {
  const learnedMs = Date.parse(time);
  const place = checks.findIndex(({ atMs }) => atMs <= learnedMs);
  const found = checks[place];
  if (found === undefined || found.changes === 0 || found.atMs + found.tookMs < learnedMs - CLOCK_SLACK_MS) return {};
  const before = checks.slice(place + 1).find(({ outcome }) => outcome !== 'error');
  return { found, ...(before !== undefined && { before }) };
}

/** The end of a check is taken a moment after its last change. */
const CLOCK_SLACK_MS = 1000;

function differenceOf(change: Change, versions: PageVersions): TextDifference {
  const { by, before, after } = change.provenance;
  if (isOfTermsAlone(change)) return { is: 'unknown', because: ONLY_TERMS };
  if (change.kind === 'endpoint') return { is: 'unknown', because: change.summary ?? NO_PAGE };
  if (by !== undefined && by !== 'compare') return { is: 'unknown', because: ONLY_SAID };
  const isWhole = change.anchor === undefined;
  if (change.action === 'delete' && isWhole) return endOf(versions.before, before, 'went');
  if (change.action === 'create' && isWhole) return endOf(versions.after, after, 'came');
  if (before === undefined && after === undefined) return { is: 'unknown', because: NO_TEXTS };
  if (versions.before === undefined || versions.after === undefined) {
    const which = versions.before === undefined ? (versions.after === undefined ? 'neither' : 'before') : 'after';
    return { is: 'unknown', because: which === 'neither' ? BOTH_GONE : `The text ${which} is no longer kept.` };
  }
  return editOf(change, { ...versions, before: versions.before, after: versions.after });
}

/** Any other change of the page would follow it in the note. */
function isOfTermsAlone({ note = '' }: Change): boolean {
  return !note.includes('; ') && decodeTermsNote(note) !== undefined;
}

const ONLY_TERMS = 'Its text did not change: what its publisher says of its use did, as the note tells.';
const ONLY_SAID = 'The feed says that it changed, not how: the page itself was not compared.';
const NO_PAGE = 'An endpoint is no page: there are no texts to compare.';
const NO_TEXTS = 'This log keeps no texts of pages: only the data folder of a hub that reads them itself does.';
const BOTH_GONE = 'The texts are no longer kept: retention.snapshots says how long they are.';

function endOf(text: string | undefined, name: unknown, is: 'came' | 'went'): TextDifference {
  if (text !== undefined) {
    const lines = textLines(text);
    return { is, start: lines.slice(0, START_LINES), lines: lines.length };
  }
  return { is: 'unknown', because: name === undefined ? NO_TEXTS : 'The text is no longer kept.' };
}

type BothTexts = PageVersions & Required<Pick<PageVersions, 'before' | 'after'>>;

function editOf({ anchor }: Change, versions: BothTexts): TextDifference {
  const { mostLines } = versions;
  const before = textLines(versions.before);
  const after = textLines(versions.after);
  const edits = editsOf(before, after);
  const within = anchor === undefined ? undefined : sectionLines(after, anchor, versions.anchors);
  const chosen = within === undefined ? [] : hunksOf(edits, { before, after, mostLines }, within);
  if (chosen.length > 0) return { is: 'edited', scope: 'section', hunks: chosen };
  // A section is named alone only where nothing outside of the named ones differs.
  const scope = anchor !== undefined && versions.isAlone ? 'section' : 'page';
  return { is: 'edited', scope, hunks: hunksOf(edits, { before, after, mostLines }) };
}
