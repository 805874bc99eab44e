import { decodeTermsNote } from '../../model/terms-note.ts';
import type { ChangeTail } from '../push/change-tail.ts';
import type { TermsSign } from './alert-rules.ts';

export interface TermsWatchParts {
  readonly tail: Pick<ChangeTail, 'seq' | 'read'>;
  /** How far the log was read before; undefined for the first time, which begins with what is new. */
  readonly seq: number | undefined;
}

const BATCH = 500;
/** How many batches are read in one look; the next one reads the rest. */
const BATCHES = 20;

/** Reads the log for what says otherwise what pages may be used for. */
export class TermsWatch {
  readonly #tail: TermsWatchParts['tail'];
  #seq: number;

  constructor({ tail, seq }: TermsWatchParts) {
    this.#tail = tail;
    this.#seq = Math.min(seq ?? tail.seq, tail.seq);
  }

  /** How far it has read. */
  get seq(): number {
    return this.#seq;
  }

  /** What is new since the last time. */
  async read(): Promise<readonly TermsSign[]> {
    const found: TermsSign[] = [];
    for (let batch = 0; batch < BATCHES && this.#seq < this.#tail.seq; batch++) {
      const events = await this.#tail.read(this.#seq, BATCH);
      for (const { change } of events) {
        const { id, source, url, note = '', time } = change;
        if (decodeTermsNote(note) === undefined) continue;
        found.push({ changeId: id, source, url, note: note.split('; ')[0] ?? '', atMs: Date.parse(time) });
      }
      // A log that was cut begins further on.
      this.#seq = events.at(-1)?.change.seq ?? this.#tail.seq;
    }
    return found;
  }
}
