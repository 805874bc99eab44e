import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sinkDamagedError, sinkUnavailableError } from '../../errors/sink-error.ts';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { ensureDimension } from '../../sync/index-tables.ts';
import { makeFolder } from '../files/make-folder.ts';
import {
  type ExtensibleDatabase,
  explainSqliteError,
  inTransaction,
  openDatabase,
  SQLITE_BUSY,
  sqliteCode,
} from './database.ts';
import { SyncPages } from './sync-pages.ts';
import { createSyncTables, inspectSyncTables } from './sync-schema.ts';
import {
  createVectorTable,
  type LoadVec,
  loadVectorExtension,
  MAX_VEC0_DIMENSION,
  SyncVectors,
} from './sync-vectors.ts';

export interface SqliteSinkOptions {
  /** Made with the first page, with the folders above it. */
  readonly file: string;
  /** How long a write waits for another one. */
  readonly busyTimeoutMs?: number;
  readonly loadVec?: LoadVec;
  readonly open?: typeof openDatabase;
}

/** An open index. */
export interface SyncConnection {
  readonly database: ExtensibleDatabase;
  readonly pages: SyncPages;
  /** Absent if no vectors are kept. */
  readonly vectors?: SyncVectors;
  readonly dimension?: number;
}

/** Opens an index for reading; undefined if none was begun. The file stays as it is, byte for byte. */
export async function openSyncReader(options: SqliteSinkOptions, embeds: boolean): Promise<SyncConnection | undefined> {
  const { file, open = openDatabase } = options;
  if (!existsSync(file)) return undefined;
  const database = await open(file, { readonly: true, allowExtension: true });
  return await closedOnError(database, async () => {
    const { isThere, dimension } = inspectSyncTables(database, file);
    // Whoever embeds nothing asks for no vector.
    if (isThere) return await connect(database, options, embeds ? dimension : undefined);
    database.close();
    return undefined;
  });
}

/** Opens an index for writing, and makes what is not there yet: all of it, or the vectors. */
export async function openSyncWriter(options: SqliteSinkOptions, wanted: number | undefined): Promise<SyncConnection> {
  const { file, busyTimeoutMs, loadVec, open = openDatabase } = options;
  await inspectFile(options, wanted);
  makeFolder(dirname(resolve(file)));
  const database = await open(file, { allowExtension: true });
  return await closedOnError(database, async () => {
    if (busyTimeoutMs !== undefined) database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (wanted !== undefined) await loadVectorExtension(database, file, loadVec);
    inTransaction(database, () => {
      const { isThere, dimension } = inspectSyncTables(database, file);
      ensureDimension({ place: file, maxDimension: MAX_VEC0_DIMENSION }, dimension, wanted);
      if (!isThere) createSyncTables(database);
      if (dimension === undefined && wanted !== undefined) createVectorTable(database, wanted);
    });
    return await connect(database, options, inspectSyncTables(database, file).dimension);
  });
}

/** Whether a file can become or is an index for vectors of a dimension, without a byte written. */
async function inspectFile(
  { file, open = openDatabase }: SqliteSinkOptions,
  wanted: number | undefined,
): Promise<void> {
  ensureDimension({ place: file, maxDimension: MAX_VEC0_DIMENSION }, undefined, wanted);
  if (!existsSync(file)) return;
  const database = await open(file, { readonly: true });
  try {
    ensureDimension(
      { place: file, maxDimension: MAX_VEC0_DIMENSION },
      inspectSyncTables(database, file).dimension,
      wanted,
    );
  } finally {
    database.close();
  }
}

/** What a failure of SQLite means to a sync. Anything else passes through. */
export function explainSinkFailure(file: string, error: unknown): unknown {
  if (((sqliteCode(error) ?? 0) & 0xff) === SQLITE_BUSY) {
    return sinkUnavailableError(file, new Error('another process is writing to it', { cause: error }));
  }
  const explained = explainSqliteError(file, error);
  return explained instanceof StateCorruptError ? sinkDamagedError(file, explained) : explained;
}

async function connect(
  database: ExtensibleDatabase,
  { file, loadVec }: SqliteSinkOptions,
  dimension: number | undefined,
): Promise<SyncConnection> {
  const pages = new SyncPages(database);
  if (dimension === undefined) return { database, pages };
  await loadVectorExtension(database, file, loadVec);
  return { database, pages, vectors: new SyncVectors(database), dimension };
}

async function closedOnError<T>(database: ExtensibleDatabase, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    database.close();
    throw error;
  }
}
