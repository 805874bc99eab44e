import { explainPostgresError, isLost, isPassing } from './postgres-errors.ts';
import type { PostgresSession } from './postgres-session.ts';

export interface PostgresTurnsOptions {
  readonly shown: string;
  readonly connect: () => Promise<PostgresSession>;
  /** Resolves after this time. */
  readonly wait: (ms: number) => Promise<void>;
  readonly statementTimeoutMs?: number;
}

const TRIES = 5;
const FIRST_PAUSE_MS = 100;
const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * One session that is opened when it is needed, used for one transaction after another, and reopened if it is lost. A transaction that fails for a temporary
 * reason is repeated, so it must be idempotent: nobody knows whether the last statement before a cut took effect.
 */
export class PostgresTurns implements AsyncDisposable {
  readonly #options: PostgresTurnsOptions;
  #session: PostgresSession | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PostgresTurnsOptions) {
    this.#options = options;
  }

  /** For several questions that belong together. */
  async read<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return await this.#inTurn('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
  }

  async write<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    return await this.#inTurn('BEGIN', work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#last;
    await this.#leave();
  }

  async #inTurn<T>(begin: string, work: (session: PostgresSession) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => await this.#patiently(begin, work));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async #patiently<T>(begin: string, work: (session: PostgresSession) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#once(begin, work);
      } catch (error) {
        if (attempt === TRIES || !isPassing(error)) throw explainPostgresError(this.#options.shown, error);
        await this.#options.wait(FIRST_PAUSE_MS * 3 ** (attempt - 1));
      }
    }
  }

  /** Deadlines are set in each transaction: a pooler between us gives each to another session of the server. */
  async #once<T>(begin: string, work: (session: PostgresSession) => Promise<T>): Promise<T> {
    const { connect, statementTimeoutMs = STATEMENT_TIMEOUT_MS } = this.#options;
    this.#session ??= await connect();
    const session = this.#session;
    try {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
      await session.query([begin, ...names.map((name) => `SET LOCAL ${name} = ${statementTimeoutMs}`)].join('; '));
      const result = await work(session);
      await session.query('COMMIT');
      return result;
    } catch (error) {
      if (isLost(error)) await this.#leave();
      else await session.query('ROLLBACK').catch(async () => await this.#leave());
      throw error;
    }
  }

  async #leave(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.end().catch(() => {});
  }
}
