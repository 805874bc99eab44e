import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Base } from '../../hub/cluster/bases.ts';
import { codeOf } from '../files/folder.ts';
import { makeFolder } from '../files/make-folder.ts';
import { DATABASE_FILE } from '../sqlite/log.ts';

/** What belongs to a replica beside its database: what was served stays as it is, and cannot be made again from a log that was cut. */
export const SERVED_FOLDERS = ['feeds', 'archive'] as const;
const PIECE_BYTES = 1024 * 1024;
const NAME = /^(?:tidings\.db|feeds\/[\w-]+(?:\.[a-z]+)?|archive\/changes-\d+-\d+\.ndjson\.gz)$/;
/** Longer than that no list of files is. */
const MOST_HEAD_BYTES = 64 * 1024 * 1024;
const NEW_LINE = 0x0a;

/** A file as far as it goes into a base. */
interface HeldFile {
  readonly name: string;
  readonly bytes: number;
  readonly handle: FileHandle;
}

/** The files of a replica at one moment. */
export interface HeldBase extends AsyncDisposable {
  pieces(): AsyncIterable<Uint8Array>;
}

/**
 * A base is a line of JSON, `[["tidings.db", 4096], ["feeds/docs.ndjson", 77]]`, followed by the bytes of these files one after another.
 *
 * Files of feeds only grow, and are repaired if they end in the middle: they are taken at their current length, those that describe the others first.
 * `copyDatabase` is called after them, so that the database knows everything in them.
 */
export async function holdBase(folder: string, copyDatabase: () => Promise<string>): Promise<HeldBase> {
  const held: HeldFile[] = [];
  const close = async () => {
    for (const { handle } of held) await handle.close();
  };
  try {
    for (const name of await servedFilesIn(folder)) await hold(held, name, join(folder, name));
    await hold(held, DATABASE_FILE, await copyDatabase());
  } catch (error) {
    await close();
    throw error;
  }
  return { pieces: () => piecesOf(held), [Symbol.asyncDispose]: close };
}

async function* piecesOf(held: readonly HeldFile[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(held.map(({ name, bytes }) => [name, bytes]))}\n`);
  for (const file of held) yield* bytesOf(file);
}

/** Writes the files of a base into a folder. Throws where its bytes are not those that it says. */
export async function unpackBase(base: Base, pieces: AsyncIterable<Uint8Array>, folder: string): Promise<void> {
  for (const name of SERVED_FOLDERS) makeFolder(join(folder, name));
  const hash = createHash('sha256');
  const bytes = new PieceReader(pieces, (piece) => hash.update(piece));
  for (const [name, size] of decodeHead(await bytes.line())) {
    const target = createWriteStream(join(folder, name), { mode: 0o600, flush: true });
    for await (const piece of bytes.next(size)) {
      if (!target.write(piece)) await new Promise<void>((resolve) => target.once('drain', () => resolve()));
    }
    target.end();
    await finished(target);
  }
  await bytes.ensureOver();
  if (bytes.read !== base.bytes || hash.digest('hex') !== base.sha256) throw damaged();
}

async function servedFilesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const served of SERVED_FOLDERS) {
    const names = await readdir(join(folder, served)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    files.push(...names.map((name) => `${served}/${name}`).filter((name) => NAME.test(name)));
  }
  const isMark = (name: string) => Number(!name.includes('.'));
  return files.sort((one, other) => isMark(other) - isMark(one));
}

async function hold(held: HeldFile[], name: string, path: string): Promise<void> {
  const handle = await open(path);
  held.push({ name, handle, bytes: (await handle.stat()).size });
}

async function* bytesOf({ handle, bytes }: HeldFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; ) {
    const { bytesRead, buffer } = await handle.read({
      buffer: Buffer.alloc(Math.min(PIECE_BYTES, bytes - at)),
      position: at,
    });
    if (bytesRead === 0) throw new Error('A file of the base became shorter while it was read.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

function decodeHead(line: Uint8Array): readonly (readonly [string, number])[] {
  const files = JSON.parse(Buffer.from(line).toString('utf8')) as readonly (readonly [string, number])[];
  if (files.some(([name]) => !NAME.test(name))) throw damaged();
  return files;
}

function damaged(): Error {
  return new Error('the base in the database is damaged or was cut off');
}

/** Gives out pieces in other sizes than they come in. */
class PieceReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #seen: (piece: Uint8Array) => void;
  #left: Uint8Array = new Uint8Array();
  read = 0;

  constructor(pieces: AsyncIterable<Uint8Array>, seen: (piece: Uint8Array) => void) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#seen = seen;
  }

  async line(): Promise<Uint8Array> {
    let line = Buffer.alloc(0);
    for (;;) {
      const at = this.#left.indexOf(NEW_LINE);
      line = Buffer.concat([line, this.#left.subarray(0, at < 0 ? undefined : at)]);
      this.#left = at < 0 ? new Uint8Array() : this.#left.subarray(at + 1);
      if (at >= 0) return line;
      if (line.length > MOST_HEAD_BYTES || !(await this.#fill())) throw damaged();
    }
  }

  async *next(size: number): AsyncGenerator<Uint8Array> {
    for (let wanted = size; wanted > 0; ) {
      if (this.#left.length === 0 && !(await this.#fill())) throw damaged();
      const piece = this.#left.subarray(0, wanted);
      this.#left = this.#left.subarray(piece.length);
      wanted -= piece.length;
      yield piece;
    }
  }

  async ensureOver(): Promise<void> {
    if (this.#left.length > 0 || (await this.#fill())) throw damaged();
  }

  async #fill(): Promise<boolean> {
    const { done, value } = await this.#pieces.next();
    if (done) return false;
    this.#seen(value);
    this.read += value.length;
    this.#left = value;
    return true;
  }
}
