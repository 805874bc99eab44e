import { type Edit, editsOf } from '../../diff/edits.ts';
import { lineMarksOf, splitMarks } from '../../extract/line-marks.ts';
import type { OwnedLine } from '../../extract/owned-lines.ts';
import { type Spot, WHOLE_PAGE } from '../../model/spot.ts';
import { blockKeys, TITLE_KEY } from './block-keys.ts';
import { linePlaces } from './line-places.ts';
import type { PageLine } from './page-lines.ts';
import { templateKey } from './template-key.ts';

/** What changed at one spot of a page. */
export interface SpotEdit {
  readonly key: string;
  readonly anchor?: string;
  /** What is stored about the spot. */
  readonly known?: Spot;
  /** Removed lines by their old places, and added lines by their new places. */
  readonly removed: readonly number[];
  readonly added: readonly number[];
  /** The complete old and new text of the spot, in marks. */
  readonly before: string;
  readonly after: string;
  /** Lines were added and the others stay, or move on as in a list of the newest. */
  readonly isGrowth: boolean;
  /** Its place on the page; see {@link linePlaces}. */
  readonly places: readonly string[];
  /** The blocks on the current page. */
  readonly blocks: ReadonlySet<string | undefined>;
}

export interface LinesOfLooks {
  readonly before: readonly PageLine[];
  readonly after: readonly PageLine[];
  /** The current lines, without the title. */
  readonly owned: readonly OwnedLine[];
  readonly known: readonly Spot[];
}

/** A spot with more lines is stored as one mark. */
const MAX_MARKS = 64;
/** If this much of the text of a page is new, outside named blocks, the page changed as a whole. */
const WHOLE_SHARE = 0.5;
const WHOLE_LINES = 3;

/** What changed between two versions of a page, by spots. */
export function spotEdits(versions: LinesOfLooks): readonly SpotEdit[] {
  const { before, after, owned, known } = versions;
  const keys = blockKeys(after, owned, new Set(known.map(({ key }) => key)));
  const edits = editsOf(marksOf(before), marksOf(after));
  const blocks = new Map<string, Piece>();
  const loose: Piece[] = [];
  for (const edit of edits) {
    for (const piece of piecesOf(edit, { before, keys, known, owned })) {
      if (piece.isLoose) loose.push(piece);
      else blocks.set(piece.key, joined(blocks.get(piece.key), piece));
    }
  }
  takeEnds(blocks, loose, keys);
  const whole = wholeOf([...blocks.values(), ...loose], loose, versions);
  if (whole !== undefined) return [whole];
  const alignment = alignmentOf(edits, after.length);
  return [
    ...[...blocks.values()].map((piece) => blockEdit(piece, { versions, keys, alignment })),
    ...loose.map((piece) => looseEdit(piece, { versions, keys, alignment })),
  ];
}

/** Marks in their stored form. */
function folded(marks: readonly string[]): string {
  return marks.length > MAX_MARKS ? `!${textMark(marks.join(''))}` : marks.join('');
}

/** One mark for the whole text of a spot. */
export function textMark(marks: string): string {
  return lineMarksOf(`:${marks}`);
}

interface Piece {
  readonly key: string;
  readonly isLoose: boolean;
  readonly known: Spot | undefined;
  readonly removed: readonly number[];
  readonly added: readonly number[];
  /** The current place after it. */
  readonly at: number;
}

interface Places {
  readonly before: readonly PageLine[];
  /** The block of each current line; undefined for a line of the text itself. */
  readonly keys: readonly (string | undefined)[];
  readonly known: readonly Spot[];
  readonly owned: readonly OwnedLine[];
}

/** Splits one edit by the blocks of its lines. Removed lines belong to the spot that is known to have had them. */
function piecesOf({ from, to, at, until }: Edit, places: Places): readonly Piece[] {
  const { before, keys, known } = places;
  const added = new Map<string | undefined, number[]>();
  for (let place = at; place < until; place += 1) added.set(keys[place], [...(added.get(keys[place]) ?? []), place]);
  const removed = new Map<string | undefined, number[]>();
  const ofBlocks = known.filter(({ key }) => isBlock(key));
  const taker = [...added.keys()].find((key) => key !== undefined && !ofBlocks.some((spot) => spot.key === key));
  const inside = keys[at - 1] === keys[until] ? keys[until] : undefined;
  for (let line = from; line < to; line += 1) {
    const mark = before[line]?.mark ?? '';
    const owner = ofBlocks.find(({ lines }) => splitMarks(lines).includes(mark));
    const key =
      before[line]?.part === 'title'
        ? TITLE_KEY
        : (owner?.key ?? (added.has(undefined) ? undefined : (taker ?? inside)));
    removed.set(key, [...(removed.get(key) ?? []), line]);
  }
  const pieces: Piece[] = [];
  for (const key of new Set([...added.keys(), ...removed.keys()])) {
    const [went, came] = [removed.get(key) ?? [], added.get(key) ?? []];
    if (key === undefined) pieces.push(...loosePieces(went, came, { ...places, at }));
    else {
      const spot = ofBlocks.find((other) => other.key === key);
      pieces.push({ key, isLoose: false, known: spot, removed: went, added: came, at });
    }
  }
  return pieces;
}

