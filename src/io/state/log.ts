import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LogFullError, LogMissingError, LogUnavailableError } from '../../errors/log-error.ts';
import { stateContradictionError } from '../../errors/state-refusals.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { Log, ReadRange } from '../../log/log.ts';
import { decodeLogFile, encodeLogHeader, encodeLogLines } from '../../log/log-file.ts';
import { placeChanges } from '../../log/place-changes.ts';
import { readBounds } from '../../log/read-bounds.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import { growFile } from '../files/growth.ts';
import { lockFolder, type WriterLock } from '../sqlite/writer-lock.ts';

export interface FileLogOptions {
  /** The path of `log.ndjson`. Its first append makes it. */
  readonly file: string;
  /** The site whose log this is; a file that names another one is refused. */
  readonly site: string;
  readonly readonly?: boolean;
  /** The caller's own lock on the folder of `file`. Without it the log takes and releases one. */
  readonly lock?: WriterLock;
  /** What the file holds, from a caller that has read and checked it under that lock. */
  readonly known?: { readonly text: string; readonly last: Change | undefined };
  readonly now?: () => number;
  readonly random?: (size: number) => Uint8Array;
}

export async function openFileLog(options: FileLogOptions): Promise<FileLog> {
  const folder = dirname(options.file);
  if (options.readonly) {
    const log = new FileLog(options, undefined);
    await log.load();
    if (!(await exists(options.file))) throw new LogMissingError(options.file);
    return log;
  }
  await makeFolder(folder);
  const ownLock = options.lock === undefined ? await lockFolder(folder, 'open the log') : undefined;
  try {
    const log = new FileLog(options, ownLock);
    await log.load();
    return log;
  } catch (error) {
    await ownLock?.release();
    throw error;
  }
}

/**
 * The log of a published site: plain lines in one file, which is replaced as a whole by each append.
 *
 * It is held in memory and checked from end to end when it is opened. An append costs a copy of the file: it is
 * for one batch per publish, not for a stream of single changes.
 */
export class FileLog implements Log {
  readonly #options: FileLogOptions;
  readonly #ownLock: WriterLock | undefined;
  /** One change each, without its line end. */
  #lines: string[] = [];
  #last: Change | undefined;
  /** Which version of the file `#lines` holds; undefined when that must be found out again. */
  #loaded: string | undefined;
  #known: FileLogOptions['known'];
  #turn: Promise<unknown> = Promise.resolve();
  #open = true;

  /** Use {@link openFileLog}. */
  constructor(options: FileLogOptions, ownLock: WriterLock | undefined) {
    this.#options = options;
    this.#ownLock = ownLock;
    this.#known = options.known;
  }

  /** Reads the file again if it is not the one that was read last. */
  async load(): Promise<void> {
    const { file, site } = this.#options;
    try {
      const version = await versionOf(file);
      if (version === this.#loaded) return;
      const known = version === ABSENT ? undefined : this.#known;
      this.#known = undefined;
      const text = known?.text ?? (version === ABSENT ? encodeLogHeader(site) : await readFile(file, 'utf8'));
      this.#last = known === undefined ? decodeFor(site, text, file).at(-1) : known.last;
      this.#lines = text.split('\n').slice(1, -1);
      this.#loaded = version;
    } catch (error) {
      throw explain(file, error);
    }
  }

  /** Appends take turns: each one places its changes behind those of the one before. `close` waits for them. */
  async append(drafts: readonly ChangeDraft[]): Promise<Change[]> {
    this.#ensureOpen();
    const turn = this.#turn.then(() => this.#append(drafts));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async *read(range: ReadRange = {}): AsyncGenerator<Change> {
    const { after, limit } = readBounds(range);
    this.#ensureOpen();
    if (this.#options.readonly) await this.load();
    // A copy: what an append adds meanwhile does not enter a read that has begun.
    for (const line of this.#lines.slice(after, after + limit)) yield JSON.parse(line) as Change;
  }

  async last(): Promise<Change | undefined> {
    this.#ensureOpen();
    if (this.#options.readonly) await this.load();
    return structuredClone(this.#last);
  }

  async close(): Promise<void> {
    this.#open = false;
    await this.#turn;
    await this.#ownLock?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #append(drafts: readonly ChangeDraft[]): Promise<Change[]> {
    const { file, site, now = Date.now, random = randomBytes } = this.#options;
    if (this.#options.readonly) throw new Error('This log is open for reading only.');
    await this.load();
    const changes = placeChanges(drafts, { last: this.#last, nowMs: now(), random });
    if (changes.length === 0) return changes;

    const header = this.#loaded === ABSENT ? encodeLogHeader(site) : '';
    // Should this fail halfway, the file alone knows whether the batch is in it.
    this.#loaded = undefined;
    try {
      const lines = encodeLogLines(changes);
      await growFile(file, header + lines);
      this.#last = structuredClone(changes.at(-1));
      for (const line of lines.split('\n').slice(0, -1)) this.#lines.push(line);
      this.#loaded = await versionOf(file);
    } catch (error) {
      throw explain(file, error);
    }
    return changes;
  }

  #ensureOpen(): void {
    if (!this.#open) throw new Error('The log is closed.');
  }
}

const ABSENT = 'absent';

async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true });
    return `${ino}:${size}:${mtimeNs}`;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ABSENT;
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return (await versionOf(file)) !== ABSENT;
}

function decodeFor(site: string, text: string, file: string): Change[] {
  const log = decodeLogFile(text, file);
  if (log.site === site) return log.changes;
  throw stateContradictionError(
    [file, site],
    `that log is the history of ${log.site}.`,
    'Name the site that it belongs to, or another file.',
  );
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof TidingsError) return error;
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new LogFullError(file, error);
  return code === undefined ? error : new LogUnavailableError(file, error);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new LogUnavailableError(folder, error);
  }
}
