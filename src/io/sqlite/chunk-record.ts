import { CodedError } from '../../errors/coded-error.ts';
import { sinkDamagedError } from '../../errors/sink-error.ts';
import { type ChunkRecord, createTurns, type RecordedPage } from '../../sync/chunk-record.ts';
import type { HeldPage } from '../../sync/sink.ts';
import { moveIntoMainFile, openDatabase, type SqliteDatabase } from './database.ts';
import { explainSinkFailure } from './sync-connection.ts';
import { lockFile } from './writer-lock.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tidings_chunk_record (
    url TEXT PRIMARY KEY, source TEXT NOT NULL, checksum TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID
`;
const PAGE_ROWS = 500;

/**
 * A record of the chunks in a vector store, in one SQLite file, which is made when it is not there. One process at a time.
 *
 * @example
 * const sink = langchainSink(vectorStore, { record: await openChunkRecord('docs-record.db') });
 */
export async function openChunkRecord(file: string): Promise<ChunkRecord> {
  const lock = await lockFile(`${file}.lock`);
  if (lock === undefined) {
    const message = `${file} is in use by another sync. Wait until it ends, or give this one a record and a store of its own.`;
    throw new CodedError('SinkLockedError', 'retry-later', message, { file });
  }
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(file);
    database.exec(SCHEMA);
    return recordIn(database, file, () => lock.release());
  } catch (error) {
    database?.close();
    await lock.release();
    throw explainSinkFailure(file, error);
  }
}

function recordIn(database: SqliteDatabase, file: string, release: () => Promise<void>): ChunkRecord {
  const sql = {
    after: database.prepare(
      'SELECT url, source, checksum FROM tidings_chunk_record WHERE url > ? ORDER BY url LIMIT ?',
    ),
    read: database.prepare('SELECT body FROM tidings_chunk_record WHERE url = ?'),
    write: database.prepare(
      'INSERT INTO tidings_chunk_record VALUES (?, ?, ?, ?) ON CONFLICT (url) DO UPDATE SET source = excluded.source, checksum = excluded.checksum, body = excluded.body',
    ),
    forget: database.prepare('DELETE FROM tidings_chunk_record WHERE url = ?'),
  };
  const explained = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw explainSinkFailure(file, error);
    }
  };
  return {
    inTurn: createTurns(),
    async *pages() {
      for (let last: string | undefined = ''; last !== undefined; ) {
        const after: string = last;
        const rows = await explained(() => sql.after.all(after, PAGE_ROWS) as HeldPage[]);
        for (const { url, source, checksum } of rows) yield { url, source, checksum };
        last = rows.at(-1)?.url;
      }
    },
    async read(url) {
      const row = await explained(() => sql.read.get(url) as { readonly body: string } | undefined);
      return row === undefined ? undefined : decodeBody(row.body, file);
    },
    async write(page) {
      await explained(() => sql.write.run(page.url, page.source, page.checksum, JSON.stringify(page)));
    },
    async forget(url) {
      await explained(() => sql.forget.run(url));
    },
    async [Symbol.asyncDispose]() {
      moveIntoMainFile(database);
      database.close();
      await release();
    },
  };
}

function decodeBody(body: string, file: string): RecordedPage {
  try {
    return JSON.parse(body) as RecordedPage;
  } catch (error) {
    throw sinkDamagedError(file, error);
  }
}
