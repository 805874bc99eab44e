import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import type { LogStart } from '../../log/log-start.ts';
import { beginCatalogue, type CataloguePlace, readCataloguePlace } from './catalogue-schema.ts';
import { SqliteCatalogueTables } from './catalogue-tables.ts';
import { explainSqliteError, inTransaction, openDatabase, type SqliteDatabase } from './database.ts';

export interface CatalogueFileOptions {
  /** Where the log lies. */
  readonly folder: string;
  /** Which log it is. */
  readonly epoch: string | undefined;
  readonly logStart: LogStart | undefined;
  /** The id of the change with that `seq`; undefined if the log does not have it. */
  readonly idAt: (seq: number) => Promise<string | undefined>;
  /** What is there is thrown away first. */
  readonly isDamaged: boolean;
}

export const CATALOGUE_FILE = 'catalogue.sqlite';

/** Deletes the catalogue beside a log: the next start of its hub rebuilds it. */
export async function removeCatalogue(folder: string): Promise<void> {
  await removeFiles(join(folder, CATALOGUE_FILE));
}

/** The catalogue beside a log. One that has another format, belongs to another log, is ahead of its end or is damaged is deleted and rebuilt. */
export async function openSqliteCatalogue(options: CatalogueFileOptions): Promise<SqliteCatalogueTables> {
  const file = join(options.folder, CATALOGUE_FILE);
  if (options.isDamaged) await removeFiles(file);
  const kept = await openFitting(file, options).catch((error: unknown) => {
    if (error instanceof StateCorruptError) return undefined;
    throw error;
  });
  if (kept !== undefined) return kept;
  await removeFiles(file);
  const database = await openExpendable(file);
  const { epoch = '', logStart } = options;
  const place = { epoch, seq: logStart?.seq ?? 0, id: logStart?.id ?? '', start: logStart?.seq ?? 0 };
  return ending(database, file, () => {
    inTransaction(database, () => beginCatalogue(database, place));
    return new SqliteCatalogueTables({ database, file, place });
  });
}

/** Undefined where what is there does not fit. */
async function openFitting(file: string, options: CatalogueFileOptions): Promise<SqliteCatalogueTables | undefined> {
  const database = await openExpendable(file);
  const place = ending(database, file, () => readCataloguePlace(database));
  if (place === undefined || !(await fits(place, options))) {
    database.close();
    return undefined;
  }
  return ending(database, file, () => new SqliteCatalogueTables({ database, file, place }));
}

async function fits({ epoch, seq, id }: CataloguePlace, options: CatalogueFileOptions): Promise<boolean> {
  if (epoch !== (options.epoch ?? '')) return false;
  const { logStart } = options;
  if (seq === (logStart?.seq ?? 0)) return id === (logStart?.id ?? '');
  return seq > (logStart?.seq ?? 0) && (await options.idAt(seq)) === id;
}

async function openExpendable(file: string): Promise<SqliteDatabase> {
  const database = await openDatabase(file, { isExpendable: true });
  // In small pieces: a writer waits until they are moved into the main file.
  return ending(database, file, () => {
    database.exec('PRAGMA wal_autocheckpoint = 250');
    return database;
  });
}

/** Closes the database on failure. */
function ending<T>(database: SqliteDatabase, file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    database.close();
    throw explainSqliteError(file, error);
  }
}

async function removeFiles(file: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(file + ending, { force: true });
}
