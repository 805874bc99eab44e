import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { LogUnavailableError } from '../../errors/log-error.ts';
import type { LogArchive, LogArchives } from '../../hub/retention/log-archives.ts';
import type { Change } from '../../model/change.ts';
import { codeOf } from './folder.ts';

const NAME = /^changes-(\d{1,15})-(\d{1,15})\.ndjson\.gz$/;
/** What an interrupted write left; the next one replaces it. */
const UNFINISHED = 'unfinished';
const MAX_FIRST_LINE = 4 * 1024 * 1024;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The archives of a log in a folder of their own, which is made with the first one. */
export function openLogArchives(folder: string): LogArchives {
  return {
    list: () => list(folder),
    async write(changes) {
      try {
        return await write(folder, changes);
      } catch (error) {
        await rm(join(folder, UNFINISHED), { force: true });
        throw codeOf(error) === undefined ? error : new LogUnavailableError(folder, error);
      }
    },
    holding: archiveFinder(folder),
    async read(name) {
      const archive = (await list(folder)).find((each) => each.name === name);
      return archive && { bytes: archive.bytes, body: createReadStream(join(folder, name)) };
    },
  };
}

/** The first id of an archive never changes: it is read once. */
function archiveFinder(folder: string): LogArchives['holding'] {
  const firstIds = new Map<string, string>();
  return async (id) => {
    const archives = await list(folder);
    let [low, high] = [0, archives.length - 1];
    let found: LogArchive | undefined;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const archive = archives[middle];
      if (archive === undefined) break;
      const first = firstIds.get(archive.name) ?? (await firstIdOf(join(folder, archive.name)));
      firstIds.set(archive.name, first);
      if (first <= id) {
        found = archive;
        low = middle + 1;
      } else high = middle - 1;
    }
    return found;
  };
}

/** The id of the change on its first line, whose beginning is enough. */
async function firstIdOf(path: string): Promise<string> {
  let text = '';
  try {
    for await (const chunk of createReadStream(path).pipe(createGunzip())) {
      text += String(chunk);
      const id = /^\{[^\n]*?"id":"([0-9A-Z]{26})"/.exec(text)?.[1];
      if (id !== undefined) return id;
      if (text.length > MAX_FIRST_LINE) break;
    }
  } catch (error) {
    throw new LogUnavailableError(path, error);
  }
  throw new LogUnavailableError(path, new Error('It does not begin with a change.'));
}

async function list(folder: string): Promise<LogArchive[]> {
  const archives: LogArchive[] = [];
  for (const name of await namesIn(folder)) {
    const [, first, last] = NAME.exec(name) ?? [];
    if (first === undefined || last === undefined) continue;
    const { size } = await stat(join(folder, name));
    archives.push({ name, firstSeq: Number(first), lastSeq: Number(last), bytes: size });
  }
  return archives.sort((one, other) => one.firstSeq - other.firstSeq);
}

/** Temp, fsync, rename, fsync folder: an archive is there as a whole or not at all. */
async function write(folder: string, changes: AsyncIterable<Change>): Promise<LogArchive | undefined> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const unfinished = join(folder, UNFINISHED);
  const seen = { first: 0, last: 0 };
  const target = createWriteStream(unfinished, { mode: FILE_MODE, flush: true });
  await pipeline(Readable.from(linesOf(changes, seen)), createGzip(), target);
  if (seen.last === 0) {
    await rm(unfinished, { force: true });
    return undefined;
  }
  const name = `changes-${seen.first}-${seen.last}.ndjson.gz`;
  await rename(unfinished, join(folder, name));
  await syncFolder(folder);
  const { size } = await stat(join(folder, name));
  return { name, firstSeq: seen.first, lastSeq: seen.last, bytes: size };
}

async function* linesOf(changes: AsyncIterable<Change>, seen: { first: number; last: number }): AsyncGenerator<string> {
  for await (const change of changes) {
    if (seen.last === 0) seen.first = change.seq;
    seen.last = change.seq;
    yield `${JSON.stringify(change)}\n`;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new LogUnavailableError(folder, error);
  }
}
