/** A place in the line of one host. */
export interface LinePlace {
  /** Resolves when it is the first one. */
  readonly first: Promise<void>;
  /** Aborted when somebody comes for whom this place steps aside. */
  readonly wanted: AbortSignal;
  /** Lets the next one in. More than once does nothing. */
  leave(): void;
}

interface Waiting {
  readonly yields: boolean;
  readonly wanted: AbortController;
  begin(): void;
}

/**
 * Those of this process who want to ask one host, in the order in which they came. Whoever yields stands behind all who do not, and is told
 * to step aside when one of them comes.
 */
export class HostLine {
  readonly #waiting: Waiting[] = [];
  #first: Waiting | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  join(yields: boolean): LinePlace {
    let begin = () => {};
    const first = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const waiting: Waiting = { yields, wanted: new AbortController(), begin };
    const behind = yields ? -1 : this.#waiting.findIndex((other) => other.yields);
    this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, waiting);
    if (!yields && this.#first?.yields) this.#first.wanted.abort();
    this.#letNextIn();
    return { first, wanted: waiting.wanted.signal, leave: () => this.#leave(waiting) };
  }

  #leave(waiting: Waiting): void {
    const at = this.#waiting.indexOf(waiting);
    if (at !== -1) this.#waiting.splice(at, 1);
    if (this.#first !== waiting) return;
    this.#first = undefined;
    this.#letNextIn();
  }

  #letNextIn(): void {
    if (this.#first !== undefined) return;
    this.#first = this.#waiting.shift();
    this.#first?.begin();
  }
}
