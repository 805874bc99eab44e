import { type FileHandle, open } from 'node:fs/promises';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { codeOf } from '../files/folder.ts';
import { PIECE_BYTES } from './growing-file.ts';

const LF = 0x0a;

/** The lines of a feed's file after the newest one that `isKnown` accepts, oldest first, without their LF. A torn last line is left out. */
export async function linesBehind(file: string, isKnown: (line: string) => boolean): Promise<readonly string[]> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const lines: string[] = [];
    for await (const line of linesFromTheEnd(handle)) {
      if (isKnown(line)) break;
      lines.push(line);
    }
    return lines.reverse();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new LogUnavailableError(file, error);
  } finally {
    await handle?.close();
  }
}

/** Newest first. Bytes after the last LF were never served. */
async function* linesFromTheEnd(handle: FileHandle): AsyncGenerator<string> {
  let { size: at } = await handle.stat();
  let rest = Buffer.alloc(0);
  let isTorn = true;
  while (at > 0) {
    const start = Math.max(0, at - PIECE_BYTES);
    const piece = Buffer.alloc(at - start);
    await handle.read(piece, 0, piece.length, start);
    at = start;
    rest = Buffer.concat([piece, rest]);
    for (let lf = rest.lastIndexOf(LF); lf >= 0; lf = rest.lastIndexOf(LF)) {
      if (!isTorn) yield rest.toString('utf8', lf + 1);
      isTorn = false;
      rest = rest.subarray(0, lf);
    }
  }
  if (!isTorn) yield rest.toString('utf8');
}
