import type { HeldPage, HeldSections } from './sink.ts';

/**
 * What stands in a store that cannot be asked for what it holds: of each page its chunks, and which ids may be left over of a put that was cut off.
 *
 * `write` and `forget` are durable when they resolve. It lives and dies with its store: an empty record beside a full store knows of nothing that is to be
 * deleted.
 */
export interface ChunkRecord extends AsyncDisposable {
  pages(): AsyncIterable<HeldPage>;
  read(url: string): Promise<RecordedPage | undefined>;
  write(page: RecordedPage): Promise<void>;
  forget(url: string): Promise<void>;
  /** Runs `work` while nobody else who shares the record is at work. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export interface RecordedPage extends HeldSections {
  /** Ids of the store that may be there and are not of the page. */
  readonly strays: readonly string[];
}

/** For a store that ends with its process, too. */
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
