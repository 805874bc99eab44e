import { execFile } from 'node:child_process';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openRawDatabase } from './database.ts';
import { DATABASE_FILE } from './log.ts';

export interface SqliteEngine {
  readonly module: string;
  readonly version: string;
}

const BUILTIN = 'node:sqlite';
const PACKAGE = '@photostructure/sqlite';

/** Which SQLite is used here. Throws what its loading throws. */
export async function sqliteEngine(): Promise<SqliteEngine> {
  const database = await openRawDatabase(':memory:');
  try {
    const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { readonly version: string };
    return { module: isBuiltin(BUILTIN) ? BUILTIN : PACKAGE, version };
  } finally {
    database.close();
  }
}

export type DatabaseCheck =
  | { readonly is: 'sound' }
  | { readonly is: 'damaged'; readonly faults: readonly string[] }
  /** It was not done in time, or could not be begun. */
  | { readonly is: 'undone'; readonly because: string };

const MOST_FAULTS = 5;

/** Nothing ends a statement of SQLite from within its process, so the check has one of its own, which can be killed. */
const SCRIPT = `
  const [module, file] = process.argv.slice(-2);
  const loaded = await import(module);
  const { DatabaseSync } = loaded.DatabaseSync === undefined ? loaded.default : loaded;
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
  const rows = database.prepare('PRAGMA quick_check(${MOST_FAULTS})').all();
  process.stdout.write(JSON.stringify(rows.map((row) => String(Object.values(row)[0]))));
`;

/**
 * Whether the database of a data folder is whole, as far as `PRAGMA quick_check` tells. It reads the whole file, beside a writer
 * too, and is given up after `timeoutMs`.
 */
export async function checkDatabase(folder: string, timeoutMs: number): Promise<DatabaseCheck> {
  const module = isBuiltin(BUILTIN) ? BUILTIN : pathToFileURL(createRequire(import.meta.url).resolve(PACKAGE)).href;
  const flags = ['--no-warnings', '--input-type=module', '-e', SCRIPT, '--', module, join(folder, DATABASE_FILE)];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const faults = JSON.parse(stdout) as readonly string[];
    return faults.length === 1 && faults[0] === 'ok' ? { is: 'sound' } : { is: 'damaged', faults };
  } catch (error) {
    const { killed, stderr } = error as { readonly killed?: boolean; readonly stderr?: string };
    if (killed) return { is: 'undone', because: `it takes longer than ${timeoutMs / 1000} s` };
    const fault = /^Error: (.*)$/m.exec(stderr ?? '')?.[1] ?? String(error).slice(0, 300);
    return /malformed|not a database/.test(fault)
      ? { is: 'damaged', faults: [fault] }
      : { is: 'undone', because: fault };
  }
}
