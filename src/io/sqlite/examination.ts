import { statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { StateCorruptError } from '../../errors/state-corrupt-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { askBeside, BUILTIN, PACKAGE } from './beside.ts';
import { explainSqliteError, openDatabase, openRawDatabase, type SqliteDatabase } from './database.ts';
import { DATABASE_FILE } from './log.ts';

export interface SqliteEngine {
  readonly module: string;
  readonly version: string;
}

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

/** Up to this size a look at every page holds up nobody for long. */
const SMALL_BYTES = 4 * 1024 * 1024;
/** A start does not wait longer for the look at a larger one: `doctor` takes more time. */
const START_CHECK_MS = 5000;

/**
 * Fails with {@link StateCorruptError} if the database of a data folder is damaged, as far as `PRAGMA quick_check` finds in time. Writes nothing, not even the
 * pending content of a write-ahead log.
 */
export async function ensureSound(folder: string): Promise<void> {
  const file = join(folder, DATABASE_FILE);
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes === 0) return;
  const faults = bytes <= SMALL_BYTES ? await faultsOf(file) : await faultsInTime(folder);
  if (faults.length === 0) return;
  const remedy = `Bring a copy made by "tidings backup" back: tidings restore <file> --data ${folder} --replace.`;
  throw new StateCorruptError(file, `the database is damaged (${faults.join('; ')}).`, remedy);
}

async function faultsInTime(folder: string): Promise<readonly string[]> {
  const check = await checkDatabase(folder, START_CHECK_MS);
  return check.is === 'damaged' ? check.faults : [];
}

/** Other obstacles, such as permissions, are reported better when the file is opened for use. */
async function faultsOf(file: string): Promise<readonly string[]> {
  let database: SqliteDatabase | undefined;
  try {
    database = await openDatabase(file, { readonly: true });
    const rows = database.prepare(`PRAGMA quick_check(${MOST_FAULTS})`).all();
    const said = rows.map((row) => String(Object.values(row as object)[0]));
    return said.length === 1 && said[0] === 'ok' ? [] : said;
  } catch (error) {
    const explained = explainSqliteError(file, error);
    if (explained instanceof StateCorruptError) return [String((explained.cause as Error).message)];
    if (explained instanceof TidingsError) return [];
    throw error;
  } finally {
    database?.close();
  }
}

/** Nothing stops a statement of SQLite from within its process, so the check has a separate one, which can be killed. */
const SCRIPT = `
  const rows = database.prepare('PRAGMA quick_check(${MOST_FAULTS})').all();
  process.stdout.write(JSON.stringify(rows.map((row) => String(Object.values(row)[0]))));
`;

/**
 * Whether the database of a data folder is sound, as far as `PRAGMA quick_check` finds. It reads the whole file, even beside a writer, and is given up after
 * `timeoutMs`.
 */
export async function checkDatabase(folder: string, timeoutMs: number): Promise<DatabaseCheck> {
  try {
    const stdout = await askBeside(SCRIPT, join(folder, DATABASE_FILE), { timeoutMs });
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
