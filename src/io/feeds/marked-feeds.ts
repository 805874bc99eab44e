import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { MarkedFeeds } from '../../dialects/aicf/shelf/feed-store.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { codeOf } from '../files/folder.ts';
import { readFeedMarks, type WrittenFeed } from './feed-marks.ts';
import { nameIn } from './file-feeds.ts';

/** The feeds of a generation as their marks have them, also beside the hub that writes them. */
export async function readMarkedFeeds(folder: string, generation: number): Promise<MarkedFeeds | undefined> {
  const marks = await readFeedMarks(join(folder, nameIn(generation, 'marks')));
  if (marks === undefined) return undefined;
  const feeds = marks.feeds.map(({ name, written }) => ({
    name,
    bytes: written.bytes,
    seq: written.seq,
    lastId: written.lastId,
    read: () => readWritten(join(folder, `${nameIn(generation, name)}.ndjson`), written),
  }));
  return { seq: marks.seq, id: marks.id, feeds };
}

/** Bytes after a mark may still be on their way to the disk: they are not read. */
async function readWritten(file: string, { bytes, crc }: WrittenFeed): Promise<Uint8Array | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const read = Buffer.alloc(bytes);
    let at = 0;
    while (at < bytes) {
      const { bytesRead } = await handle.read(read, at, bytes - at, at);
      if (bytesRead === 0) return undefined;
      at += bytesRead;
    }
    return crc32(read) === crc ? read : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new LogUnavailableError(file, error);
  } finally {
    await handle?.close();
  }
}
