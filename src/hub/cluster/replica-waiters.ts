interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Callers that wait for a replica: for a write to be applied, or for its history to be proven. */
export class ReplicaWaiters {
  readonly #byRev = new Map<number, Waiter[]>();
  #provers: Waiter[] = [];

  /** Resolves to the result of the write at that place. */
  forWrite(rev: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#byRev.set(rev, [...(this.#byRev.get(rev) ?? []), { resolve, reject }]);
    });
  }

  forProof(): Promise<unknown> {
    return new Promise((resolve, reject) => this.#provers.push({ resolve, reject }));
  }

  made(rev: number, result: unknown): void {
    for (const { resolve } of this.#byRev.get(rev) ?? []) resolve(result);
    this.#byRev.delete(rev);
  }

  proven(): void {
    for (const { resolve } of this.#takeProvers()) resolve(undefined);
  }

  /** The journal cannot be reached, so nothing can be proven now. Waits for writes continue. */
  notProven(error: unknown): void {
    for (const { reject } of this.#takeProvers()) reject(error);
  }

  /** The replica has ended. */
  refuse(error: unknown): void {
    for (const waiters of this.#byRev.values()) for (const { reject } of waiters) reject(error);
    this.#byRev.clear();
    this.notProven(error);
  }

  #takeProvers(): readonly Waiter[] {
    const provers = this.#provers;
    this.#provers = [];
    return provers;
  }
}
