import { constants, statSync } from 'node:fs';
import { type FileHandle, open, rm, truncate } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LogUnavailableError } from '../../errors/log-error.ts';

/** How much is read at a time. */
export const PIECE_BYTES = 256 * 1024;

/** Part of what was written to a file is missing. */
export class ShortFileError extends Error {
  override readonly name = 'ShortFileError';
}

/** A file that only grows. Concurrent readers share one handle. */
export class GrowingFile {
  readonly path: string;
  #handle: Promise<FileHandle> | undefined;
  #readers = 0;

  constructor(path: string) {
    this.path = path;
  }

  /** 0 when there is no such file. */
  size(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Overwrites what an interrupted write left after `position`. Not durable by itself. */
  async write(position: number, bytes: Uint8Array): Promise<void> {
    const handle = await open(this.path, constants.O_RDWR | constants.O_CREAT, 0o644);
    try {
      if ((await handle.stat()).size < position) throw new ShortFileError(`${this.path} has lost bytes.`);
      for (let done = 0; done < bytes.length; ) {
        done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
      }
    } finally {
      await handle.close();
    }
  }

  /** Removes everything after the first `bytes` bytes; the file itself if that is all of it. */
  async cut(bytes: number): Promise<void> {
    if (bytes === 0) await rm(this.path, { force: true });
    else await truncate(this.path, bytes);
  }

  async sync(): Promise<void> {
    const handle = await open(this.path, 'r+');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /** Fails with {@link LogUnavailableError} when they are not all there. */
  async read(start: number, end: number): Promise<Buffer> {
    const handle = await this.#borrow();
    try {
      return await this.#readFrom(handle, start, end);
    } finally {
      await this.#giveBack();
    }
  }

  /** Like {@link read}, piece by piece. */
  async *stream(start: number, end: number): AsyncGenerator<Buffer> {
    const handle = await this.#borrow();
    try {
      for (let at = start; at < end; at += PIECE_BYTES) {
        yield await this.#readFrom(handle, at, Math.min(at + PIECE_BYTES, end));
      }
    } finally {
      await this.#giveBack();
    }
  }

  /** CRC-32 of the first `bytes` bytes; undefined when they are not all there or cannot be read. */
  async crc(bytes: number): Promise<number | undefined> {
    let crc = 0;
    try {
      for await (const piece of this.stream(0, bytes)) crc = crc32(piece, crc);
    } catch (error) {
      if (isOutOfHandles(error)) throw error;
      return undefined;
    }
    return crc;
  }

  async #readFrom(handle: FileHandle, start: number, end: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(end - start);
    for (let done = 0; done < buffer.length; ) {
      const { bytesRead } = await this.#explained(handle.read(buffer, done, buffer.length - done, start + done));
      if (bytesRead === 0) throw new LogUnavailableError(this.path, new ShortFileError('it has lost bytes'));
      done += bytesRead;
    }
    return buffer;
  }

  async #borrow(): Promise<FileHandle> {
    this.#readers += 1;
    this.#handle ??= open(this.path, 'r');
    const opening = this.#handle;
    try {
      return await this.#explained(opening);
    } catch (error) {
      this.#readers -= 1;
      if (this.#handle === opening) this.#handle = undefined;
      throw error;
    }
  }

  async #giveBack(): Promise<void> {
    this.#readers -= 1;
    if (this.#readers > 0) return;
    const handle = this.#handle;
    this.#handle = undefined;
    await (await handle)?.close();
  }

  async #explained<T>(operation: Promise<T>): Promise<T> {
    try {
      return await operation;
    } catch (error) {
      throw new LogUnavailableError(this.path, error);
    }
  }
}

/** That says nothing about the file. */
function isOutOfHandles(error: unknown): boolean {
  const cause = error instanceof LogUnavailableError ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE');
}