function isBlock(key: string): boolean {
  return !key.startsWith('~') && key !== WHOLE_PAGE;
}

/** Lines of the text itself: those that replace lines of a known spot belong to it, their neighbours do not. */
function loosePieces(
  removed: readonly number[],
  added: readonly number[],
  { before, known, owned, at }: Omit<Places, 'keys'> & { readonly at: number },
): readonly Piece[] {
  const loose = (went: readonly number[], came: readonly number[], spot?: Spot): Piece => {
    const texts = came.map((place) => owned[place - 1]?.text ?? '');
    const gone = went.map((line) => before[line]?.mark ?? '').join('');
    return { key: templateKey(texts, gone), isLoose: true, known: spot, removed: went, added: came, at };
  };
  const others = known.filter(({ key }) => key.startsWith('~'));
  const isOf = ({ lines }: Spot, line: number) => splitMarks(lines).includes(before[line]?.mark ?? '');
  const spot = others.find((other) => removed.some((line) => isOf(other, line)));
  if (spot === undefined) return [loose(removed, added, removed.length === 0 ? others.find(isEmpty) : undefined)];
  const own = removed.filter((line) => isOf(spot, line));
  const beside = removed.filter((line) => !isOf(spot, line));
  if (beside.length === 0) return [loose(removed, added, spot)];
  const isLast = own[0] === removed[beside.length];
  const isFirst = own.at(-1) === removed[own.length - 1];
  if (!isLast && !isFirst) return [loose(removed, added)];
  const cut = isLast ? Math.min(beside.length, added.length) : Math.max(added.length - beside.length, 0);
  const [start, end] = [added.slice(0, cut), added.slice(cut)];
  return [loose(own, isLast ? end : start, spot), loose(beside, isLast ? start : end)];
}

/** Its text is currently gone. */
function isEmpty({ lines }: Spot): boolean {
  return lines === '';
}

/**
 * The spot that continues in a block that is new in its section, or new with a section: a block that disappeared is only recognized by its name once
 * it is back.
 */
function goneBefore({ before, after, known }: LinesOfLooks, anchor: string | undefined): Spot | undefined {
  const isNew = !before.some((line) => line.anchor === anchor);
  const isGone = (spot: Spot) => !after.some((line) => line.anchor === spot.anchor);
  const isThere = (spot: Spot) => spot.anchor === anchor || (isNew && isGone(spot));
  return known.find((spot) => isEmpty(spot) && spot.key.startsWith('~') && isThere(spot));
}

/** Whether only its absence is known: no line on the page shows the name of what was there. */
export function isNamelessLoss({ key, known, added }: SpotEdit): boolean {
  return key.startsWith('~') && known === undefined && added.length === 0;
}

/** For a list that begins or ends with other items than before: lines removed beside it belonged to it, if as many were added in it. */
function takeEnds(blocks: Map<string, Piece>, loose: Piece[], keys: Places['keys']): void {
  for (const piece of [...loose]) {
    if (piece.added.length > 0 || piece.known !== undefined) continue;
    const beside = [keys[piece.at - 1], keys[piece.at]].flatMap((key) =>
      key === undefined ? [] : (blocks.get(key) ?? []),
    );
    const block = beside.find(({ added, removed }) => added.length - removed.length >= piece.removed.length);
    if (block === undefined || block.known !== undefined) continue;
    blocks.set(block.key, { ...block, removed: [...block.removed, ...piece.removed].sort((a, b) => a - b) });
    loose.splice(loose.indexOf(piece), 1);
  }
}

function joined(one: Piece | undefined, other: Piece): Piece {
  if (one === undefined) return other;
  return { ...one, removed: [...one.removed, ...other.removed], added: [...one.added, ...other.added] };
}

interface Around {
  readonly versions: LinesOfLooks;
  readonly keys: readonly (string | undefined)[];
  /** The old place of each current line; -1 for a new one. */
  readonly alignment: readonly number[];
}

