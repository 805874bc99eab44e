interface Place<T> {
  readonly key: string;
  readonly value: T;
  before: Place<T> | undefined;
  behind: Place<T> | undefined;
}

/** A queue that holds each key once, and that a key can leave from anywhere. Every step takes constant time. */
export class Line<T> {
  readonly #places = new Map<string, Place<T>>();
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;

  get size(): number {
    return this.#places.size;
  }

  get first(): T | undefined {
    return this.#first?.value;
  }

  /** Adds it at the end. A key that is already in the line keeps its place. */
  join(key: string, value: T): void {
    if (this.#places.has(key)) return;
    const place: Place<T> = { key, value, before: this.#last, behind: undefined };
    this.#places.set(key, place);
    if (this.#last === undefined) this.#first = place;
    else this.#last.behind = place;
    this.#last = place;
  }

  leave(key: string): T | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    this.#places.delete(key);
    if (place.before === undefined) this.#first = place.behind;
    else place.before.behind = place.behind;
    if (place.behind === undefined) this.#last = place.before;
    else place.behind.before = place.before;
    return place.value;
  }
}
