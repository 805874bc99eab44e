import { execFile } from 'node:child_process';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

export const BUILTIN = 'node:sqlite';
export const PACKAGE = '@photostructure/sqlite';

const OPEN = `
  const [module, file, argument] = process.argv.slice(-3);
  const loaded = await import(module);
  const { DatabaseSync } = loaded.DatabaseSync === undefined ? loaded.default : loaded;
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 5000');
`;

interface BesideOptions {
  /** For the script, as `argument`. */
  readonly argument?: string;
  /** Given up after this time. */
  readonly timeoutMs?: number;
}

/**
 * Runs a script that has `database` open for reading, in a separate process: a statement of SQLite blocks its process until it ends, and can only be stopped
 * with it. Resolves to its output.
 */
export async function askBeside(
  script: string,
  file: string,
  { argument = '', timeoutMs = 0 }: BesideOptions = {},
): Promise<string> {
  const module = isBuiltin(BUILTIN) ? BUILTIN : pathToFileURL(createRequire(import.meta.url).resolve(PACKAGE)).href;
  const flags = ['--no-warnings', '--input-type=module', '-e', OPEN + script, '--', module, file, argument];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: timeoutMs, killSignal: 'SIGKILL' });
  return stdout;
}

/** Copies a database as it is at one moment, beside its writer. */
export async function copyBeside(file: string, target: string): Promise<void> {
  await askBeside(`database.prepare('VACUUM INTO ?').run(argument)`, file, { argument: target });
}
