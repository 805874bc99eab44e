import { boundaryOf } from '../../codecs/aicf/boundary.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { diffPages } from '../../diff/diff-pages.ts';
import type { Change } from '../../model/change.ts';
import type { PageOutline } from '../../model/page.ts';
import { decodeSectionsNote } from '../../model/sections-note.ts';
import { decodeTermsNote } from '../../model/terms-note.ts';

/** What a feed reported about a page between two looks, compared with what the looks saw. */
export interface PageVerdict {
  readonly url: string;
  /** `true`: everything reported was seen. The others are findings, except `same`, `late`, `volatile` and `unread`, which prove nothing. */
  readonly verdict: VerdictWord;
  /** The boundaries that the feed named. */
  readonly told: readonly string[];
  /** The boundaries that changed. */
  readonly seen: readonly string[];
  /** Reported but not seen. */
  readonly unseen?: readonly string[];
  /** Seen but not reported. */
  readonly untold?: readonly string[];
  /** How far the time in the feed lies outside the two looks. */
  readonly offSeconds?: number;
  readonly reason?: string;
}

export type VerdictWord = 'true' | 'told-not-seen' | 'seen-not-told' | 'both' | 'same' | 'late' | 'volatile' | 'unread';

/** A page at two looks; `after` is undefined if the page is gone. */
export interface TwoLooksAtPage {
  readonly url: string;
  readonly before: PageOutline;
  readonly after: PageOutline | undefined;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Times are in seconds, and clocks differ. */
const SLACK_MS = 2000;
/** A feed may report this long after the page is live; the first look may already include such a change. */
const LAG_MS = 3600_000;

/** `claims` are the feed's reports about this page since the first look, in order. */
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

/** A statement about the use of a page is not visible in its text. */
function isOfContent({ kind, note = '' }: Change): boolean {
  return kind === 'page' && (note.includes('; ') || decodeTermsNote(note) === undefined);
}

function seenBoundaries({ url, before, after }: TwoLooksAtPage): readonly string[] {
  const changes = diffPages(before, after);
  return changes.map(({ anchor }) => boundaryOf({ url, ...(anchor !== undefined && { anchor }) }));
}

/** The section that a claim names; undefined for the page, and for a name that is on neither version. */
function partOf({ anchor, note }: Change, looks: readonly (PageOutline | undefined)[]): string | undefined {
  if (anchor === undefined || decodeSectionsNote(note) !== undefined) return undefined;
  const isKnown = looks.some((page) => page?.sections.some((section) => section.anchor === anchor));
  return isKnown ? anchor : undefined;
}

/** Whether all claims date from shortly before the first look, which already saw their result. */
function areLate(claims: readonly Change[], fromMs: number): boolean {
  return claims.every(({ claimedTime }) => {
    const atMs = claimedTime === undefined ? undefined : parseTime(claimedTime);
    return atMs !== undefined && atMs < fromMs - SLACK_MS && atMs >= fromMs - LAG_MS;
  });
}

/** For the claim that is nearest. Undefined if none has a time. */
function offSeconds(claims: readonly Change[], { fromMs, toMs }: TwoLooksAtPage): number | undefined {
  const offs = claims.flatMap(({ claimedTime }) => {
    const atMs = claimedTime === undefined ? undefined : parseTime(claimedTime);
    if (atMs === undefined) return [];
    return [Math.max(0, fromMs - SLACK_MS - atMs, atMs - SLACK_MS - toMs)];
  });
  return offs.length === 0 ? undefined : Math.round(Math.min(...offs) / 1000);
}
