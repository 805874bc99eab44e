import { ensureVectors } from '../../sync/ensure-vectors.ts';
import { withoutVectorless } from '../../sync/held-sections.ts';
import { ensureDimension } from '../../sync/index-tables.ts';
import type { HeldPage, HeldSections, Pipeline, Sink, SyncedPage } from '../../sync/sink.ts';
import { inTransaction, moveIntoMainFile } from './database.ts';
import {
  explainSinkFailure,
  openSyncReader,
  openSyncWriter,
  type SqliteSinkOptions,
  type SyncConnection,
} from './sync-connection.ts';
import { ensureVectorExtension, MAX_VEC0_DIMENSION } from './sync-vectors.ts';

/** An index in one SQLite file: sections with their full text, chunks with their vectors. Nothing is opened or made before it is needed. */
export function openSqliteSink(options: SqliteSinkOptions): SqliteSink {
  return new SqliteSink(options);
}

/** One transaction for each page, so that readers of the file meet a page before or after a put and never within it. */
export class SqliteSink implements Sink {
  readonly #options: SqliteSinkOptions;
  #pipeline: Pipeline | undefined;
  #reader: SyncConnection | undefined;
  #writer: SyncConnection | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** Use {@link openSqliteSink}. */
  constructor(options: SqliteSinkOptions) {
    this.#options = options;
  }

  /** Reads only: what is made is made with the first page. */
  async prepare(pipeline: Pipeline): Promise<void> {
    const { file, loadVec } = this.#options;
    await this.#inTurn(async () => {
      this.#pipeline = pipeline;
      this.#closeReader();
      const { dimension } = (await this.#reading()) ?? {};
      ensureDimension({ place: file, maxDimension: MAX_VEC0_DIMENSION }, dimension, pipeline.embedding?.dimension);
      if (pipeline.embedding !== undefined && dimension === undefined) await ensureVectorExtension(file, loadVec);
    });
  }

  async *pages(): AsyncGenerator<HeldPage, void> {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const after: string = last;
      const rows: readonly HeldPage[] = await this.#inTurn(
        async () => (await this.#reading())?.pages.after(after) ?? [],
      );
      for (const { url, source, checksum } of rows) yield { url, source, checksum };
      last = rows.at(-1)?.url;
    }
  }

  async held(url: string): Promise<HeldSections | undefined> {
    return await this.#inTurn(async () => {
      const connection = await this.#reading();
      const held = connection?.pages.held(url);
      if (held === undefined || this.#pipeline?.embedding === undefined) return held;
      return withoutVectorless(held, (chunk) => connection?.vectors?.has(chunk) ?? false);
    });
  }

  async put(page: SyncedPage): Promise<void> {
    await this.#inTurn(async () => {
      const vectors = ensureVectors(page, this.#pipeline?.embedding?.dimension);
      const { database, ...index } = await this.#writing(vectors.values().next().value?.length);
      inTransaction(database, () => {
        for (const chunk of index.pages.put(page)) index.vectors?.remove(chunk);
        for (const [chunk, vector] of vectors) index.vectors?.put(chunk, vector);
      });
    });
  }

  async remove(url: string): Promise<void> {
    await this.#inTurn(async () => {
      // An index is not begun to forget something.
      if ((await this.#reading()) === undefined) return;
      const { database, pages, vectors } = await this.#writing();
      inTransaction(database, () => {
        for (const chunk of pages.remove(url)) vectors?.remove(chunk);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(async () => {
      this.#closeReader();
      this.#closeWriter();
    });
  }

  /** Undefined if no index was begun. */
  async #reading(): Promise<SyncConnection | undefined> {
    this.#reader ??= this.#writer ?? (await openSyncReader(this.#options, this.#pipeline?.embedding !== undefined));
    return this.#reader;
  }

  /** With a place for vectors if they are wanted: by the pipeline, or by a page that arrived without preparation. */
  async #writing(vectorLength?: number): Promise<SyncConnection> {
    const wanted = this.#pipeline?.embedding?.dimension ?? vectorLength;
    if (this.#writer === undefined || (this.#writer.dimension === undefined && wanted !== undefined)) {
      this.#closeReader();
      this.#closeWriter();
      this.#writer = await openSyncWriter(this.#options, wanted);
    }
    ensureDimension({ place: this.#options.file, maxDimension: MAX_VEC0_DIMENSION }, this.#writer.dimension, wanted);
    return this.#writer;
  }

  #closeReader(): void {
    if (this.#reader !== this.#writer) this.#reader?.database.close();
    this.#reader = undefined;
  }

  #closeWriter(): void {
    if (this.#writer === undefined) return;
    moveIntoMainFile(this.#writer.database);
    this.#writer.database.close();
    this.#writer = undefined;
  }

  /** One after another: what is opened for one is there for the next. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work).catch((error: unknown) => {
      throw explainSinkFailure(this.#options.file, error);
    });
    this.#last = turn.catch(() => {});
    return await turn;
  }
}