function blockEdit(piece: Piece, { versions, keys, alignment }: Around): SpotEdit {
  const { key, removed, added } = piece;
  const { before, after } = versions;
  const now = [...keys.keys()].filter((place) => keys[place] === key);
  const kept = now.flatMap((place) => (alignment[place] === -1 ? [] : (alignment[place] ?? [])));
  const then = [...kept, ...removed].sort((a, b) => a - b);
  const gone = new Set(removed.map((line) => before[line]?.mark));
  const isMoved = added.some((place) => gone.has(after[place]?.mark));
  const isPushed =
    added.every((place, at) => now[at] === place) && removed.every((line) => line > (kept.at(-1) ?? line));
  const isGrowth =
    kept.length > 0 && (removed.length === 0 || (isPushed && !isMoved && kept.length * 2 >= then.length));
  const anchor = after[added[0] ?? now[0] ?? -1]?.anchor ?? before[removed[0] ?? -1]?.anchor;
  const known = piece.known ?? (then.length === 0 ? goneBefore(versions, anchor) : undefined);
  return {
    key,
    ...(anchor !== undefined && { anchor }),
    ...(known !== undefined && { known }),
    removed,
    added,
    before: folded(then.map((line) => before[line]?.mark ?? '')),
    after: folded(now.map((place) => after[place]?.mark ?? '')),
    isGrowth,
    places: placesOf(versions, removed, added),
    blocks: new Set(keys),
  };
}

function looseEdit(piece: Piece, { versions, keys }: Around): SpotEdit {
  const { key, known, removed, added } = piece;
  const { before, after } = versions;
  const stayed = linesThatStayed(piece, after);
  const anchor = after[added[0] ?? -1]?.anchor ?? before[removed[0] ?? -1]?.anchor;
  return {
    key,
    ...(anchor !== undefined && { anchor }),
    ...(known !== undefined && { known }),
    removed,
    added,
    before: folded([...stayed.above, ...removed.map((line) => before[line]?.mark ?? ''), ...stayed.below]),
    after: folded([...stayed.above, ...added.map((place) => after[place]?.mark ?? ''), ...stayed.below]),
    isGrowth: false,
    places: placesOf(versions, removed, added),
    blocks: new Set(keys),
  };
}

/** The unchanged lines of a known spot, above and below the change: they still belong to it. */
function linesThatStayed(
  { known, added, at }: Piece,
  after: readonly PageLine[],
): { readonly above: readonly string[]; readonly below: readonly string[] } {
  const own = new Set(splitMarks(known?.lines ?? ''));
  const isOwn = (place: number) => own.has(after[place]?.mark ?? '');
  const start = added[0] ?? at;
  const end = (added.at(-1) ?? start - 1) + 1;
  let [first, last] = [start, end];
  while (isOwn(first - 1)) first -= 1;
  while (isOwn(last)) last += 1;
  return { above: marksOf(after.slice(first, start)), below: marksOf(after.slice(end, last)) };
}

function placesOf(
  { before, after }: LinesOfLooks,
  removed: readonly number[],
  added: readonly number[],
): readonly string[] {
  return added.length > 0 ? linePlaces(after, added) : linePlaces(before, removed);
}

/** Defined if most of the text itself is different. */
function wholeOf(pieces: readonly Piece[], loose: readonly Piece[], versions: LinesOfLooks): SpotEdit | undefined {
  const { before, after, known } = versions;
  const isMost = (places: readonly number[], lines: readonly PageLine[]) => {
    const texts = places.filter((place) => lines[place]?.part === 'text').length;
    const all = lines.filter(({ part }) => part === 'text').length;
    return texts >= WHOLE_LINES && texts > all * WHOLE_SHARE;
  };
  const came = loose.flatMap(({ added }) => added);
  const went = loose.flatMap(({ removed }) => removed);
  if (!isMost(came, after) || !isMost(went, before)) return undefined;
  const spot = known.find(({ key }) => key === WHOLE_PAGE);
  return {
    key: WHOLE_PAGE,
    ...(spot !== undefined && { known: spot }),
    removed: pieces.flatMap(({ removed }) => removed),
    added: pieces.flatMap(({ added }) => added),
    before: folded(marksOf(before)),
    after: folded(marksOf(after)),
    isGrowth: false,
    places: [],
    blocks: new Set(),
  };
}

function alignmentOf(edits: readonly Edit[], length: number): readonly number[] {
  const alignment = new Array<number>(length).fill(-1);
  let [line, place] = [0, 0];
  for (const edit of [...edits, { from: Number.NaN, to: 0, at: length, until: length }]) {
    for (; place < edit.at; place += 1, line += 1) alignment[place] = line;
    [line, place] = [edit.to, edit.until];
  }
  return alignment;
}

function marksOf(lines: readonly PageLine[]): string[] {
  return lines.map(({ mark }) => mark);
}
