import type { ClientConfig } from 'pg';
import { sinkPartMissingError } from '../../errors/sink-error.ts';

/** One connection to a database. */
export interface PostgresSession {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  end(): Promise<void>;
}

export type LoadPg = () => Promise<{ readonly default: { readonly Client: typeof import('pg').Client } }>;

export interface SessionTimeouts {
  readonly connectTimeoutMs?: number;
  /** How long an answer is waited for: longer than the server itself takes to give up. */
  readonly answerTimeoutMs?: number;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 90_000;

/** Connects through `pg`, which is loaded now. Throws what it throws. */
export async function connectPostgres(
  shown: string,
  config: ClientConfig,
  options: SessionTimeouts & { readonly loadPg?: LoadPg | undefined } = {},
): Promise<PostgresSession> {
  const {
    loadPg = () => import('pg'),
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    answerTimeoutMs = ANSWER_TIMEOUT_MS,
  } = options;
  const { default: pg } = await loadPg().catch((error: unknown) => {
    throw sinkPartMissingError(shown, 'the package pg', 'Install it beside tidings: npm i pg', error);
  });
  const client = new pg.Client({
    application_name: 'tidings',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: answerTimeoutMs,
    ...config,
  });
  // Without a listener a lost connection ends the process; the next caller hears of it anyway.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return {
    query: async (text, values) => await client.query(text, values === undefined ? undefined : [...values]),
    end: async () => await client.end(),
  };
}
