import { othersFirst } from '../../../log/others-first.ts';

/** Lets a few of many callers continue in each turn of the event loop, first come first served. */
export class ReaderTurns {
  readonly #atOnce: number;
  #waiting: (() => void)[] = [];
  #isGiving = false;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  next(): Promise<void> {
    return new Promise((resume) => {
      this.#waiting.push(resume);
      if (!this.#isGiving) void this.#give();
    });
  }

  async #give(): Promise<void> {
    this.#isGiving = true;
    while (this.#waiting.length > 0) {
      await othersFirst();
      for (const resume of this.#waiting.splice(0, this.#atOnce)) resume();
    }
    this.#isGiving = false;
  }
}
