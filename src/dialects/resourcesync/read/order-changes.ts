import { groupBy } from '../../../codecs/primitives/group-by.ts';

/** A change of a page, and when it may have happened: milliseconds since 1970, both ends included. */
interface Told {
  readonly loc: string;
  readonly datetimeMs: number;
  readonly endMs: number;
}

/**
 * Sorts changes from document order into order of time. A time that is less exact, such as a day, may mean any moment in it. So
 * changes of one page are swapped only if their time spans do not overlap; all others keep their document order.
 */
export function orderChanges<One extends Told>(told: readonly One[]): readonly One[] {
  if (isInOrder(told)) return told;
  const pages = groupBy(told.keys(), (at) => pageOf(told[at]?.loc ?? ''));
  const ordered = [...told];
  const moments = new Float64Array(told.length);
  for (const places of pages.values()) {
    const own = places.flatMap((at) => told[at] ?? []);
    let moment = Number.NEGATIVE_INFINITY;
    for (const [at, one] of (isInOrder(own) ? own : inTheirOrder(own)).entries()) {
      const place = places[at] ?? 0;
      moment = Math.max(moment, one.datetimeMs);
      ordered[place] = one;
      moments[place] = moment;
    }
  }
  const places = [...told.keys()].sort((one, other) => (moments[one] ?? 0) - (moments[other] ?? 0) || one - other);
  return places.flatMap((place) => ordered[place] ?? []);
}

/** Whether no change is strictly before one that precedes it in the list. */
function isInOrder(told: readonly Told[]): boolean {
  let latestMs = Number.NEGATIVE_INFINITY;
  for (const { datetimeMs, endMs } of told) {
    if (endMs < latestMs) return false;
    latestMs = Math.max(latestMs, datetimeMs);
  }
  return true;
}

interface Placed<One> {
  readonly one: One;
  /** The position in the documents. */
  readonly place: number;
}

/** Repeatedly takes the first change in document order that no other is strictly before. */
function inTheirOrder<One extends Told>(told: readonly One[]): One[] {
  const placed = told.map((one, place) => ({ one, place }));
  const byEnd = [...placed].sort((a, b) => a.one.endMs - b.one.endMs);
  const byStart = placed.sort((a, b) => a.one.datetimeMs - b.one.datetimeMs)[Symbol.iterator]();
  const free = new FirstPlaces<One>();
  const taken = new Set<number>();
  const ordered: One[] = [];
  let next = byStart.next();
  for (const { one: earliest, place } of byEnd) {
    // Everything that is free before this one is taken may have happened before it or with it.
    while (!taken.has(place)) {
      for (; !next.done && next.value.one.datetimeMs <= earliest.endMs; next = byStart.next()) free.add(next.value);
      const first = free.take();
      if (first === undefined) throw new Error('What ends first is always free.');
      taken.add(first.place);
      ordered.push(first.one);
    }
  }
  return ordered;
}

/** A heap: returns the first change in document order in logarithmic time, however hostile the list. */
class FirstPlaces<One> {
  readonly #heap: Placed<One>[] = [];

  add(placed: Placed<One>): void {
    const heap = this.#heap;
    let at = heap.push(placed) - 1;
    for (;;) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || parent.place <= placed.place) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = placed;
  }

  take(): Placed<One> | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const isRight = right !== undefined && left !== undefined && right.place < left.place;
      const child = isRight ? right : left;
      if (child === undefined || last.place <= child.place) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

/** The anchor is dropped: a part of a page belongs to the page. */
function pageOf(loc: string): string {
  const url = new URL(loc);
  url.hash = '';
  return url.href;
}
