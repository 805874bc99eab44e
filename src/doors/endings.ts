/** What must be ended, in the reverse order of its beginning. */
export class Endings {
  readonly #ends: (() => unknown)[] = [];

  /** Ends it with the others. */
  use<T extends AsyncDisposable>(owned: T): T {
    this.add(() => owned[Symbol.asyncDispose]());
    return owned;
  }

  add(end: () => unknown): void {
    this.#ends.push(end);
  }

  /** Ends everything, also behind one that fails; the first failure is thrown then. A second call does nothing. */
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
