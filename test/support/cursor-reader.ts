import { setImmediate as turn } from 'node:timers/promises';

/** The numbers after a place, in order. */
export type NumbersAfter = (after: number) => Promise<readonly number[]>;

/** Reads on by number, like every reader with a cursor: it never sees what appears before its position. */
export class CursorReader {
  readonly seen: number[] = [];
  readonly #read: NumbersAfter;

  constructor(read: NumbersAfter) {
    this.#read = read;
  }

  get last(): number {
    return this.seen.at(-1) ?? 0;
  }

  async readOn(): Promise<void> {
    this.seen.push(...(await this.#read(this.last)));
  }

  /** Reads until the work is done, and once more afterwards. */
  async readWhile(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await this.readOn();
      await turn();
    }
    await over;
    await this.readOn();
  }

  /** How many of the existing numbers it missed. */
  passedOver(all: readonly number[]): number {
    const seen = new Set(this.seen);
    return all.filter((number) => !seen.has(number)).length;
  }
}
