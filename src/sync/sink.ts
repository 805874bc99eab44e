/**
 * Where an index is kept: a folder, a database, a vector store. Everything in a sink is keyed by page; a page has sections, a section has chunks.
 *
 * Four methods. `put` is durable when it resolves. A sink that cannot write a page atomically writes the new parts before it drops the old ones, so
 * that a concurrent reader finds each section in its old or its new form, and never none. After an interruption, the next `put` of the same page
 * restores exactly that page. Putting the same page again changes nothing.
 *
 * Every implementation passes `describeSink()` in sink.contract.ts.
 *
 * @example
 * const pages = new Map<string, SyncedPage>();
 * const sink: Sink = {
 *   async *pages() { for (const { url, source, checksum } of pages.values()) yield { url, source, checksum }; },
 *   async held(url) { return pages.get(url); },
 *   async put(page) { pages.set(page.url, page); },
 *   async remove(url) { pages.delete(url); },
 * };
 */
export interface Sink {
  /** Every page that it holds, in any order. */
  pages(): AsyncIterable<HeldPage>;
  /** What it holds of one page: enough to tell which sections and chunks need not be rebuilt. */
  held(url: string): Promise<HeldSections | undefined>;
  /** Replaces the page. Chunks without a vector keep the one that the sink has under their id. */
  put(page: SyncedPage): Promise<void>;
  /** Removes everything of the page. A missing page is not an error. */
  remove(url: string): Promise<void>;
  /** Refuses a pipeline whose pages it cannot take, before any page is read: another schema, another dimension. Throws a TidingsError. */
  prepare?(pipeline: Pipeline): Promise<void>;
  [Symbol.asyncDispose]?(): Promise<void>;
}

export interface HeldPage {
  readonly url: string;
  readonly source: string;
  /** Of the whole page. */
  readonly checksum: string;
}

export interface HeldSections extends HeldPage {
  readonly sections: readonly HeldSection[];
}

export interface HeldSection {
  /** `''` for the text before the first heading. */
  readonly anchor: string;
  readonly checksum: string;
  readonly chunks: readonly Pick<Chunk, 'id' | 'fingerprint'>[];
}

export interface SyncedPage extends HeldPage {
  readonly title: string;
  /** RFC 3339: when it was last found changed. */
  readonly updated: string;
  /** The whole page. */
  readonly markdown: string;
  /** In the order of the page. */
  readonly sections: readonly SyncedSection[];
}

export interface SyncedSection {
  /** Unique in the page; `''` for the text before the first heading. */
  readonly anchor: string;
  /** As plain text; `''` if there is none. */
  readonly heading: string;
  readonly markdown: string;
  /** `sha256:<hex>` of its content. */
  readonly checksum: string;
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  /** Derived from its page, its section, its text and how often that occurs there: changed neighbours do not affect it. */
  readonly id: string;
  /** From 0, in its section. */
  readonly position: number;
  readonly text: string;
  readonly tokens: number;
  /** Of the pipeline that made it. */
  readonly fingerprint: string;
  /** Absent without embeddings, and if the sink already has it. */
  readonly vector?: Float32Array;
}

/** What turns a page into chunks: with another pipeline, all chunks are rebuilt. */
export interface Pipeline {
  /** Of extractor, chunker, embedding model and dimension. */
  readonly fingerprint: string;
  /** Absent without embeddings. */
  readonly embedding?: { readonly model: string; readonly dimension: number };
}
