import { setTimeout as pause } from 'node:timers/promises';
import { ensureVectors } from '../../sync/ensure-vectors.ts';
import { withoutVectorless } from '../../sync/held-sections.ts';
import type { HeldPage, HeldSections, Pipeline, Sink, SyncedPage } from '../../sync/sink.ts';
import { LOCK, PostgresIndex } from './postgres-index.ts';
import type { PageRow } from './postgres-pages.ts';
import { connectPostgres, type LoadPg, type PostgresSession, type SessionTimeouts } from './postgres-session.ts';
import { findVectorType } from './postgres-tables.ts';
import { parsePostgresTarget } from './postgres-target.ts';
import { PostgresTurns } from './postgres-turns.ts';

export interface PostgresSinkOptions extends SessionTimeouts {
  /** `postgres://user@host/database?schema=docs`. */
  readonly url: string;
  readonly statementTimeoutMs?: number;
  readonly loadPg?: LoadPg;
  /** Another way to the database than `pg` and the address. */
  readonly connect?: () => Promise<PostgresSession>;
  readonly wait?: (ms: number) => Promise<void>;
}

/** An index in PostgreSQL: the tables of SQLite, with pgvector. Nothing is opened or made before it is needed. */
export function openPostgresSink(options: PostgresSinkOptions): PostgresSink {
  return new PostgresSink(options);
}

/** One transaction for each page, under a lock on that page, so that several syncs take turns. */
export class PostgresSink implements Sink {
  readonly #turns: PostgresTurns;
  readonly #shown: string;
  readonly #index: PostgresIndex;
  #pipeline: Pipeline | undefined;

  /** Use {@link openPostgresSink}. */
  constructor({ url, connect, loadPg, statementTimeoutMs, wait = waitFor, ...timeouts }: PostgresSinkOptions) {
    const { connectionString, shown, schema } = parsePostgresTarget(url);
    this.#shown = shown;
    this.#index = new PostgresIndex(shown, schema);
    this.#turns = new PostgresTurns({
      shown,
      connect: connect ?? (async () => await connectPostgres(shown, { connectionString }, { loadPg, ...timeouts })),
      wait,
      ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
    });
  }

  /** Reads only: what is made is made with the first page. */
  async prepare(pipeline: Pipeline): Promise<void> {
    this.#pipeline = pipeline;
    const dimension = pipeline.embedding?.dimension;
    await this.#turns.read(async (session) => {
      await this.#index.find(session, dimension);
      if (dimension !== undefined) await findVectorType(session, this.#shown);
    });
  }

  async *pages(): AsyncGenerator<HeldPage, void> {
    for (let last: string | undefined = '0'; last !== undefined; ) {
      const after: string = last;
      const rows: readonly PageRow[] = await this.#turns.read(
        async (session) => (await (await this.#index.find(session))?.pages.after(session, after)) ?? [],
      );
      for (const { url, source, checksum } of rows) yield { url, source, checksum };
      last = rows.at(-1)?.id;
    }
  }

  async held(url: string): Promise<HeldSections | undefined> {
    const wanted = this.#pipeline?.embedding?.dimension;
    return await this.#turns.read(async (session) => {
      const index = await this.#index.find(session, wanted);
      const held = await index?.pages.held(session, url, wanted !== undefined && index.vectorType !== undefined);
      const isWithoutAny = wanted !== undefined && index?.vectorType === undefined;
      return held !== undefined && isWithoutAny ? withoutVectorless(held, () => false) : held;
    });
  }

  async put(page: SyncedPage): Promise<void> {
    const wanted = this.#pipeline?.embedding?.dimension;
    const vectors = ensureVectors(page, wanted);
    await this.#turns.write(async (session) => {
      const { pages, schema, vectorType } = await this.#index.make(session, wanted ?? firstLength(vectors));
      await session.query(LOCK, [`tidings page ${schema} ${page.url}`]);
      await pages.put(session, page);
      if (vectorType !== undefined && vectors.size > 0) await pages.putVectors(session, vectors, vectorType);
    });
  }

  async remove(url: string): Promise<void> {
    await this.#turns.write(async (session) => {
      // An index is not begun to forget something.
      const index = await this.#index.find(session);
      if (index === undefined) return;
      await session.query(LOCK, [`tidings page ${index.schema} ${url}`]);
      await index.pages.remove(session, url);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turns[Symbol.asyncDispose]();
  }
}

async function waitFor(ms: number): Promise<void> {
  await pause(ms);
}

function firstLength(vectors: ReadonlyMap<string, Float32Array>): number | undefined {
  return vectors.values().next().value?.length;
}
