import { splitMarks } from '../../extract/line-marks.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import { type SpotEdit, textMark } from './spot-edits.ts';

/** How many changes are reported before a spot that keeps changing is volatile. */
const TOLD_CHANGES = 2;
/** … if it changed at this share of the looks since the first of them: a higher share for text that an author may be writing. */
const BLOCK_RATE = 1 / 3;
const TEXT_RATE = 1 / 2;
/** A change is forgotten if nothing followed it for this many looks. */
const FORGOTTEN_LOOKS = 12;
/** A volatile spot is still after this many unchanged looks; the rarer its changes, the more looks are needed. */
const STILL_LOOKS = 12;
const STILL_PER_CHANGE = 6;
const MAX_STILL_LOOKS = 200;
const MAX_TEXTS = 8;

/** What is known about a spot on the pages of its site. */
export interface SharedSpot {
  /** It is volatile on some page. */
  readonly isHeld: boolean;
  /** It changed recently on more than half of the pages. */
  readonly isCommon: boolean;
  /** Two pages had the same text there at some time: authors rarely write so, but templates that choose from a few texts do. */
  readonly isRotating: boolean;
  /** In total before this look, and the number of looks since its first change. */
  readonly changed: number;
  readonly looks: number;
  /** The number of pages at this look, and whether that makes it common. */
  readonly changedNow: number;
  readonly isCommonNow: boolean;
}

export interface LookMoment {
  /** The number of this look at the source. */
  readonly look: number;
  readonly atMs: number;
}

/** Whether a change is held back. */
export function isHeldBack(edit: SpotEdit, shared: SharedSpot | undefined, look: number): boolean {
  const { known, after } = edit;
  const rate = /^[a-z]+(?:\.|~|$)/.test(edit.key) ? BLOCK_RATE : TEXT_RATE;
  // If a page alternates between two texts, a third one is an edit of either.
  if (edit.key === WHOLE_PAGE && known !== undefined && hasReturned(known)) return isKnownText(known, after);
  if (known?.is === 'held' || shared?.isHeld === true) return true;
  // What it was before it had a name is not counted there.
  const before = known === undefined || known.key === edit.key ? 0 : known.changed;
  const isOften = shared !== undefined && !edit.isGrowth && isOftenElsewhere(shared, before, rate);
  if (known === undefined || isForgotten(known, look) || known.is === 'still') return isOften;
  if (isKnownText(known, after)) return true;
  if (edit.isGrowth) return false;
  if ((known.relapses ?? 0) > 0) return true;
  const changed = known.changed >= TOLD_CHANGES && known.changed >= (look - known.first) * rate;
  return (
    isOften || changed || (shared?.isCommonNow === true && isCounted(shared, shared.changed + shared.changedNow, rate))
  );
}

function isOftenElsewhere(shared: SharedSpot, before: number, rate: number): boolean {
  const { isCommon, isRotating, changed, changedNow } = shared;
  if (isRotating) return isCounted(shared, changed + changedNow + before, rate);
  return isCommon && isCounted(shared, changed, rate);
}

function isCounted({ looks }: SharedSpot, changed: number, rate: number): boolean {
  return changed >= TOLD_CHANGES && changed >= looks * rate;
}

function isKnownText({ texts }: Spot, text: string): boolean {
  return splitMarks(texts).includes(textMark(text));
}

/** Whether it returned to an earlier text. */
export function hasReturned({ texts, lines }: Spot): boolean {
  const said = [...splitMarks(texts), textMark(lines)];
  return new Set(said).size < said.length;
}

/** The spot after a change. */
export function spotAfter(edit: SpotEdit, isHeld: boolean, { look, atMs }: LookMoment): Spot {
  const { key, anchor, before, after, isGrowth } = edit;
  const known = edit.known !== undefined && isForgotten(edit.known, look) ? undefined : edit.known;
  const isRelapse = known?.is === 'still' && !isHeld;
  const texts = [...splitMarks(known?.texts ?? ''), textMark(known?.lines ?? before)].slice(-MAX_TEXTS);
  const counts = known === undefined || isRelapse ? { first: look, changed: 1, sinceMs: atMs } : known;
  const { first, changed, sinceMs } = counts;
  const more = counts === known && !(isGrowth && !isHeld) ? 1 : 0;
  const relapses = (known?.relapses ?? 0) + Number(isRelapse);
  return {
    key,
    ...(anchor !== undefined && { anchor }),
    is: isHeld ? 'held' : 'seen',
    lines: after,
    told: isHeld ? (known?.told ?? before) : after,
    texts: texts.join(''),
    first,
    last: look,
    changed: changed + more,
    sinceMs,
    ...(relapses > 0 && { relapses }),
  };
}

/** Whether a volatile spot that did not change at this look has been unchanged for long enough. */
export function isStill({ is, first, last, changed, relapses = 0 }: Spot, look: number): boolean {
  if (is !== 'held') return false;
  const perChange = (last - first + 1) / changed;
  const wanted = Math.max(STILL_LOOKS, Math.ceil(perChange * STILL_PER_CHANGE)) * 2 ** relapses;
  return look - last >= Math.min(wanted, MAX_STILL_LOOKS);
}

/** Whether a reported change has no further effect. */
export function isForgotten({ is, last, relapses = 0 }: Spot, look: number): boolean {
  return is === 'seen' && look - last > FORGOTTEN_LOOKS * 2 ** relapses;
}
