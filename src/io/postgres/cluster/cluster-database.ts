import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { driverMissingError } from '../../../errors/database-error.ts';
import { LogUnavailableError } from '../../../errors/log-error.ts';
import { isPassing, isSilence } from '../postgres-errors.ts';
import { quoted } from '../postgres-tables.ts';
import { parsePostgresTarget } from '../postgres-target.ts';
import { explainDatabaseError } from './cluster-errors.ts';
import { ServerClock } from './server-clock.ts';

export interface ClusterDatabaseOptions {
  /** `postgres://user@host/database?schema=tidings`; TLS as its `sslmode` says. */
  readonly url: string;
  /** Shown in the list of sessions of the server. */
  readonly applicationName?: string;
  readonly maxConnections?: number;
  readonly connectTimeoutMs?: number;
  readonly statementTimeoutMs?: number;
  /** The clock of this process. */
  readonly now?: () => number;
  readonly loadPg?: () => Promise<{ readonly default: { readonly Pool: typeof Pool } }>;
}

/** One statement after another, on one connection. */
export interface ClusterSession {
  query<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
}

const SCHEMA = 'tidings';
const MAX_CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** Whoever stops in the middle of a transaction holds others up no longer. */
const STANDSTILL_MS = 2000;
/** A later answer is not expected any more. */
const ANSWER_SLACK_MS = 2000;

/** How long a database that did not answer is not asked again. */
const SILENCE_MS = 2000;

/** Connects to nothing yet. Use {@link openClusterDatabase}, which also looks at what is there. */
export async function connectClusterDatabase(options: ClusterDatabaseOptions): Promise<ClusterDatabase> {
  const { url, loadPg = () => import('pg'), statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const { connectionString, shown, schema = SCHEMA } = parsePostgresTarget(url, '--database');
  const { default: pg } = await loadPg().catch((error: unknown) => {
    throw driverMissingError(shown, error);
  });
  const settings = {
    connectionString,
    application_name: options.applicationName ?? 'tidings',
    max: options.maxConnections ?? MAX_CONNECTIONS,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: STANDSTILL_MS,
    query_timeout: statementTimeoutMs + ANSWER_SLACK_MS,
    allowExitOnIdle: true,
  };
  // Without a listener a lost connection ends the process, idle or working; the caller hears of it anyway.
  const openPool = () =>
    new pg.Pool(settings).on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return new ClusterDatabase(openPool, { shown, schema, now: options.now ?? Date.now });
}

/** The connections of one process, each with its limits. What fails is said in our words. */
export class ClusterDatabase implements AsyncDisposable {
  /** For messages. */
  readonly shown: string;
  /** As it is named. */
  readonly schemaName: string;
  /** The schema as a prefix of table names. */
  readonly schema: string;
  /** Notifications there reach every process that shares the journal. */
  readonly channel: string;
  readonly clock: ServerClock;
  readonly #openPool: () => Pool;
  readonly #listening = new Set<() => void>();
  #pool: Pool;
  #isProven = false;
  #isClosed = false;
  #silence: { readonly untilMs: number; readonly error: unknown } | undefined;

  constructor(
    openPool: () => Pool,
    place: { readonly shown: string; readonly schema: string; readonly now: () => number },
  ) {
    this.#openPool = openPool;
    this.#pool = openPool();
    this.shown = place.shown;
    this.schemaName = place.schema;
    this.schema = quoted(place.schema);
    this.channel = `tidings_${createHash('sha256').update(place.schema).digest('hex').slice(0, 16)}`;
    this.clock = new ServerClock(place.now);
  }

  /** One statement that may be made twice: a connection that died while nobody looked is replaced without a word. */
  async ask<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return await this.#twice(async () => (await this.#pool.query(text, [...values])).rows as Row[]);
  }

  /**
   * Statements that need no values and may be made twice: one transaction, and one way there and back. Each sees what was committed before it began. Resolves to
   * the rows of each.
   */
  async askTogether(statements: readonly string[]): Promise<readonly (readonly unknown[])[]> {
    return await this.#twice(async () => {
      const results: unknown = await this.#pool.query(statements.join(';\n'));
      return (Array.isArray(results) ? results : [results]).map(({ rows }) => rows);
    });
  }

  /** What `work` throws leaves nothing. Where the end itself is cut off nobody knows: see `onEnd`. */
  async inTransaction<T>(work: (session: ClusterSession) => Promise<T>, onEnd?: () => void): Promise<T> {
    return await this.#explained(async () => {
      const client = await this.#pool.connect();
      try {
        await client.query('BEGIN');
        const result = await work(sessionOf(client));
        onEnd?.();
        await client.query('COMMIT');
        client.release();
        return result;
      } catch (error) {
        // The server takes it back when the connection ends.
        client.release(true);
        throw error;
      }
    });
  }

  /** Calls back for each word on the channel, until it is left or lost. */
  async listen(onWord: () => void, onLost: () => void): Promise<() => void> {
    return await this.#explained(async () => {
      const client = await this.#pool.connect();
      let isLeft = false;
      const leave = () => {
        if (isLeft) return;
        isLeft = true;
        this.#listening.delete(lose);
        client.release(true);
      };
      const lose = () => {
        if (isLeft) return;
        leave();
        onLost();
      };
      client.on('notification', onWord).on('error', lose).on('end', lose);
      this.#listening.add(lose);
      try {
        await client.query(`LISTEN ${quoted(this.channel)}`);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    });
  }

  /** A hub has worked on it: later faults are changes from outside, and may be repaired. */
  prove(): void {
    this.#isProven = true;
  }

  async compareClocks(): Promise<void> {
    await this.clock.compare(async () => {
      const [row] = await this.ask<{ readonly ms: number }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms',
      );
      return row?.ms ?? 0;
    });
  }

  /** Later calls fail as with an unreachable database, so that running loops may ask once more. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#pool.end();
  }

  /**
   * No answer came in time. Other open connections are as dead as this one, and each would cause the same wait: none of them is used again. Concurrent callers
   * fail at once.
   */
  #heardNothing(error: unknown): void {
    this.#silence = { untilMs: performance.now() + SILENCE_MS, error };
    const old = this.#pool;
    this.#pool = this.#openPool();
    for (const lose of this.#listening) lose();
    old.end().catch(() => {});
  }

  async #twice<T>(work: () => Promise<T>): Promise<T> {
    return await this.#explained(async () => {
      try {
        return await work();
      } catch (error) {
        if (!isPassing(error) || isSilence(error)) throw error;
        return await work();
      }
    });
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedError(this.shown);
    if (this.#silence !== undefined && performance.now() < this.#silence.untilMs) throw this.#silence.error;
    const pool = this.#pool;
    try {
      return await work();
    } catch (error) {
      if (this.#isClosed) throw closedError(this.shown);
      const explained = explainDatabaseError(this.shown, error, this.#isProven);
      if (isSilence(error) && pool === this.#pool) this.#heardNothing(explained);
      throw explained;
    }
  }
}

function closedError(shown: string): LogUnavailableError {
  return new LogUnavailableError(shown, new Error('this process has left it'), 'Start the process again.');
}

function sessionOf(client: PoolClient): ClusterSession {
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
  };
}
