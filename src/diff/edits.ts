import { diffArrays } from 'diff';

/** The parts `before[from…to)` of a text were replaced by `after[at…until)`. Either may be empty, but not both. */
export interface Edit {
  readonly from: number;
  readonly to: number;
  readonly at: number;
  readonly until: number;
}

/** The remaining cost of a search, reduced by what is spent. A search for n edits costs n². */
export interface SearchBudget {
  left: number;
}

/** The search for the fewest edits is given up after this many. */
const MAX_EDITS = 400;
/** How often a box that differs too much is split at a part that occurs once on both sides. */
const MAX_CUTS = 4;
/** With more parts on both sides together, only the fewest edits are looked for: numbering and splitting would take too long. */
const MAX_NUMBERED = 60_000;

/** Enough for one search that is given up, and one more for the pieces after a split. */
export function searchBudget(maxEdits = MAX_EDITS): SearchBudget {
  return { left: 2 * maxEdits ** 2 };
}

/**
 * The edits that turn one text into the other, in order, for texts as lines or words: the fewest if the texts differ little, otherwise what lies
 * between parts that both have once, and at worst everything. The time is bounded for all texts.
 */
export function editsOf(before: readonly string[], after: readonly string[], budget = searchBudget()): Edit[] {
  const whole = { from: 0, to: before.length, at: 0, until: after.length };
  const isLarge = before.length + after.length > MAX_NUMBERED;
  const [left = [], right = []] = isLarge ? [before, after] : numbered(before, after);
  const maxEdits = Math.sqrt(budget.left / 2);
  const texts = { before: left, after: right, budget, maxEdits };
  const edits: Edit[] = [];
  solve(whole, texts, { cuts: isLarge ? 0 : MAX_CUTS, edits });
  return joinTouching(edits);
}

/** Numbers compare in one step, however long the parts are. */
function numbered(...texts: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const numbers = new Map<string, number>();
  return texts.map((parts) =>
    parts.map((part) => {
      const number = numbers.get(part) ?? numbers.size;
      numbers.set(part, number);
      return number;
    }),
  );
}

type Part = string | number;

interface Texts {
  readonly before: readonly Part[];
  readonly after: readonly Part[];
  readonly budget: SearchBudget;
  /** Of one search. */
  readonly maxEdits: number;
}

interface Solving {
  /** How often the box may still be split. */
  readonly cuts: number;
  readonly edits: Edit[];
}

function solve(whole: Edit, texts: Texts, { cuts, edits }: Solving): void {
  const box = withoutCommonEnds(whole, texts);
  if (box.from === box.to && box.at === box.until) return;
  if (box.from === box.to || box.at === box.until) {
    edits.push(box);
    return;
  }
  const fewest = fewestEdits(box, texts);
  if (fewest !== undefined) {
    edits.push(...fewest);
    return;
  }
  const fixed = cuts > 0 && texts.budget.left >= 1 ? partsOnBothSides(box, texts) : [];
  if (fixed.length === 0) {
    edits.push(box);
    return;
  }
  let { from, at } = box;
  for (const [part, place] of fixed) {
    solve({ from, to: part, at, until: place }, texts, { cuts: cuts - 1, edits });
    [from, at] = [part + 1, place + 1];
  }
  solve({ from, to: box.to, at, until: box.until }, texts, { cuts: cuts - 1, edits });
}

function withoutCommonEnds(box: Edit, { before, after }: Texts): Edit {
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

/** Undefined if it exceeds the budget. */
function fewestEdits({ from, to, at, until }: Edit, { before, after, budget, maxEdits }: Texts): Edit[] | undefined {
  const maxEditLength = Math.floor(Math.min(maxEdits, Math.sqrt(budget.left)));
  if (maxEditLength < 1 || Math.abs(to - from - (until - at)) > maxEditLength) return undefined;
  const found = diffArrays(before.slice(from, to), after.slice(at, until), { maxEditLength });
  if (found === undefined) {
    budget.left -= maxEditLength ** 2;
    return undefined;
  }
  const edits: Edit[] = [];
  let [line, place, count] = [from, at, 0];
  for (const { added, removed, value } of found) {
    const [end, until] = [line + (added ? 0 : value.length), place + (removed ? 0 : value.length)];
    if (added || removed) {
      edits.push({ from: line, to: end, at: place, until });
      count += value.length;
    }
    [line, place] = [end, until];
  }
  budget.left -= count ** 2;
  return edits;
}

/** Parts that occur once on each side of the box, as many as are in the same order: [place before, place after]. */
function partsOnBothSides({ from, to, at, until }: Edit, { before, after }: Texts): [number, number][] {
  const inBefore = onlyPlaces(before, from, to);
  const inAfter = onlyPlaces(after, at, until);
  const pairs: [number, number][] = [];
  for (const [part, was] of inBefore) {
    const place = inAfter.get(part);
    if (was !== -1 && place !== undefined && place !== -1) pairs.push([was, place]);
  }
  return longestRising(pairs);
}

/** The place of each part; -1 if it occurs in several places. */
function onlyPlaces(parts: readonly Part[], start: number, end: number): Map<Part, number> {
  const places = new Map<Part, number>();
  for (let place = start; place < end; place += 1) {
    const part = parts[place] ?? '';
    places.set(part, places.has(part) ? -1 : place);
  }
  return places;
}

/** Of pairs sorted by their first part, the longest sequence in which the second rises, too. */
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

function joinTouching(edits: readonly Edit[]): Edit[] {
  const joined: Edit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    if (last !== undefined && last.to === edit.from && last.until === edit.at) {
      joined[joined.length - 1] = { ...last, to: edit.to, until: edit.until };
    } else joined.push(edit);
  }
  return joined;
}
