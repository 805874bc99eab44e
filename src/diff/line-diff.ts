/** The lines `before[from…to)` gave way to `after[at…until)`. Either may be empty, not both. */
export interface LineEdit {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly until: number;
}

type Box = LineEdit;

/** So many single lines may differ before the search for the shortest way is given up: it costs their number times the lines. */
const MAX_EDITS = 400;
/** So often a box that differs too much is cut where a line stands once on both sides. */
const MAX_CUTS = 4;

/**
 * What turns one text into the other, in order: the fewest lines while they differ in few (Myers, "An O(ND) Difference Algorithm",
 * 1986), else what lies between lines that both have once, and at worst all of it. The time is bounded whatever the texts are.
 */
export function diffLines(before: readonly string[], after: readonly string[], maxEdits = MAX_EDITS): LineEdit[] {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    Int32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const texts = { before: numbered(before), after: numbered(after), maxEdits };
  const edits: LineEdit[] = [];
  solve({ from: 0, to: before.length, at: 0, until: after.length }, texts, { cuts: MAX_CUTS, edits });
  return joinTouching(edits);
}

interface Texts {
  readonly before: Int32Array;
  readonly after: Int32Array;
  readonly maxEdits: number;
}

interface Solving {
  /** How often the box may still be cut. */
  readonly cuts: number;
  readonly edits: LineEdit[];
}

function solve(whole: Box, texts: Texts, { cuts, edits }: Solving): void {
  const box = withoutCommonEnds(whole, texts);
  if (box.from === box.to && box.at === box.until) return;
  if (box.from === box.to || box.at === box.until) {
    edits.push(box);
    return;
  }
  const shortest = shortestWay(box, texts);
  if (shortest !== undefined) {
    edits.push(...shortest);
    return;
  }
  const fixed = cuts > 0 ? linesOnBothSides(box, texts) : [];
  if (fixed.length === 0) {
    edits.push(box);
    return;
  }
  let { from, at } = box;
  for (const [line, place] of fixed) {
    solve({ from, to: line, at, until: place }, texts, { cuts: cuts - 1, edits });
    [from, at] = [line + 1, place + 1];
  }
  solve({ from, to: box.to, at, until: box.until }, texts, { cuts: cuts - 1, edits });
}

function withoutCommonEnds(box: Box, { before, after }: Texts): Box {
  let { from, to, at, until } = box;
  while (from < to && at < until && before[from] === after[at]) {
    from += 1;
    at += 1;
  }
  while (from < to && at < until && before[to - 1] === after[until - 1]) {
    to -= 1;
    until -= 1;
  }
  return { from, to, at, until };
}

/** Undefined when it takes more than `maxEdits` lines. */
function shortestWay({ from, to, at, until }: Box, { before, after, maxEdits }: Texts): LineEdit[] | undefined {
  const [height, width] = [to - from, until - at];
  const most = Math.min(maxEdits, height + width);
  // By diagonal (lines before minus lines after): how far down the furthest way with so many edits has come.
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const above = furthest[middle + diagonal + 1] ?? 0;
      const left = furthest[middle + diagonal - 1] ?? 0;
      const isInsert = diagonal === -edits || (diagonal !== edits && left < above);
      let line = isInsert ? above : left + 1;
      while (line < height && line - diagonal < width && before[from + line] === after[at + line - diagonal]) line += 1;
      furthest[middle + diagonal] = line;
      if (line >= height && line - diagonal >= width) return wayBack(history, { from, to, at, until });
    }
    history.push(furthest.slice(middle - edits - 1, middle + edits + 2));
  }
  return undefined;
}

/** `history[n]`: how far ways of n edits have come, on the diagonals from -n - 1 to n + 1. */
function wayBack(history: readonly Int32Array[], box: Box): LineEdit[] {
  const edits: LineEdit[] = [];
  let [line, place] = [box.to - box.from, box.until - box.at];
  for (let count = history.length; count > 0; count -= 1) {
    const reached = history[count - 1] ?? new Int32Array();
    const diagonal = line - place;
    const above = reached[diagonal + 1 + count] ?? 0;
    const left = reached[diagonal - 1 + count] ?? 0;
    const isInsert = diagonal === -count || (diagonal !== count && left < above);
    line = isInsert ? above : left;
    place = line - (isInsert ? diagonal + 1 : diagonal - 1);
    const [from, at] = [box.from + line, box.at + place];
    edits.push({ from, to: isInsert ? from : from + 1, at, until: isInsert ? at + 1 : at });
  }
  return edits.reverse();
}

/** Lines that stand once in each side of the box, as many of them as are in the same order: [line before, line after]. */
function linesOnBothSides({ from, to, at, until }: Box, { before, after }: Texts): [number, number][] {
  const inBefore = onlyPlaces(before, from, to);
  const inAfter = onlyPlaces(after, at, until);
  const pairs: [number, number][] = [];
  for (const [number, line] of inBefore) {
    const place = inAfter.get(number);
    if (line !== -1 && place !== undefined && place !== -1) pairs.push([line, place]);
  }
  return longestRising(pairs);
}

/** Where each line stands; -1 for one that stands in several places. */
function onlyPlaces(lines: Int32Array, start: number, end: number): Map<number, number> {
  const places = new Map<number, number>();
  for (let place = start; place < end; place += 1) {
    const line = lines[place] ?? 0;
    places.set(line, places.has(line) ? -1 : place);
  }
  return places;
}

/** Of pairs in the order of their first part, the longest row in which the second rises, too. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, [, place]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((pairs[ends[half] ?? 0]?.[1] ?? 0) < place) low = half + 1;
      else high = half;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const row: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) row.push(pair);
  }
  return row.reverse();
}

function joinTouching(edits: readonly LineEdit[]): LineEdit[] {
  const joined: LineEdit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last !== undefined && last.to === edit.from && last.until === edit.at) {
      joined[joined.length - 1] = { ...last, to: edit.to, until: edit.until };
    } else joined.push(edit);
  }
  return joined;
}
