import { SettingRefusedError } from '../../errors/setting-refused-error.ts';

export interface PostgresTarget {
  /** As `pg` takes it; holds a password where one was given. */
  readonly connectionString: string;
  /** That of the connection if none is named. */
  readonly schema?: string;
  /** For messages: without password and options. */
  readonly shown: string;
}

/** What PostgreSQL keeps of a name. */
const MAX_NAME_BYTES = 63;
const REMEDY = 'Write postgres://user@host:5432/database?schema=docs, and the password into PGPASSWORD.';

/**
 * `postgres://…`, `postgresql://…` or `postgres:postgres://…`, with `?schema=` for the place of the tables. A text that is no such address is
 * not repeated: it may hold a password.
 */
export function parsePostgresTarget(text: string, setting = '--to'): PostgresTarget {
  const address = text.replace(/^postgres(?:ql)?:(?=postgres(?:ql)?:)/, '');
  const url = /^postgres(?:ql)?:\/\//.test(address) ? parsed(address) : undefined;
  if (url === undefined)
    throw new SettingRefusedError(setting, 'postgres:…', `It is no address of a database. ${REMEDY}`);
  const schema = url.searchParams.get('schema');
  url.searchParams.delete('schema');
  if (schema !== null && (schema === '' || schema.includes('\0') || Buffer.byteLength(schema) > MAX_NAME_BYTES)) {
    throw new SettingRefusedError('schema', JSON.stringify(schema.slice(0, 100)), 'Name a schema of at most 63 bytes.');
  }
  const user = url.username === '' ? '' : `${decodeURIComponent(url.username)}@`;
  const host = url.host === '' ? (url.searchParams.get('host') ?? '') : decodeURIComponent(url.host);
  const shown = `postgres://${user}${host}${url.pathname}${schema === null ? '' : ` (schema ${schema})`}`;
  return { connectionString: schema === null ? address : url.href, shown, ...(schema !== null && { schema }) };
}

function parsed(text: string): URL | undefined {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username + url.host + url.password);
    return url;
  } catch {
    return undefined;
  }
}
