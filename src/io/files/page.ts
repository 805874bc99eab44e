import { createReadStream } from 'node:fs';
import process from 'node:process';
import { FolderError } from '../../errors/folder-error.ts';

/** Stands for the standard input. */
const STANDARD_INPUT = '-';

/** The bytes of a page on disk, or piped in. */
export async function readPageFile(path: string, { maxBytes }: { readonly maxBytes: number }): Promise<Uint8Array> {
  const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path);
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of stream) {
      const bytes = Buffer.from(piece);
      length += bytes.length;
      if (length > maxBytes) break;
      pieces.push(bytes);
    }
  } catch (error) {
    throw new FolderError(nameOf(path), whyUnreadable(error), error);
  }
  if (length > maxBytes) throw new FolderError(nameOf(path), `it is over ${maxBytes} bytes long, and is not read.`);
  return Buffer.concat(pieces);
}

function nameOf(path: string): string {
  return path === STANDARD_INPUT ? 'standard input' : path;
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : error;
  if (code === 'ENOENT') return 'there is no such file. (A URL begins with https:// or http://.)';
  return code === 'EISDIR' ? 'it is a folder; name a file in it.' : `it cannot be read (${code}).`;
}
