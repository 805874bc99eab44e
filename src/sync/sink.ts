/**
 * Where an index is kept: a folder, a database, a vector store. Everything a sink holds is keyed by page; a page has sections, a section has chunks.
 *
 * Four methods. `put` is durable when it resolves. A sink that cannot write a page in one step writes what is new before it drops what is old, so
 * that whoever reads meanwhile finds each section in its old or its new form, and never none; cut off at any point, the next `put` of the same page
 * leaves exactly what it says. Putting the same page again changes nothing.
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
  /** What it holds of one page: enough to tell which sections and chunks need not be made again. */
  held(url: string): Promise<HeldSections | undefined>;
  /** The page is this from now on. Chunks without a vector keep the one that the sink has under their id. */
  put(page: SyncedPage): Promise<void>;
  /** Nothing of the page is left. One that is not there is no error. */
  remove(url: string): Promise<void>;
  /** Says that it cannot take pages of this pipeline, before any page is read: another schema, another dimension. Throws a TidingsError. */
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
  /** `''` for what stands before the first heading. */
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
  /** Unique in the page; `''` for what stands before the first heading. */
  readonly anchor: string;
  /** As plain text; `''` where there is none. */
  readonly heading: string;
  readonly markdown: string;
  /** `sha256:<hex>` of its content. */
  readonly checksum: string;
  readonly chunks: readonly Chunk[];
}

export interface Chunk {
  /** Made of its page, its section, its text and how often that stands there: neighbours that change leave it as it is. */
  readonly id: string;
  /** From 0, in its section. */
  readonly position: number;
  readonly text: string;
  readonly tokens: number;
  /** That of the pipeline that made it. */
  readonly fingerprint: string;
  /** Absent without embeddings, and where the sink has it already. */
  readonly vector?: Float32Array;
}

/** What turns a page into chunks: another one makes all of them anew. */
export interface Pipeline {
  /** Of extractor, chunker, embedding model and dimension. */
  readonly fingerprint: string;
  /** Absent without embeddings. */
  readonly embedding?: { readonly model: string; readonly dimension: number };
}
