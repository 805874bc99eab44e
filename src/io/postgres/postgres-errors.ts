import { CodedError } from '../../errors/coded-error.ts';
import { sinkUnavailableError } from '../../errors/sink-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: what only a person can change, and what the next try may find otherwise. */
const FOR_A_PERSON: Readonly<Record<string, string>> = {
  '28000': 'Check the user and how the server lets it in (pg_hba.conf).',
  '28P01': 'Check the user and its password (PGPASSWORD).',
  '3D000': 'Make the database first: createdb.',
  '3F000': 'Make the schema first, or name another one with ?schema=.',
  '42501': 'Grant this user CREATE on the schema, and its own tables.',
};
/** What `pg` and TLS say before there is a session. */
const UNHEARD: readonly (readonly [RegExp, string])[] = [
  [/^SASL/, 'Give the password of the user (PGPASSWORD).'],
  [/certificate|does not support SSL/i, 'Check sslmode in the address, and the certificate of the server.'],
];
const PASSES = /^(?:08|57P|40001|40P01|53300|55P03)/;

/** Whether the same question can be asked once more at once: the connection is gone, or another session was in the way. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TidingsError) return false;
  const code = sqlStateOf(error);
  if (code !== undefined) return PASSES.test(code);
  return isOfTheConnection(error);
}

/** Whether no answer came in time, by the messages of `pg`: another try waits as long again. */
export function isSilence(error: unknown): boolean {
  return (
    error instanceof Error && /^timeout expired$|^Query read timeout$| due to connection timeout$/.test(error.message)
  );
}

/** Whether the session can no longer be used. */
export function isLost(error: unknown): boolean {
  const code = sqlStateOf(error);
  return code === undefined ? isOfTheConnection(error) : /^(?:08|57P)/.test(code);
}

/** What a failure of PostgreSQL means to a sync. A bug passes through. */
export function explainPostgresError(shown: string, error: unknown): unknown {
  if (error instanceof TidingsError) return error;
  const code = sqlStateOf(error);
  const remedy = code === undefined ? unheardRemedy(error) : FOR_A_PERSON[code];
  if (remedy !== undefined) {
    const message = `${shown} does not let Tidings keep an index: ${postgresReason(error)}. ${remedy}`;
    return new CodedError('SinkRefusedError', 'fix-config', message, { place: shown });
  }
  // 42 and 0A: a statement that the server does not understand is ours to mend.
  if (code === undefined ? !isOfTheConnection(error) : /^(?:42|0A)/.test(code)) return error;
  return sinkUnavailableError(shown, new Error(postgresReason(error)));
}

export function unheardRemedy(error: unknown): string | undefined {
  return UNHEARD.find(([words]) => error instanceof Error && words.test(error.message))?.[1];
}

export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined;
}

/** From the system (ECONNREFUSED, ENOTFOUND, several at once), or by the messages of `pg`, which has no codes for this. */
export function isOfTheConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z_]+$/.test(error.code))
    return !error.code.startsWith('ERR_');
  if (error instanceof AggregateError) return error.errors.some(isOfTheConnection);
  return /^(?:Connection terminated|timeout e|Query read timeout|Client (?:has|was))/i.test(error.message);
}

export function postgresReason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(postgresReason).join(', ');
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.replace(/\.$/, '').slice(0, 300);
}
