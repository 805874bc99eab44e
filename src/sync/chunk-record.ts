import type { HeldPage, HeldSections } from './sink.ts';

/**
 * The content of a store that cannot be queried: the chunks of each page, and which ids may be left over from an interrupted put.
 *
 * `write` and `forget` are durable when they resolve. The record belongs to its store: with an empty record beside a full store, nothing would be
 * deleted.
 */
export interface ChunkRecord extends AsyncDisposable {
  pages(): AsyncIterable<HeldPage>;
  read(url: string): Promise<RecordedPage | undefined>;
  write(page: RecordedPage): Promise<void>;
  forget(url: string): Promise<void>;
  /** Runs `work` while no other user of the record is working. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export interface RecordedPage extends HeldSections {
  /** Ids that may be in the store but do not belong to the page. */
  readonly strays: readonly string[];
}

/** For a store that also ends with its process. */
export function createMemoryChunkRecord(): ChunkRecord {
  const pages = new Map<string, RecordedPage>();
  const inTurn = createTurns();
  return {
    inTurn,
    async *pages() {
      for (const { url, source, checksum } of [...pages.values()]) yield { url, source, checksum };
    },
    read: async (url) => pages.get(url),
    async write(page) {
      pages.set(page.url, page);
    },
    async forget(url) {
      pages.delete(url);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** One after another, in the order in which they came. */
export function createTurns(): ChunkRecord['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return await turn;
  };
}
