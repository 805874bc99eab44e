/** A place in the queue of one host. */
export interface LinePlace {
  /** Resolves when this place is first in the queue. */
  readonly first: Promise<void>;
  /** Aborted when somebody arrives for whom this place must yield. */
  readonly wanted: AbortSignal;
  /** Lets the next one in. Further calls do nothing. */
  leave(): void;
}

interface Waiting {
  readonly yields: boolean;
  readonly wanted: AbortController;
  begin(): void;
}

/**
 * The callers in this process that want to ask one host, in order of arrival. A caller that yields waits behind all others, and is told to give way
 * when one of them arrives.
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
