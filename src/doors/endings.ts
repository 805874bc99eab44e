/** Collects what must be ended, and ends it in reverse order. */
export class Endings {
  readonly #ends: (() => unknown)[] = [];

  /** Ends `owned` together with the others. */
  use<T extends AsyncDisposable>(owned: T): T {
    this.add(() => owned[Symbol.asyncDispose]());
    return owned;
  }

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything, even after a failure; then throws the first failure. A second call does nothing. */
  async run(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
