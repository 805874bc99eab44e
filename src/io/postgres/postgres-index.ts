import { sinkSchemaError } from '../../errors/sink-error.ts';
import { ensureDimension, type IndexTables } from '../../sync/index-tables.ts';
import { PostgresPages } from './postgres-pages.ts';
import type { PostgresSession } from './postgres-session.ts';
import {
  createPostgresTables,
  createPostgresVectors,
  findVectorType,
  inspectPostgresTables,
  MAX_PGVECTOR_DIMENSION,
  quoted,
} from './postgres-tables.ts';

/** Held until the transaction ends. */
export const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

/** An index that is there. */
export interface FoundIndex {
  readonly schema: string;
  readonly pages: PostgresPages;
  /** Absent if no vectors are kept. */
  readonly vectorType?: string;
}

/** The tables of an index: checked in each transaction, since other users of the database may change them. */
export class PostgresIndex {
  readonly #shown: string;
  readonly #named: string | undefined;

  /** The schema is that of the connection unless one is named. */
  constructor(shown: string, named: string | undefined) {
    this.#shown = shown;
    this.#named = named;
  }

  /** Undefined if none was begun. Throws if something else is there, or vectors of another dimension. */
  async find(session: PostgresSession, wanted?: number): Promise<FoundIndex | undefined> {
    const schema = await this.#schema(session);
    const tables = await this.#inspect(session, schema, wanted);
    return tables.isThere ? await this.#found(session, schema, tables) : undefined;
  }

  /** Inside a transaction that writes: makes what is missing, one session at a time. */
  async make(session: PostgresSession, wanted: number | undefined): Promise<FoundIndex> {
    const schema = await this.#schema(session);
    let tables = await this.#inspect(session, schema, wanted);
    if (isWhole(tables, wanted)) return await this.#found(session, schema, tables);
    await session.query(LOCK, [`tidings index ${schema}`]);
    tables = await this.#inspect(session, schema, wanted);
    if (!tables.isThere) await createPostgresTables(session, schema);
    if (wanted !== undefined && tables.dimension === undefined) {
      const type = await findVectorType(session, this.#shown);
      await createPostgresVectors(session, schema, { type, dimension: wanted });
    }
    return await this.#found(session, schema, await this.#inspect(session, schema, wanted));
  }

  async #inspect(session: PostgresSession, schema: string, wanted: number | undefined): Promise<IndexTables> {
    const tables = await inspectPostgresTables(session, schema, this.#shown);
    ensureDimension({ place: this.#shown, maxDimension: MAX_PGVECTOR_DIMENSION }, tables.dimension, wanted);
    return tables;
  }

  async #found(session: PostgresSession, schema: string, { dimension }: IndexTables): Promise<FoundIndex> {
    const pages = new PostgresPages(quoted(schema));
    if (dimension === undefined) return { schema, pages };
    return { schema, pages, vectorType: await findVectorType(session, this.#shown) };
  }

  async #schema(session: PostgresSession): Promise<string> {
    if (this.#named !== undefined) return this.#named;
    const [row] = (await session.query('SELECT current_schema() AS schema')).rows as {
      readonly schema: string | null;
    }[];
    if (typeof row?.schema === 'string') return row.schema;
    throw sinkSchemaError(this.#shown, 'the search path of this user names no schema; name one with ?schema=');
  }
}

function isWhole({ isThere, dimension }: IndexTables, wanted: number | undefined): boolean {
  return isThere && (wanted === undefined || dimension !== undefined);
}
