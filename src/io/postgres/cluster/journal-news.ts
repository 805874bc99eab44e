import { TidingsError } from '../../../errors/tidings-error.ts';
import { PassingTrouble } from '../../../hub/cluster/passing-trouble.ts';
import type { ClusterDatabase } from './cluster-database.ts';

const PAUSES = { firstPauseMs: 250, longestPauseMs: 5000 };

/** Listeners for news. The connection is opened with the first of them and reopened when it is lost; one notification then covers what was missed. */
export class JournalNews implements Disposable {
  readonly #database: ClusterDatabase;
  readonly #listeners = new Set<() => void>();
  readonly #trouble = new PassingTrouble(PAUSES);
  #leave: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBegun = false;
  #isOver = false;

  constructor(database: ClusterDatabase) {
    this.#database = database;
  }

  on(listener: () => void): Disposable {
    const own = () => listener();
    this.#listeners.add(own);
    if (!this.#isBegun) void this.#open();
    this.#isBegun = true;
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  tell(): void {
    for (const listener of this.#listeners) listener();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#leave?.();
  }

  async #open(): Promise<void> {
    try {
      const leave = await this.#database.listen(
        () => this.tell(),
        () => this.#openLater(new Error('The line was lost.')),
      );
      this.#trouble.over();
      if (this.#isOver) leave();
      else this.#leave = leave;
      this.tell();
    } catch (error) {
      // Whoever asks the database hears why it cannot be reached.
      if (!(error instanceof TidingsError) && !this.#isOver) throw error;
      this.#openLater(error);
    }
  }

  #openLater(error: unknown): void {
    if (this.#isOver) return;
    this.#trouble.met(error);
    this.#timer = setTimeout(() => void this.#open(), this.#trouble.pauseMs);
    this.#timer.unref();
  }
}
