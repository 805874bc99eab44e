import type { ShelfDocument, ShelfSource } from '../../shelf.ts';
import type { TlogBatch } from './tlog-batch.ts';
import type { TlogState } from './tlog-state.ts';

/** What other shelves say beyond the log. */
export interface OthersDocuments {
  readonly documentsSince: (seq: number) => AsyncIterable<ShelfDocument>;
  /** Those that follow how a source is called. */
  readonly documentsNaming: (source: string) => AsyncIterable<ShelfDocument>;
  readonly sourceOf: (id: string) => ShelfSource | undefined;
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
  /** The sources that are called otherwise than before. */
  readonly renamed: readonly string[];
}

const DOCUMENTS_AT_ONCE = 25;

/** Looks through the documents of others, some at a time, and has those that are new told by their hashes. */
export class DocumentRounds {
  readonly #others: OthersDocuments;
  /** Undefined between two of them. */
  #round: DocumentRound | undefined;
  /** What was told in the last rounds and never changes: the same second may be looked through again. */
  #told: readonly ReadonlySet<string>[] = [];
  /** How sources were called when somebody last looked. */
  readonly #names = new Map<string, string>();
  /** Those that are called otherwise, or were not looked at since the start. */
  readonly #renamed = new Set<string>();

  constructor(others: OthersDocuments) {
    this.#others = others;
  }

  /** Whether a round is begun and not at its end. */
  get isRunning(): boolean {
    return this.#round !== undefined;
  }

  /** These may be called otherwise than before. */
  noteNames(ids: Iterable<string>): void {
    for (const id of ids) {
      const { title, url } = this.#others.sourceOf(id) ?? {};
      const name = JSON.stringify([title, url]);
      if (url === undefined || this.#names.get(id) === name) continue;
      this.#names.set(id, name);
      this.#renamed.add(id);
    }
  }

  /** Whether others have made documents of changes that no round has reached, or name a source otherwise. */
  hasNew({ documentsSeq, seq, identity }: TlogState): boolean {
    if (Math.min(this.#others.documentsSeq(), seq) > documentsSeq) return true;
    return this.#renamed.size > 0 && identity !== undefined;
  }

  /** Nothing begins where there is nothing new. */
  begin(state: TlogState): void {
    // Documents name the address of the hub: before it listens there are none.
    const areReady = state.identity !== undefined && this.#others.baseUrl() !== '';
    if (!areReady || !this.hasNew(state)) return;
    const after = Math.min(this.#others.documentsSeq(), state.seq);
    const renamed = [...this.#renamed];
    this.#renamed.clear();
    const documents = this.#documentsOf(state.documentsSeq, after, renamed);
    this.#round = { documents, told: new Set(), after, renamed };
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
