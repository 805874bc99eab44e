export interface Due {
  readonly id: string;
  readonly dueAtMs: number;
  /** The order among entries that are due at the same time. */
  readonly order: number;
}

/**
 * Entries by due time, earliest first: a binary heap that holds each id once.
 *
 * `put` and `remove` cost O(log n), `first` nothing; nothing walks over all entries.
 */
export class DueQueue<T extends Due> {
  readonly #heap: T[] = [];
  readonly #places = new Map<string, number>();
  readonly #isEarlier: (left: Due, right: Due) => boolean;

  constructor(compare: (left: Due, right: Due) => boolean = isEarlier) {
    this.#isEarlier = compare;
  }

  get size(): number {
    return this.#heap.length;
  }

  get first(): T | undefined {
    return this.#heap[0];
  }

  /** Adds it, or moves the entry of that id. */
  put(entry: T): void {
    const place = this.#places.get(entry.id) ?? this.#heap.length;
    this.#sift(entry, place);
  }

  remove(id: string): T | undefined {
    const place = this.#places.get(id);
    const last = this.#heap.at(-1);
    if (place === undefined || last === undefined) return undefined;

    const removed = this.#heap[place];
    this.#heap.pop();
    this.#places.delete(id);
    if (last.id !== id) this.#sift(last, place);
    return removed;
  }

  /** Finds the place of the entry, starting from a free one. */
  #sift(entry: T, free: number): void {
    const place = this.#rise(entry, free);
    this.#settle(entry, place === free ? this.#sink(entry, free) : place);
  }

  #rise(entry: T, from: number): number {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || !this.#isEarlier(entry, parent)) break;
      this.#settle(parent, place);
      place = above;
    }
    return place;
  }

  #sink(entry: T, from: number): number {
    let place = from;
    for (;;) {
      const below = this.#earlierChild(place);
      const child = this.#heap[below];
      if (child === undefined || !this.#isEarlier(child, entry)) return place;
      this.#settle(child, place);
      place = below;
    }
  }

  #earlierChild(place: number): number {
    const left = 2 * place + 1;
    const [leftChild, rightChild] = [this.#heap[left], this.#heap[left + 1]];
    return leftChild !== undefined && rightChild !== undefined && this.#isEarlier(rightChild, leftChild)
      ? left + 1
      : left;
  }

  #settle(entry: T, place: number): void {
    this.#heap[place] = entry;
    this.#places.set(entry.id, place);
  }
}

export function isEarlier(left: Due, right: Due): boolean {
  return left.dueAtMs === right.dueAtMs ? left.order < right.order : left.dueAtMs < right.dueAtMs;
}
