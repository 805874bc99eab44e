/** The prefix of the lines of a list item, a quote or a note: the first line has other signs than the rest. */
export class LinePrefix {
  readonly rest: string;
  readonly tight: boolean;
  #first: string | undefined;

  constructor(first: string, rest: string, tight: boolean) {
    this.#first = first;
    this.rest = rest;
    this.tight = tight;
  }

  isFresh(): boolean {
    return this.#first !== undefined;
  }

  /** The prefix of an empty line above the next block. Empty at the beginning of the list or quote. */
  between(): string {
    return this.#first === undefined ? this.rest : '';
  }

  next(): string {
    const prefix = this.#first ?? this.rest;
    this.#first = undefined;
    return prefix;
  }
}
