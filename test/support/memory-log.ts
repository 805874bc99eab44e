import { LogLockedError } from '../../src/errors/log-error.ts';
import type { Log, ReadRange } from '../../src/log/log.ts';
import { placeChanges } from '../../src/log/place-changes.ts';
import { readBounds } from '../../src/log/read-bounds.ts';
import type { Change, ChangeDraft } from '../../src/model/change.ts';

/** The place of memory logs: their content outlives the handle, but not the process. */
export class MemoryPlace {
  readonly changes: Change[] = [];
  locked = false;
}

export interface MemoryLogOptions {
  readonly place?: MemoryPlace;
  readonly now: () => number;
  readonly random: (size: number) => Uint8Array;
}

/** A log for tests. */
export class MemoryLog implements Log {
  readonly #place: MemoryPlace;
  readonly #now: () => number;
  readonly #random: (size: number) => Uint8Array;
  #open = true;

  constructor({ place = new MemoryPlace(), now, random }: MemoryLogOptions) {
    if (place.locked) throw new LogLockedError('this memory', 'open the log');
    place.locked = true;
    this.#place = place;
    this.#now = now;
    this.#random = random;
  }

  async append(drafts: readonly ChangeDraft[]): Promise<Change[]> {
    this.#ensureOpen();
    const last = this.#place.changes.at(-1);
    const changes = placeChanges(drafts, { last, nowMs: this.#now(), random: this.#random });
    this.#place.changes.push(...structuredClone(changes));
    return changes;
  }

  async *read(range: ReadRange = {}): AsyncGenerator<Change> {
    const { after, limit } = readBounds(range);
    this.#ensureOpen();
    for (let index = after; index < Math.min(this.#place.changes.length, after + limit); index += 1) {
      yield structuredClone(this.#place.changes[index]) as Change;
    }
  }

  async last(): Promise<Change | undefined> {
    this.#ensureOpen();
    return structuredClone(this.#place.changes.at(-1));
  }

  async close(): Promise<void> {
    if (this.#open) this.#place.locked = false;
    this.#open = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #ensureOpen(): void {
    if (!this.#open) throw new Error('The log is closed.');
  }
}
