import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LogUnavailableError } from '../../../errors/log-error.ts';
import type { Journal, JournalEnd, JournalWrite, PlacedWrite, WriteAnswer } from '../../../hub/cluster/journal.ts';
import type { WritesInPlace } from '../../../hub/cluster/place-writes.ts';
import { placeChanges } from '../../../log/place-changes.ts';
import type { Change } from '../../../model/change.ts';
import { encodeBody } from '../../sqlite/log-schema.ts';
import { AppendQueue } from './append-queue.ts';
import { appendWrites } from './append-writes.ts';
import type { ClusterDatabase } from './cluster-database.ts';
import { JournalNews } from './journal-news.ts';
import { readEnd, readWrites } from './read-writes.ts';

export interface PostgresJournalOptions {
  readonly wait?: (ms: number) => Promise<void>;
}

const TRIES = 5;
const FIRST_PAUSE_MS = 50;

/** The journal in PostgreSQL. Calls that come while a transaction runs share the next one. The database is not its own. */
export class PostgresJournal implements Journal {
  readonly #database: ClusterDatabase;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #queue = new AppendQueue(async (calls) => (await this.#patiently(calls)).answers);
  readonly #news: JournalNews;
  #isOpen = true;

  constructor(database: ClusterDatabase, { wait = async (ms) => await pause(ms) }: PostgresJournalOptions = {}) {
    this.#database = database;
    this.#wait = wait;
    this.#news = new JournalNews(database);
  }

  async append(writes: readonly JournalWrite[]): Promise<readonly WriteAnswer[]> {
    this.#ensureOpen();
    for (const { drafts = [] } of writes) ensureDrafts(drafts);
    if (writes.length === 0) return [];
    const { clock } = this.#database;
    const byTheirClock = writes.map((write) => withPlanAt(write, (ms) => clock.toTheirs(ms)));
    return await this.#queue.append(byTheirClock);
  }

  async read(afterRev: number, limit: number): Promise<readonly PlacedWrite[]> {
    this.#ensureOpen();
    return await readWrites(this.#database, afterRev, limit);
  }

  async end(): Promise<JournalEnd> {
    this.#ensureOpen();
    return await readEnd(this.#database);
  }

  async rewrite(change: Change): Promise<void> {
    this.#ensureOpen();
    const { schema } = this.#database;
    await this.#database.ask(`UPDATE ${schema}.changes SET body = $2 WHERE seq = $1`, [change.seq, encodeBody(change)]);
  }

  onNews(listener: () => void): Disposable {
    this.#ensureOpen();
    return this.#news.on(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    await this.#queue[Symbol.asyncDispose]();
    this.#news[Symbol.dispose]();
  }

  /** What passes is tried again, and once more only when it is certain that nothing was made. */
  async #patiently(calls: readonly (readonly JournalWrite[])[]): Promise<WritesInPlace> {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await this.#once(calls);
      if (outcome.made !== undefined) return outcome.made;
      if (attempt === TRIES || !(outcome.error instanceof LogUnavailableError)) throw outcome.error;
      await this.#wait(FIRST_PAUSE_MS * 3 ** (attempt - 1));
    }
  }

  async #once(
    calls: readonly (readonly JournalWrite[])[],
  ): Promise<{ readonly made?: WritesInPlace; readonly error?: unknown }> {
    const { shown, schema, channel } = this.#database;
    const stamp = randomBytes(9).toString('base64url');
    let ending: WritesInPlace | undefined;
    let isEnding = false;
    try {
      const made = await this.#database.inTransaction(
        async (session) => {
          ending = await appendWrites(session, calls, { shown, schema, channel, stamp, random: randomBytes });
          return ending;
        },
        () => {
          isEnding = true;
        },
      );
      return { made };
    } catch (error) {
      if (!isEnding || ending === undefined) return { error };
      return (await this.#wasMade(ending, stamp, error)) ? { made: ending } : { error };
    }
  }

  /** After a commit that was cut off: whether the writes are in their place. Throws the cause while that is unknown. */
  async #wasMade({ placed }: WritesInPlace, stamp: string, cause: unknown): Promise<boolean> {
    const rev = placed[0]?.rev;
    if (rev === undefined) return true;
    const { schema } = this.#database;
    for (let attempt = 1; attempt <= TRIES; attempt += 1) {
      await this.#wait(FIRST_PAUSE_MS * 3 ** (attempt - 1));
      try {
        return await this.#database.inTransaction(async (session) => {
          // Behind this lock the transaction has ended, one way or the other.
          await session.query(`SELECT FROM ${schema}.head FOR UPDATE`);
          const rows = await session.query(`SELECT FROM ${schema}.writes WHERE rev = $1 AND stamp = $2`, [rev, stamp]);
          return rows.length > 0;
        });
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
      }
    }
    throw cause;
  }

  #ensureOpen(): void {
    if (!this.#isOpen) throw new Error('The journal is closed.');
  }
}

/** Refuses an invalid draft to its caller, before it can spoil the group of others. */
function ensureDrafts(drafts: NonNullable<JournalWrite['drafts']>): void {
  placeChanges(drafts, { last: undefined, nowMs: 0, random: (size) => new Uint8Array(size) });
}

function withPlanAt(write: JournalWrite, at: (ms: number) => number): JournalWrite {
  if (write.plan === undefined) return write;
  const plan = write.plan.map((planned) =>
    planned.dueAtMs === undefined ? planned : { ...planned, dueAtMs: at(planned.dueAtMs) },
  );
  return { ...write, plan };
}
