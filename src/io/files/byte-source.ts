import { open, stat } from 'node:fs/promises';
import type { ByteSource } from '../../codecs/zip/wire.ts';
import { FolderError } from '../../errors/folder-error.ts';
import { codeOf } from './folder.ts';

/** A file on disk, opened for each read, so that it need not be closed. */
export async function openFileSource(path: string): Promise<ByteSource> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new FolderError(path, `it cannot be read (${codeOf(error)}).`, error);
  });
  if (!facts.isFile()) throw new FolderError(path, 'it is not a file.');
  return { size: facts.size, read: (offset, length) => readPart(path, offset, length) };
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    throw new FolderError(path, `it cannot be read (${codeOf(error)}).`, error);
  });
  try {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
      if (bytesRead === 0) throw new FolderError(path, 'it became shorter while it was read.');
      filled += bytesRead;
    }
    return buffer;
  } finally {
    await handle.close();
  }
}
