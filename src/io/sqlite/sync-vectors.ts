import { sinkPartMissingError } from '../../errors/sink-error.ts';
import { type ExtensibleDatabase, openRawDatabase, type SqliteDatabase, type SqliteStatement } from './database.ts';

export type LoadVec = () => Promise<{ load(database: ExtensibleDatabase): void }>;

/** The most that vec0 takes. */
export const MAX_VEC0_DIMENSION = 8192;

/** Lets a database read and write vectors. Throws if the package is missing. */
export async function loadVectorExtension(
  database: ExtensibleDatabase,
  file: string,
  loadVec: LoadVec = () => import('sqlite-vec'),
): Promise<void> {
  try {
    const { load } = await loadVec();
    database.enableLoadExtension(true);
    load(database);
    database.enableLoadExtension(false);
  } catch (error) {
    const remedy = 'Install it beside tidings: npm i sqlite-vec';
    throw sinkPartMissingError(`The index ${file} with its vectors`, 'the package sqlite-vec', remedy, error);
  }
}

/** Whether vectors can be kept here at all, before there is a file. Throws where not. */
export async function ensureVectorExtension(file: string, loadVec?: LoadVec): Promise<void> {
  const database = await openRawDatabase(':memory:', { allowExtension: true });
  try {
    await loadVectorExtension(database, file, loadVec);
  } finally {
    database.close();
  }
}

/** With the dimension that it then has for good. Inside a transaction. */
export function createVectorTable(database: SqliteDatabase, dimension: number): void {
  const columns = `chunk_id TEXT PRIMARY KEY, embedding FLOAT[${dimension}] distance_metric=cosine`;
  database.exec(`CREATE VIRTUAL TABLE chunk_vectors USING vec0(${columns})`);
}

/** Vectors by the id of their chunk. */
export class SyncVectors {
  readonly #sql: Record<'find' | 'insert' | 'delete', SqliteStatement>;

  constructor(database: SqliteDatabase) {
    this.#sql = {
      find: database.prepare('SELECT embedding FROM chunk_vectors WHERE chunk_id = ?'),
      insert: database.prepare('INSERT INTO chunk_vectors (chunk_id, embedding) VALUES (?, ?)'),
      delete: database.prepare('DELETE FROM chunk_vectors WHERE chunk_id = ?'),
    };
  }

  has(chunk: string): boolean {
    return this.#sql.find.get(chunk) !== undefined;
  }

  /** vec0 has no upsert, and room that was once taken is not given back: an equal vector stays as it is. */
  put(chunk: string, vector: Float32Array): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    const held = this.#sql.find.get(chunk) as { readonly embedding: Uint8Array } | undefined;
    if (held !== undefined && Buffer.compare(held.embedding, bytes) === 0) return;
    if (held !== undefined) this.#sql.delete.run(chunk);
    this.#sql.insert.run(chunk, bytes);
  }

  remove(chunk: string): void {
    this.#sql.delete.run(chunk);
  }
}
