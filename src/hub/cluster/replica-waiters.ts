interface Waiter {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Those who wait for a replica: until a write is made in it, or until its history is proven. */
export class ReplicaWaiters {
  readonly #byRev = new Map<number, Waiter[]>();
  #provers: Waiter[] = [];

  /** Resolves to what the write of that place came to. */
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

  /** Nothing is proven now, since the journal is away. Who waits for a write goes on waiting. */
  notProven(error: unknown): void {
    for (const { reject } of this.#takeProvers()) reject(error);
  }

  /** It goes no further. */
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
