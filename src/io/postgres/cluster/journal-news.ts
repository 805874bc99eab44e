import { TidingsError } from '../../../errors/tidings-error.ts';
import type { ClusterDatabase } from './cluster-database.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Who wants to hear of news. The line is opened with the first of them and opened again when it is lost; what was said meanwhile is made good by one word. */
export class JournalNews implements Disposable {
  readonly #database: ClusterDatabase;
  readonly #listeners = new Set<() => void>();
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
    if (!this.#isBegun) void this.#open(FIRST_PAUSE_MS);
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

  async #open(pauseMs: number): Promise<void> {
    try {
      const leave = await this.#database.listen(
        () => this.tell(),
        () => this.#later(FIRST_PAUSE_MS),
      );
      if (this.#isOver) leave();
      else this.#leave = leave;
      this.tell();
    } catch (error) {
      // Whoever asks the database hears why it cannot be reached.
      if (!(error instanceof TidingsError) && !this.#isOver) throw error;
      this.#later(pauseMs);
    }
  }

  #later(pauseMs: number): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void this.#open(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs);
    this.#timer.unref();
  }
}
