import { randomUUID } from 'node:crypto';
import { WriteRefusedError } from '../../errors/write-refused-error.ts';
import type { Fence, Journal, JournalWrite, PlacedWrite } from '../../hub/cluster/journal.ts';
import type { Replica } from '../../hub/cluster/replica.ts';
import { packBody, type WriteBody } from './write-body.ts';

export interface OutgoingWrite extends Omit<JournalWrite, 'body' | 'fence'>, WriteBody {}

/** The placed writes, and the result of the last one. */
export interface MadeWrites {
  readonly placed: readonly PlacedWrite[];
  readonly result: unknown;
}

/** Sends writes to the journal and waits until they are made here, too. */
export class JournalWriter {
  /** Identifies this process among those that write to the same journal. */
  readonly id = randomUUID();
  readonly #journal: Journal;
  readonly #replica: Replica;
  readonly #begun = new Set<Promise<unknown>>();
  /** What was begun earlier is sent earlier, however long it takes to be packed. */
  #packed: Promise<unknown> = Promise.resolve();

  constructor(journal: Journal, replica: Replica) {
    this.#journal = journal;
    this.#replica = replica;
  }

  /** All in one step. Throws {@link WriteRefusedError} if they are refused: then none of them was made. */
  send(writes: readonly OutgoingWrite[], fence?: Fence): Promise<MadeWrites> {
    const sent = this.#send(writes, fence);
    this.#begun.add(sent);
    void sent.catch(() => undefined).then(() => this.#begun.delete(sent));
    return sent;
  }

  /** What was begun has ended, well or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#begun);
  }

  async #send(writes: readonly OutgoingWrite[], fence: Fence | undefined): Promise<MadeWrites> {
    const packing = Promise.all(writes.map((write) => packed(write, fence)));
    const before = this.#packed;
    this.#packed = Promise.allSettled([before, packing]);
    const [ready] = await Promise.all([packing, before]);
    const placed: PlacedWrite[] = [];
    for (const answer of await this.#journal.append(ready)) {
      if ('refused' in answer) throw new WriteRefusedError(answer.refused);
      placed.push(answer);
    }
    const results = await Promise.all(placed.map((write) => this.#replica.take(write)));
    return { placed, result: results.at(-1) };
  }
}

async function packed({ value, blobs = [], ...rest }: OutgoingWrite, fence: Fence | undefined): Promise<JournalWrite> {
  return { ...rest, body: await packBody({ value, blobs }), ...(fence !== undefined && { fence }) };
}
