import { join } from 'node:path';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import type { Sink } from '../sync/sink.ts';

export interface OpenSinkOptions {
  /** The folder in which a sink records its content if it cannot be queried. */
  readonly state: string;
  readonly signal: AbortSignal;
  /** Called with the output of a user's command. */
  readonly onLine?: (line: string) => void;
}

type OpenScheme = (target: string, options: OpenSinkOptions) => Promise<Sink>;

/** By the word before the colon. Each sink is loaded on demand. */
const SCHEMES: Readonly<Record<string, OpenScheme>> = {
  dir: async (target) => (await import('../io/files/dir-sink.ts')).openDirSink(target),
  sqlite: async (target) => (await import('../io/sqlite/sync-sink.ts')).openSqliteSink({ file: target }),
  postgres: openPostgres,
  postgresql: openPostgres,
  exec: async (target, { state, signal, onLine = () => {} }) =>
    (await import('../io/node/exec-sink.ts')).openExecSink(target, { folder: join(state, 'exec'), signal, onLine }),
};

/**
 * Opens a sink by its address: `dir:./mirror`, `sqlite:docs.db`, `postgres://…`, `exec:./take-page`.
 *
 * @example
 * const sink = await openSink('dir:./mirror', { state: '.tidings/sync', signal });
 */
export async function openSink(address: string, options: OpenSinkOptions): Promise<Sink> {
  const [, scheme = '', target = ''] = /^([a-z]+):(.*)$/is.exec(address) ?? [];
  const open = SCHEMES[scheme.toLowerCase()];
  const known = Object.keys(SCHEMES)
    .map((name) => `${name}:`)
    .join(', ');
  if (open === undefined) throw new SettingRefusedError('--to', shown(address), `Give one of ${known} and where.`);
  if (target.trim() === '') throw new SettingRefusedError('--to', shown(address), `Say where, behind ${scheme}:.`);
  return await open(target, options);
}

async function openPostgres(target: string): Promise<Sink> {
  return (await import('../io/postgres/sync-sink.ts')).openPostgresSink({ url: `postgres:${target}` });
}

/** The address of a database may contain a password. */
function shown(address: string): string {
  return address.includes('@') ? `${/^\w*:/.exec(address)?.[0] ?? ''}…` : address;
}
