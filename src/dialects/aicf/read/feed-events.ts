import type { AicfEvent } from '../../../codecs/aicf/wire.ts';
import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { Validators } from '../../../fetch/response-headers.ts';
import { warn } from '../../diagnostic.ts';
import type { FeedChange } from '../../feed-change.ts';
import type { ReaderPorts } from '../../reader.ts';
import type { FeedPosition, KnownFeed } from './aicf-memory.ts';
import { type FeedRecord, type Lines, positionOf, readLine } from './feed-lines.ts';

/** A feed file that is being read. */
export interface ReadFeedFile {
  readonly url: string;
  readonly lines: Lines;
  /** Of this version of the file; stored once it was read completely. */
  readonly validators: Validators;
  readonly maxAgeMs?: number | undefined;
  /** The event line after which `lines` begin, if they do not begin at the start. */
  readonly after?: FeedPosition;
  /** Earlier files leave no position: the next poll looks in the current one. */
  readonly isArchive: boolean;
}

/** Events that were read together, and the reader's position once they were delivered. */
export interface Piece {
  readonly changes: readonly FeedChange[];
  /** Of the last event that was read; absent if unchanged. */
  readonly lastId?: string;
  /** Absent while an earlier file is read: then nothing is known about the current one. */
  readonly feed?: KnownFeed;
  readonly freshMs?: number | undefined;
}

export type Wanted = (event: AicfEvent) => boolean;

/** Events that are handled together: those of one page among them share one GET. */
const CHUNK_EVENTS = 1000;
/** A file that begins with this many lines that are not events is not a feed. */
const MAX_BAD_START = 1000;
const MAX_BAD_SHOWN = 100;

/**
 * The events of a file in line order, which is the order that counts (T-AICF-11). If the body breaks, the events before the break are yielded before
 * the error is thrown.
 */
export async function* eventsOf(file: ReadFeedFile, ports: ReaderPorts, wanted: Wanted): AsyncGenerator<Piece> {
  const bad = createBadLines(file, ports);
  const order = createOrderWatch(file, ports);
  let chunk: EventRecord[] = [];
  let last: EventRecord | undefined;
  let readTo = file.after?.readTo ?? -1;

  const pieceOf = (records: readonly EventRecord[]): Piece => ({
    changes: records.map(({ event }) => changeOf(event)),
    ...placeAt(file, records.at(-1), records.at(-1)?.line.start ?? -1),
  });
  try {
    for await (const batch of file.lines) {
      for (const line of batch) {
        const record = readLine(line);
        if (record?.kind === 'bad') bad.add(record);
        if (record?.kind === 'torn') bad.addTorn();
        if (record?.kind !== 'event' && !line.terminated) continue;
        readTo = line.start;
        if (record?.kind !== 'event') continue;

        bad.show();
        order.see(record);
        last = record;
        if (wanted(record.event)) chunk.push(record);
        if (chunk.length < CHUNK_EVENTS) continue;
        yield pieceOf(chunk);
        chunk = [];
      }
    }
  } catch (error) {
    if (chunk.length > 0) yield pieceOf(chunk);
    throw error;
  }
  bad.end();
  if (file.isArchive) {
    if (chunk.length > 0) yield pieceOf(chunk);
    return;
  }
  const { feed, ...place } = placeAt(file, last, readTo);
  const changes = chunk.map(({ event }) => changeOf(event));
  yield { changes, ...place, ...(feed && { feed: { ...feed, validators: file.validators } }), freshMs: file.maxAgeMs };
}

type EventRecord = FeedRecord & { kind: 'event' };

/** The reader's position after this line, or its start position without one. */
function placeAt(file: ReadFeedFile, record: EventRecord | undefined, readTo: number): Pick<Piece, 'lastId' | 'feed'> {
  const lastId = record === undefined ? {} : { lastId: record.event.id };
  if (file.isArchive) return lastId;
  const position = record === undefined ? file.after && { ...file.after, readTo } : positionOf(record.line, readTo);
  return { ...lastId, feed: { url: file.url, validators: {}, ...(position !== undefined && { position }) } };
}

function changeOf({ via, ...event }: AicfEvent): FeedChange {
  return { ...event, provenance: { by: 'aicf', originId: event.id, ...(via !== undefined && { via }) } };
}

/** Reports lines that are not events, once it is sure that the file is a feed (T-AICF-10). */
function createBadLines(file: ReadFeedFile, ports: ReaderPorts) {
  const held: string[] = [];
  let isFeed = file.after !== undefined;
  let isTorn = false;
  let count = 0;
  const report = (message: string) => warn(ports, 'bad-line', message);
  const refuse = () => {
    const example = held[0] ?? 'It ends in the middle of its first line.';
    throw new FeedUnreadableError(file.url, `is no AICF feed: none of its lines is an event. ${example}`);
  };
  return {
    add({ clause, message, line }: FeedRecord & { kind: 'bad' }) {
      // An incomplete last line after events is not reported; alone it does not make a feed.
      if (isFeed && !line.terminated) return;
      count += 1;
      if (!isFeed && count > MAX_BAD_START) refuse();
      if (count > MAX_BAD_SHOWN) return;
      const text = `${file.url}:${line.number}: ${clause}: ${message} The line is skipped.`;
      if (isFeed) report(text);
      else held.push(text);
    },
    addTorn() {
      isTorn = true;
    },
    /** An event was found: this is a feed. */
    show() {
      if (isFeed) return;
      isFeed = true;
      for (const text of held) report(text);
    },
    end() {
      // An earlier file is no longer written, so half a line is not the beginning of its first event.
      if (!isFeed && (count > 0 || (file.isArchive && isTorn))) refuse();
      if (!isFeed && file.isArchive) {
        const message = `${file.url}: AICF-P6: this earlier file of the feed is empty. Its events may be missing.`;
        warn(ports, 'gap', message);
      }
      if (count > MAX_BAD_SHOWN)
        report(`${file.url}: ${count - MAX_BAD_SHOWN} more lines are no events and were skipped.`);
    },
  };
}

/** Reports once if ids do not rise: the feed is still read by position, but other readers may be misled (AICF-E3). */
function createOrderWatch(file: ReadFeedFile, ports: ReaderPorts) {
  let last: string | undefined;
  let told = false;
  return {
    see({ event: { id }, line }: FeedRecord & { kind: 'event' }) {
      if (!told && last !== undefined && compareCodePoints(id, last) < 0) {
        told = true;
        const where = `${file.url}:${line.number}`;
        warn(
          ports,
          'ids-go-back',
          `${where}: AICF-E3: the id ${id} sorts before ${last}, which stands above it. Read in the order of lines.`,
        );
      }
      last = id;
    },
  };
}
