import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LogFullError, LogMissingError, LogUnavailableError } from '../../errors/log-error.ts';
import { stateContradictionError } from '../../errors/state-refusals.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { Log, ReadRange } from '../../log/log.ts';
import { encodeLogHeader, encodeLogLines } from '../../log/log-file.ts';
import {
  decodeLogParts,
  growLogParts,
  LOG_BYTES,
  type LogGrowth,
  type LogPart,
  logPartPath,
  logTextOf,
  readLogParts,
} from '../../log/log-parts.ts';
import { placeChanges } from '../../log/place-changes.ts';
import { readBounds } from '../../log/read-bounds.ts';
import type { Change, ChangeDraft } from '../../model/change.ts';
import type { Place } from '../../model/folder.ts';
import { growFile } from '../files/growth.ts';
import { lockFolder, type WriterLock } from '../sqlite/writer-lock.ts';

export interface FileLogOptions {
  /** The path of `log.ndjson`. The first append makes it. What does not fit is in files beside it. */
  readonly file: string;
  /** The site whose log this is; a file that names another one is refused. */
  readonly site: string;
  readonly readonly?: boolean;
  /** The caller's own lock on the folder of `file`. Without it the log takes and releases one. */
  readonly lock?: WriterLock;
  /** What the file holds, from a caller that has read and checked it under that lock. */
  readonly known?: { readonly parts: readonly LogPart[]; readonly last: Change | undefined };
  /** The maximum size of one file; 1 MiB by default. */
  readonly maxBytes?: number | undefined;
  readonly now?: () => number;
  readonly random?: (size: number) => Uint8Array;
}

interface FileLogEnd {
  readonly number: number;
  readonly bytes: number;
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
 * The log of a published site: plain lines in files, of which an append replaces the last one as a whole.
 *
 * It is held in memory and checked from end to end when it is opened. An append costs a copy of the last file: it is
 * for one batch per publish, not for a stream of single changes.
 */
export class FileLog implements Log {
  readonly #options: FileLogOptions;
  readonly #ownLock: WriterLock | undefined;
  /** What was read, and the lines that were added since; split into changes when somebody asks for them. */
  #text = '';
  #lines: readonly string[] | undefined;
  /** The file that the log ends with: which it is, and how large. */
  #end: FileLogEnd = { number: 1, bytes: 0 };
  #last: Change | undefined;
  /** Which version of the files `#text` holds; undefined when that must be found out again. */
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

  /** Reads the files again if they are not those that were read last. */
  async load(): Promise<void> {
    const { file, site } = this.#options;
    try {
      const version = await this.#version();
      if (version === this.#loaded) return;
      const known = version === ABSENT ? undefined : this.#known;
      this.#known = undefined;
      const parts = known?.parts ?? (await readLogParts(logFolder(file)));
      this.#last = known === undefined ? decodeFor(site, parts, file).at(-1) : known.last;
      this.#text = logTextOf(parts);
      this.#lines = undefined;
      this.#end = { number: Math.max(parts.length, 1), bytes: Buffer.byteLength(parts.at(-1)?.text ?? '') };
      this.#loaded = version;
    } catch (error) {
      throw explain(file, error);
    }
  }

  /** Appends take turns: each one places its changes after those of the previous one. `close` waits for them. */
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
    // A copy: later appends do not affect a read that has begun.
    this.#lines ??= this.#text.split('\n').slice(1, -1);
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
    // Should this fail halfway, the files alone know whether the batch is in them.
    this.#loaded = undefined;
    try {
      const { maxBytes = LOG_BYTES } = this.#options;
      const growths = growLogParts(changes, { site, last: this.#last, ...this.#end }, maxBytes);
      for (const { number, text, isNew } of growths) {
        const part = partFile(file, number);
        // What a run left there that was cut off is none of this log.
        if (isNew) await rm(part, { force: true });
        await growFile(part, number === 1 ? header + text : text);
      }
      this.#last = structuredClone(changes.at(-1));
      this.#text += header + encodeLogLines(changes);
      this.#lines = undefined;
      this.#end = endOf(growths, { number: this.#end.number, bytes: this.#end.bytes + header.length });
      this.#loaded = await this.#version();
    } catch (error) {
      throw explain(file, error);
    }
    return changes;
  }

  async #version(): Promise<string> {
    const versions = [];
    for (let number = 1; ; number += 1) {
      const version = await versionOf(partFile(this.#options.file, number));
      if (version === ABSENT) return versions.join(' ') || ABSENT;
      versions.push(version);
    }
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

/** The file that a log ends with once it is grown. Growths begin with its last file. */
function endOf([last]: readonly LogGrowth[], before: FileLogEnd): FileLogEnd {
  if (last === undefined) return before;
  return { number: last.number, bytes: Buffer.byteLength(last.text) + (last.isNew ? 0 : before.bytes) };
}

function partFile(file: string, number: number): string {
  return number === 1 ? file : join(dirname(file), logPartPath(number));
}

/** The folder of the log as a place, in which the first file may have any name. */
function logFolder(file: string): Place {
  return {
    name: dirname(file),
    async read(path) {
      try {
        return await readFile(path === logPartPath(1) ? file : join(dirname(file), path));
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}

function decodeFor(site: string, parts: readonly LogPart[], file: string): readonly Change[] {
  if (parts.length === 0) return [];
  const log = decodeLogParts(parts, dirname(file));
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
