import { basename, dirname, join } from 'node:path';
import { LogMissingError } from '../errors/log-error.ts';
import { createFileFolder } from '../io/files/folder.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { DATABASE_FILE, openSqliteLogFile } from '../io/sqlite/log.ts';
import type { ReadRange } from '../log/log.ts';
import { decodeLogFile } from '../log/log-file.ts';
import { decodeLogParts, LOG_FILE, readLogParts } from '../log/log-parts.ts';
import { readBounds } from '../log/read-bounds.ts';
import type { Change } from '../model/change.ts';
import { STATE_PATH } from './publish.ts';

/** The changes of the log at `place`: a published site, its state folder or its log.ndjson, a data folder, or the state file of a follower. */
export async function* readLog(place: string, range: ReadRange): AsyncGenerator<Change> {
  const candidates = [place, ...[DATABASE_FILE, LOG_FILE, join(STATE_PATH, LOG_FILE)].map((name) => join(place, name))];
  for (const file of candidates) {
    const kind = await kindOfFile(file);
    if (kind === 'sqlite') return yield* readDatabase(file, range);
    if (kind === 'other') return yield* readLines(file, range);
  }
  throw new LogMissingError(place);
}

async function* readDatabase(file: string, range: ReadRange): AsyncGenerator<Change> {
  await using log = await openSqliteLogFile(file);
  yield* log.read(range);
}

async function* readLines(file: string, range: ReadRange): AsyncGenerator<Change> {
  const { after, limit } = readBounds(range);
  const folder = createFileFolder(dirname(file));
  const { changes } =
    basename(file) === LOG_FILE
      ? decodeLogParts(await readLogParts(folder), folder.name)
      : decodeLogFile(new TextDecoder().decode((await folder.read(basename(file))) ?? new Uint8Array()), file);
  yield* changes.slice(after, after + limit);
}
