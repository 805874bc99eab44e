import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import {
  answerClaim,
  type HostMark,
  type HostMemory,
  type KeptMark,
  type TurnAnswer,
  type TurnClaim,
} from '../../fetch/host-memory.ts';
import { LONGEST_HOST_PAUSE_MS } from '../../fetch/host-pauses.ts';
import { makeFolder } from '../files/make-folder.ts';
import { explainSqliteError, inTransaction, openDatabase, type SqliteDatabase } from './database.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS hosts (
    mark TEXT NOT NULL, host TEXT NOT NULL, until_ms INTEGER NOT NULL, PRIMARY KEY (mark, host)
  ) STRICT, WITHOUT ROWID
`;
/** Marks that ended this long ago are useless. */
const FORGET_AFTER_MS = 24 * 3600_000;

export interface SqliteHostMemoryOptions {
  readonly file: string;
  readonly nowMs: number;
}

/** Hosts in a file that outlives the process and that several of them may use at once. One that is damaged is moved aside. */
export async function openSqliteHostMemory({ file, nowMs }: SqliteHostMemoryOptions): Promise<HostMemory> {
  const memory = await openHostFile(file);
  try {
    memory.mend(nowMs);
    return memory;
  } catch (error) {
    await memory[Symbol.asyncDispose]();
    throw error;
  }
}

/** As {@link openSqliteHostMemory}, as it was left: nothing is written to a file that has its table. */
export async function openHostFile(file: string): Promise<SqliteHostMemory> {
  makeFolder(dirname(file));
  try {
    return await open(file);
  } catch (error) {
    if (!(error instanceof StateCorruptError)) throw error;
    renameSync(file, `${file}.damaged`);
    return await open(file);
  }
}

async function open(file: string): Promise<SqliteHostMemory> {
  const database = await openDatabase(file, { isExpendable: true });
  try {
    database.exec(SCHEMA);
    return new SqliteHostMemory(database, file);
  } catch (error) {
    database.close();
    throw explainSqliteError(file, error);
  }
}

interface MarkRow {
  readonly mark: HostMark;
  readonly host: string;
  readonly until_ms: number;
}

export class SqliteHostMemory implements HostMemory {
  readonly #database: SqliteDatabase;
  readonly #file: string;

  constructor(database: SqliteDatabase, file: string) {
    this.#database = database;
    this.#file = file;
  }

  marks(): KeptMark[] {
    const rows = this.#explained(() => this.#database.prepare('SELECT mark, host, until_ms FROM hosts').all());
    return (rows as MarkRow[]).map(({ mark, host, until_ms: untilMs }) => ({ mark, host, untilMs }));
  }

  async marked(mark: HostMark): Promise<readonly KeptMark[]> {
    return this.marks().filter((kept) => kept.mark === mark);
  }

  /** Drops what is long over, and cuts pauses that no host can ask for. */
  mend(nowMs: number): void {
    const oldestMs = Math.trunc(nowMs - FORGET_AFTER_MS);
    const latestMs = Math.trunc(nowMs + LONGEST_HOST_PAUSE_MS);
    this.#explained(() => {
      this.#database.prepare('DELETE FROM hosts WHERE until_ms < ?').run(oldestMs);
      this.#database
        .prepare(`UPDATE hosts SET until_ms = ? WHERE mark = 'pause' AND until_ms > ?`)
        .run(latestMs, latestMs);
    });
  }

  async until(mark: HostMark, host: string): Promise<number> {
    return this.#explained(() => this.#read(mark, host));
  }

  async extend(mark: HostMark, host: string, untilMs: number): Promise<void> {
    this.#explained(() => this.#write(mark, host, untilMs));
  }

  async forget(mark: HostMark, host: string): Promise<void> {
    this.#explained(() => this.#database.prepare('DELETE FROM hosts WHERE mark = ? AND host = ?').run(mark, host));
  }

  async claimTurn(host: string, { nowMs, busyUntilMs }: TurnClaim): Promise<TurnAnswer> {
    let answer: TurnAnswer = { busyUntilMs: 0, turnAtMs: 0 };
    this.#explained(() =>
      inTransaction(this.#database, () => {
        answer = answerClaim(this.#read('busy', host), this.#read('turn', host), nowMs);
        if (answer.busyUntilMs === 0 && answer.turnAtMs === 0) this.#replace('busy', host, busyUntilMs);
      }),
    );
    return answer;
  }

  async endTurn(host: string, turnAtMs: number): Promise<void> {
    this.#explained(() =>
      inTransaction(this.#database, () => {
        this.#replace('busy', host, 0);
        this.#replace('turn', host, turnAtMs);
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }

  #read(mark: HostMark, host: string): number {
    const row = this.#database.prepare('SELECT until_ms FROM hosts WHERE mark = ? AND host = ?').get(mark, host);
    return (row as { readonly until_ms: number } | undefined)?.until_ms ?? 0;
  }

  #replace(mark: HostMark, host: string, untilMs: number): void {
    this.#database
      .prepare('INSERT INTO hosts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until_ms = excluded.until_ms')
      .run(mark, host, Math.trunc(untilMs));
  }

  #write(mark: HostMark, host: string, untilMs: number): void {
    this.#database
      .prepare(
        'INSERT INTO hosts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until_ms = max(until_ms, excluded.until_ms)',
      )
      .run(mark, host, Math.trunc(untilMs));
  }

  #explained<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainSqliteError(this.#file, error);
    }
  }
}
