import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { diffPages } from '../../diff/diff-pages.ts';
import type { Change } from '../../model/change.ts';
import type { PageOutline } from '../../model/page.ts';
import { decodeSectionsNote } from '../../model/sections-note.ts';
import { decodeTermsNote } from '../../model/terms-note.ts';

/** What a feed told of a page between two looks, against what the looks saw. */
export interface PageVerdict {
  readonly url: string;
  /** `true`: all that was told was seen. The others are findings, but for `same`, `late`, `volatile` and `unread`, of which nothing follows. */
  readonly verdict: VerdictWord;
  /** The boundaries that the feed named. */
  readonly told: readonly string[];
  /** The boundaries that are others now. */
  readonly seen: readonly string[];
  /** Told, and not seen. */
  readonly unseen?: readonly string[];
  /** Seen, and not told. */
  readonly untold?: readonly string[];
  /** How far the time that the feed names lies outside of the two looks. */
  readonly offSeconds?: number;
  readonly reason?: string;
}

export type VerdictWord = 'true' | 'told-not-seen' | 'seen-not-told' | 'both' | 'same' | 'late' | 'volatile' | 'unread';

/** A page at two looks; `after` is undefined where it is gone. */
export interface TwoLooksAtPage {
  readonly url: string;
  readonly before: PageOutline;
  readonly after: PageOutline | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Times have seconds, and clocks differ. */
const SLACK_MS = 2000;
/** A feed may tell so long after the page is live; what it tells then may be in the first look already. */
const LAG_MS = 3600_000;

/** `claims` are those of the feed for this page since the first look, in its order. */
export function judgePage(looks: TwoLooksAtPage, claims: readonly Change[]): PageVerdict {
  const { url, before, after, fromMs } = looks;
  const counting = claims.filter(isOfContent);
  const told = [...new Set(counting.map(boundaryOf))];
  const seen = seenBoundaries(looks);
  const facts = { url, told, seen };
  if (told.length === 0 && seen.length === 0) return { ...facts, verdict: 'same' };
  const toldParts = counting.map((claim) => partOf(claim, [before, after]));
  const isToldWhole = toldParts.includes(undefined);
  const isSeenWhole = seen.includes(url);
  const untold = isToldWhole || (isSeenWhole && told.length > 0) ? [] : seen.filter((one) => !told.includes(one));
  const unseen = isSeenWhole || (isToldWhole && seen.length > 0) ? [] : told.filter((one) => !seen.includes(one));
  if (untold.length === 0 && unseen.length > 0 && unseen.length === told.length && areLate(counting, fromMs)) {
    return { ...facts, verdict: 'late' };
  }
  const off = untold.length + unseen.length === 0 ? offSeconds(counting, looks) : undefined;
  return {
    ...facts,
    verdict: wordOf(unseen.length > 0, untold.length > 0),
    ...(unseen.length > 0 && { unseen }),
    ...(untold.length > 0 && { untold }),
    ...(off !== undefined && { offSeconds: off }),
  };
}

function wordOf(isUnseen: boolean, isUntold: boolean): VerdictWord {
  if (isUnseen && isUntold) return 'both';
  if (isUntold) return 'seen-not-told';
  return isUnseen ? 'told-not-seen' : 'true';
}

/** What is said of the use of a page is not to be seen in its text. */
function isOfContent({ kind, note = '' }: Change): boolean {
  return kind === 'page' && (note.includes('; ') || decodeTermsNote(note) === undefined);
}

function seenBoundaries({ url, before, after }: TwoLooksAtPage): readonly string[] {
  const changes = diffPages(before, after);
  return changes.map(({ anchor }) => boundaryOf({ url, ...(anchor !== undefined && { anchor }) }));
}

/** The section that a claim names; undefined for the page, and for a name that no look knows. */
function partOf({ anchor, note }: Change, looks: readonly (PageOutline | undefined)[]): string | undefined {
  if (anchor === undefined || decodeSectionsNote(note) !== undefined) return undefined;
  const isKnown = looks.some((page) => page?.sections.some((section) => section.anchor === anchor));
  return isKnown ? anchor : undefined;
}

/** Whether all of it is said to have happened shortly before the first look, which saw it then. */
function areLate(claims: readonly Change[], fromMs: number): boolean {
  return claims.every(({ claimedTime }) => {
    const atMs = claimedTime === undefined ? undefined : parseTime(claimedTime);
    return atMs !== undefined && atMs < fromMs - SLACK_MS && atMs >= fromMs - LAG_MS;
  });
}

/** Of the claim that is nearest. Undefined where none has a time. */
function offSeconds(claims: readonly Change[], { fromMs, toMs }: TwoLooksAtPage): number | undefined {
  const offs = claims.flatMap(({ claimedTime }) => {
    const atMs = claimedTime === undefined ? undefined : parseTime(claimedTime);
    if (atMs === undefined) return [];
    return [Math.max(0, fromMs - SLACK_MS - atMs, atMs - SLACK_MS - toMs)];
  });
  return offs.length === 0 ? undefined : Math.round(Math.min(...offs) / 1000);
}
