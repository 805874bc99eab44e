import type { ShelfDocument } from '../../shelf.ts';
import type { TlogBatch } from './tlog-batch.ts';
import type { TlogState } from './tlog-state.ts';

/** What other shelves say beyond the log. */
export interface OthersDocuments {
  readonly documentsSince: (seq: number) => AsyncIterable<ShelfDocument>;
  /** How far the log has become documents. */
  readonly documentsSeq: () => number;
  /** Where readers find the hub; empty while it is not known. */
  readonly baseUrl: () => string;
}

/** Documents of others, as they are looked through. */
interface DocumentRound {
  readonly documents: AsyncIterator<ShelfDocument>;
  /** The paths of those that never change. */
  readonly told: Set<string>;
  /** How far the log has become documents. */
  readonly after: number;
}

const DOCUMENTS_AT_ONCE = 25;

/** Looks through the documents of others, some at a time, and has those that are new told by their hashes. */
export class DocumentRounds {
  readonly #others: OthersDocuments;
  /** Undefined between two of them. */
  #round: DocumentRound | undefined;
  /** What was told in the last rounds and never changes: the same second may be looked through again. */
  #told: readonly ReadonlySet<string>[] = [];

  constructor(others: OthersDocuments) {
    this.#others = others;
  }

  /** Whether a round is begun and not at its end. */
  get isRunning(): boolean {
    return this.#round !== undefined;
  }

  /** Whether others have made documents of changes that no round has reached. */
  hasNew({ documentsSeq, seq }: TlogState): boolean {
    return Math.min(this.#others.documentsSeq(), seq) > documentsSeq;
  }

  /** Nothing begins where there is nothing new. */
  begin(state: TlogState): void {
    // Documents name the address of the hub: before it listens there are none.
    const areReady = state.identity !== undefined && this.#others.baseUrl() !== '';
    if (!areReady || !this.hasNew(state)) return;
    const after = Math.min(this.#others.documentsSeq(), state.seq);
    const documents = this.#others.documentsSince(state.documentsSeq)[Symbol.asyncIterator]();
    this.#round = { documents, told: new Set(), after };
  }

  /** Adds some of the round that runs to a batch. Behind the last of them the round is over. */
  async addSome(batch: TlogBatch): Promise<void> {
    const round = this.#round;
    if (round === undefined || !(await this.#isThrough(round, batch))) return;
    batch.documentsReach(round.after);
    this.#round = undefined;
    this.#told = [round.told, ...this.#told].slice(0, 2);
  }

  /** Gives up the round that runs: what it has told may not be stored. */
  giveUp(): void {
    this.#round = undefined;
  }

  async #isThrough({ documents, told, after }: DocumentRound, batch: TlogBatch): Promise<boolean> {
    for (let count = 0; count < DOCUMENTS_AT_ONCE; count += 1) {
      const next = await documents.next();
      if (next.done) return true;
      const { path, lasts } = next.value;
      if (lasts) told.add(path);
      if (!lasts || !this.#told.some((paths) => paths.has(path))) batch.addDocument(next.value, after);
    }
    return false;
  }
}
