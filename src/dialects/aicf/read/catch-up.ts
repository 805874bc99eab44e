import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { warn } from '../../diagnostic.ts';
import type { ReaderPorts } from '../../reader.ts';
import { eventsOf, type Piece, type ReadFeedFile, type Wanted } from './feed-events.ts';
import { positionOf, readLine, startingWith } from './feed-lines.ts';

/** Opens a file of the feed at its start; undefined for an earlier file that can no longer be read. */
export type OpenFile = () => Promise<ReadFeedFile | undefined>;

interface CatchUp {
  readonly lastId: string | undefined;
  /** The current file. */
  readonly self: string;
  /** Whether the feed is known to have had events. */
  readonly hadEvents: boolean;
  readonly wanted: Wanted;
}

/**
 * Looks for the last id from the newest file back, then reads forward from there. If no file has it, ids are compared, as §2.1 allows, and that is
 * reported; it never silently starts from zero (T-AICF-7).
 */
export async function* readFilesAfter(
  { lastId, self, hadEvents, wanted }: CatchUp,
  files: readonly OpenFile[],
  ports: ReaderPorts,
): AsyncGenerator<Piece> {
  if (lastId === undefined) return yield* readFiles(files, ports, wanted);

  let smallerSeen = false;
  let isEmpty = true;
  for (const [newer, open] of [...files.entries()].reverse()) {
    const file = await open();
    const sought = file === undefined ? undefined : await seek(file, lastId);
    if (sought?.rest !== undefined) {
      yield* eventsOf(sought.rest, ports, wanted);
      return yield* readFiles(files.slice(newer + 1), ports, wanted);
    }
    smallerSeen ||= sought?.smallerSeen ?? false;
    isEmpty &&= sought?.isEmpty ?? true;
  }
  // Past lines of a feed stay (AICF-P1), so a feed without any was not really served.
  if (isEmpty && hadEvents) throw new FeedUnreadableError(self, 'holds no event, where earlier there were some.');
  if (smallerSeen) {
    const message = `The last event seen (${lastId}) is not in the feed any more. Read on with the ids that sort after it.`;
    warn(ports, 'last-id-missing', message);
    return yield* readFiles(files, ports, (event) => compareCodePoints(event.id, lastId) > 0 && wanted(event));
  }
  const message = `The last event seen (${lastId}) is in no file of the feed. Events between it and the oldest one there may be missing.`;
  warn(ports, 'gap', message);
  yield* readFiles(files, ports, wanted);
}

async function* readFiles(files: readonly OpenFile[], ports: ReaderPorts, wanted: Wanted): AsyncGenerator<Piece> {
  for (const open of files) {
    const file = await open();
    if (file !== undefined) yield* eventsOf(file, ports, wanted);
  }
}

interface Sought {
  /** The file from the line after the id on. */
  readonly rest?: ReadFeedFile;
  /** Whether a smaller id was found. */
  readonly smallerSeen: boolean;
  /** Whether no event was found at all. */
  readonly isEmpty: boolean;
}

async function seek(file: ReadFeedFile, id: string): Promise<Sought> {
  let smallerSeen = false;
  let events = 0;
  let others = 0;
  for (let batch = await file.lines.next(); !batch.done; batch = await file.lines.next()) {
    for (const [index, line] of batch.value.entries()) {
      const record = readLine(line);
      if (record?.kind === 'bad' || (record?.kind === 'torn' && file.isArchive)) others += 1;
      if (record?.kind !== 'event') continue;
      events += 1;
      if (record.event.id === id) {
        const lines = startingWith(batch.value.slice(index + 1), file.lines);
        return { rest: { ...file, lines, after: positionOf(record.line, line.start) }, smallerSeen, isEmpty: false };
      }
      smallerSeen ||= compareCodePoints(record.event.id, id) < 0;
    }
  }
  if (events > 0 || others === 0) return { smallerSeen, isEmpty: events === 0 };
  throw new FeedUnreadableError(file.url, 'is no AICF feed: none of its lines is an event.');
}
