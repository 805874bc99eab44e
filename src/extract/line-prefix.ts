/** What stands before the lines of a list item, a quote or a note: other signs on its first line than on the rest. */
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

  /** What an empty line above the next block carries: nothing where the list or quote only begins. */
  between(): string {
    return this.#first === undefined ? this.rest : '';
  }

  next(): string {
    const prefix = this.#first ?? this.rest;
    this.#first = undefined;
    return prefix;
  }
}
