import { compareCodePoints } from '../../../codecs/primitives/code-points.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { Validators } from '../../../fetch/response-headers.ts';
import type { FeedPosition, KnownFeed } from '../../../follow/follow-state.ts';
import type { FedEvent, FeedItem } from '../../../follow/read/feed-item.ts';
import { type Reading, warn } from '../../../follow/read/reading.ts';
import { type FeedRecord, type Lines, positionOf, readLine } from './feed-lines.ts';

/** A feed file that is being read. */
export interface FeedFile {
  readonly url: string;
  readonly lines: Lines;
  /** Of this version of the file; kept once it was read to its end. */
  readonly validators: Validators;
  readonly maxAgeMs?: number | undefined;
  /** The event line behind which `lines` begin, when they do not begin at the start. */
  readonly after?: FeedPosition;
  /** Earlier files leave no position: the next poll looks in the current one. */
  readonly isArchive: boolean;
}

/** Events that are looked at together: those of one page among them share one GET. */
const CHUNK_EVENTS = 1000;
/** A file that begins with so many lines that are no events is no feed. */
const MAX_BAD_START = 1000;
const MAX_BAD_SHOWN = 100;

/**
 * The events of a file in the order of its lines, which is the order that counts (T-AICF-11). Events that stand
 * before a break of the body come out before the break is thrown.
 */
export async function* eventsOf(
  file: FeedFile,
  reading: Reading,
  wanted: (id: string) => boolean,
): AsyncGenerator<FeedItem> {
  const bad = createBadLines(file, reading);
  const order = createOrderWatch(file, reading);
  let chunk: FedEvent[] = [];
  let lastLine: (FeedRecord & { kind: 'event' })['line'] | undefined;
  let readTo = file.after?.readTo ?? -1;

  const feedAt = (line: typeof lastLine, to: number): KnownFeed | undefined => {
    if (file.isArchive) return undefined;
    const position = line === undefined ? file.after && { ...file.after, readTo: to } : positionOf(line, to);
    return { url: file.url, validators: {}, ...(position !== undefined && { position }) };
  };
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
        lastLine = record.line;
        const place = record.line;
        if (wanted(record.event.id)) chunk.push(fedEvent(record.event, () => feedAt(place, place.start)));
        if (chunk.length < CHUNK_EVENTS) continue;
        yield { kind: 'events', events: chunk };
        chunk = [];
      }
    }
  } catch (error) {
    if (chunk.length > 0) yield { kind: 'events', events: chunk };
    throw error;
  }
  bad.end();
  if (chunk.length > 0) yield { kind: 'events', events: chunk };
  const feed = feedAt(lastLine, readTo);
  if (feed !== undefined)
    yield { kind: 'end', progress: { feed: { ...feed, validators: file.validators } }, freshMs: file.maxAgeMs };
}

/** While an earlier file is read, nothing is known of the current one. */
function fedEvent(event: FedEvent['event'], feedAfter: () => KnownFeed | undefined): FedEvent {
  return {
    event,
    progress: () => {
      const feed = feedAfter();
      return { lastId: event.id, ...(feed !== undefined && { feed }) };
    },
  };
}

/** Reports lines that are no events, once it is sure that the file is a feed at all (T-AICF-10). */
function createBadLines(file: FeedFile, reading: Reading) {
  const held: string[] = [];
  let isFeed = file.after !== undefined;
  let isTorn = false;
  let count = 0;
  const report = (message: string) => warn(reading, 'bad-line', message);
  const refuse = () => {
    const example = held[0] ?? 'It ends in the middle of its first line.';
    throw new FeedUnreadableError(file.url, `is no AICF feed: none of its lines is an event. ${example}`);
  };
  return {
    add({ clause, message, line }: FeedRecord & { kind: 'bad' }) {
      // What may still be written behind events is not reported; alone it is no feed.
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
    /** An event was met: this is a feed. */
    show() {
      if (isFeed) return;
      isFeed = true;
      for (const text of held) report(text);
    },
    end() {
      // Nobody writes to an earlier file any more, so half a line is not the beginning of its first event.
      if (!isFeed && (count > 0 || (file.isArchive && isTorn))) refuse();
      if (!isFeed && file.isArchive) {
        const message = `${file.url}: AICF-P6: this earlier file of the feed is empty. Its events may be missing.`;
        warn(reading, 'gap', message);
      }
      if (count > MAX_BAD_SHOWN)
        report(`${file.url}: ${count - MAX_BAD_SHOWN} more lines are no events and were skipped.`);
    },
  };
}

/** Says once when ids do not rise: the feed is still read by position, but other readers may be misled (AICF-E3). */
function createOrderWatch(file: FeedFile, reading: Reading) {
  let last: string | undefined;
  let told = false;
  return {
    see({ event: { id }, line }: FeedRecord & { kind: 'event' }) {
      if (!told && last !== undefined && compareCodePoints(id, last) < 0) {
        told = true;
        const where = `${file.url}:${line.number}`;
        warn(
          reading,
          'ids-go-back',
          `${where}: AICF-E3: the id ${id} sorts before ${last}, which stands above it. Read in the order of lines.`,
        );
      }
      last = id;
    },
  };
}
