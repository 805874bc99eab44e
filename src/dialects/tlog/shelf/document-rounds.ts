import type { ShelfDocument, ShelfSource } from '../../shelf.ts';
import type { TlogBatch } from './tlog-batch.ts';
import type { TlogState } from './tlog-state.ts';

/** The documents of the other shelves. */
export interface OthersDocuments {
  readonly documentsSince: (seq: number) => AsyncIterable<ShelfDocument>;
  /** The documents that show the name of a source. */
  readonly documentsNaming: (source: string) => AsyncIterable<ShelfDocument>;
  readonly sourceOf: (id: string) => ShelfSource | undefined;
  /** How far the log has been turned into documents. */
  readonly documentsSeq: () => number;
  /** The public address of the hub; empty while it is not known. */
  readonly baseUrl: () => string;
}

/** One pass through the documents of other shelves. */
interface DocumentRound {
  readonly documents: AsyncIterator<ShelfDocument>;
  /** The paths of documents that never change. */
  readonly told: Set<string>;
  /** How far the log has been turned into documents. */
  readonly after: number;
  /** The sources whose name has changed. */
  readonly renamed: readonly string[];
}

const DOCUMENTS_AT_ONCE = 25;

/** Goes through the documents of other shelves, some at a time, and adds the hashes of new ones to the log. */
export class DocumentRounds {
  readonly #others: OthersDocuments;
  /** Undefined between two rounds. */
  #round: DocumentRound | undefined;
  /** Lasting documents that the last rounds added, because the same second may be read again. */
  #told: readonly ReadonlySet<string>[] = [];
  /** The names of sources when they were last read. */
  readonly #names = new Map<string, string>();
  /** Sources whose name has changed, or was not read since the start. */
  readonly #renamed = new Set<string>();

  constructor(others: OthersDocuments) {
    this.#others = others;
  }

  /** Whether a round has begun and is not complete. */
  get isRunning(): boolean {
    return this.#round !== undefined;
  }

  /** Takes sources whose name may have changed. */
  noteNames(ids: Iterable<string>): void {
    for (const id of ids) {
      const { title, url } = this.#others.sourceOf(id) ?? {};
      const name = JSON.stringify([title, url]);
      if (url === undefined || this.#names.get(id) === name) continue;
      this.#names.set(id, name);
      this.#renamed.add(id);
    }
  }

  /** Whether other shelves have documents of changes that no round has reached, or a source has a new name. */
  hasNew({ documentsSeq, seq, identity }: TlogState): boolean {
    if (Math.min(this.#others.documentsSeq(), seq) > documentsSeq) return true;
    return this.#renamed.size > 0 && identity !== undefined;
  }

  /** Begins a round, if there is anything new. */
  begin(state: TlogState): void {
    // Documents contain the address of the hub, so there are none before it listens.
    const areReady = state.identity !== undefined && this.#others.baseUrl() !== '';
    if (!areReady || !this.hasNew(state)) return;
    const after = Math.min(this.#others.documentsSeq(), state.seq);
    const renamed = [...this.#renamed];
    this.#renamed.clear();
    const documents = this.#documentsOf(state.documentsSeq, after, renamed);
    this.#round = { documents, told: new Set(), after, renamed };
  }

  /** Adds some documents of the current round to a batch. After the last one the round is over. */
  async addSome(batch: TlogBatch): Promise<void> {
    const round = this.#round;
    if (round === undefined || !(await this.#isThrough(round, batch))) return;
    batch.documentsReach(round.after);
    this.#round = undefined;
    this.#told = [round.told, ...this.#told].slice(0, 2);
  }

  /** Gives up the current round, because what it added may not have been stored. */
  giveUp(): void {
    for (const id of this.#round?.renamed ?? []) this.#renamed.add(id);
    this.#round = undefined;
  }

  async *#documentsOf(
    reached: number,
    after: number,
    renamed: readonly string[],
  ): AsyncGenerator<ShelfDocument, void, undefined> {
    if (after > reached) yield* this.#others.documentsSince(reached);
    for (const id of renamed) yield* this.#others.documentsNaming(id);
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
