import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isSameHead } from '../../codecs/tlog/judge-checkpoint.ts';
import type { TreeHead } from '../../codecs/tlog/verify-proof.ts';
import type { Folder } from '../../model/folder.ts';
import type { WitnessEvidence, WitnessedHead, WitnessStore } from '../../witness/witness-store.ts';
import { createFileFolder } from '../files/folder.ts';
import { makeFolder } from '../files/make-folder.ts';
import { explainSqliteError, inTransaction, moveIntoMainFile, openDatabase, type SqliteDatabase } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS witnessed (
    origin TEXT PRIMARY KEY, origin_hash TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL, time INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS evidence (name TEXT PRIMARY KEY) STRICT;
`;
const DATABASE = 'witness.db';
const EVIDENCE = 'evidence';
/** Further lies of the same log prove nothing more. */
const MOST_EVIDENCE = 1000;

/** The state of a witness in a folder: a database, and evidence as files that can be handed on. */
export async function openSqliteWitnessStore(folder: string): Promise<WitnessStore> {
  makeFolder(folder);
  const file = join(folder, DATABASE);
  const database = await openDatabase(file);
  try {
    database.exec(SCHEMA);
    return new SqliteWitnessStore(database, file, createFileFolder(folder));
  } catch (error) {
    database.close();
    throw explainSqliteError(file, error);
  }
}

class SqliteWitnessStore implements WitnessStore {
  readonly #database: SqliteDatabase;
  readonly #file: string;
  readonly #folder: Folder;

  constructor(database: SqliteDatabase, file: string, folder: Folder) {
    this.#database = database;
    this.#file = file;
    this.#folder = folder;
  }

  headOf(origin: string): WitnessedHead | undefined {
    return this.#head('SELECT size, root, note, time FROM witnessed WHERE origin = ?', origin);
  }

  headOfHash(originHash: string): WitnessedHead | undefined {
    return this.#head('SELECT size, root, note, time FROM witnessed WHERE origin_hash = ?', originHash);
  }

  replaceHead(origin: string, before: TreeHead | undefined, head: WitnessedHead): boolean {
    const { treeSize, rootHash, note, time } = head;
    let isReplaced = false;
    this.#explained(() =>
      inTransaction(this.#database, () => {
        if (!isSameHead(this.headOf(origin), before)) return;
        const sql =
          'INSERT INTO witnessed VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (origin) DO UPDATE SET size = excluded.size, root = excluded.root, note = excluded.note, time = excluded.time';
        this.#database.prepare(sql).run(origin, sha256Hex(origin), treeSize, rootHash, note, Number(time));
        isReplaced = true;
      }),
    );
    return isReplaced;
  }

  async keepEvidence({ origin, reason, held = '', request }: WitnessEvidence): Promise<void> {
    const name = `${sha256Hex(origin).slice(0, 16)}-${sha256Hex(request).slice(0, 16)}`;
    const { known, kept } = this.#explained(() =>
      this.#database.prepare('SELECT count(*) AS kept, coalesce(sum(name = ?), 0) AS known FROM evidence').get(name),
    ) as { readonly kept: number; readonly known: number };
    if (known > 0 || kept >= MOST_EVIDENCE) return;
    await this.#folder.replace(`${EVIDENCE}/${name}/request`, request);
    await this.#folder.replace(`${EVIDENCE}/${name}/held`, Buffer.from(held));
    await this.#folder.replace(`${EVIDENCE}/${name}/reason`, Buffer.from(`${origin}\n${reason}\n`));
    this.#explained(() => this.#database.prepare('INSERT OR IGNORE INTO evidence VALUES (?)').run(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    moveIntoMainFile(this.#database);
    this.#database.close();
  }

  #head(sql: string, key: string): WitnessedHead | undefined {
    const row = this.#explained(() => this.#database.prepare(sql).get(key)) as HeadRow | undefined;
    if (row === undefined) return undefined;
    return {
      treeSize: row.size,
      rootHash: new Uint8Array(row.root),
      note: row.note,
      time: BigInt(row.time),
    };
  }

  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}

interface HeadRow {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
  readonly time: number;
}

function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
