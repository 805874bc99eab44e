import { othersFirst } from '../../../log/others-first.ts';
import type { Change } from '../../../model/change.ts';
import { encodeCursor } from '../../../stream/log-cursor.ts';
import type { StreamSettings } from '../../config/stream-settings.ts';
import type { BodyPiece, BodySink, BodyWriter } from '../../http/pushed-body.ts';
import type { StreamFigures } from '../../watch/metrics.ts';
import { type ChangeFilter, createChangeFilter, filterKey } from '../change-filter.ts';
import type { ChangeTail, TailEvent } from '../change-tail.ts';
import { cursorOfPlace, type PlacedLog, placeOfCursor, startOfLog } from '../log-place.ts';
import type { LogPlace } from '../push-log.ts';
import { EventBatch } from './event-round.ts';
import { changeText, HEARTBEAT, openingPiece, placePiece, resyncPiece, retryPiece } from './event-text.ts';
import { SharedPages } from './shared-pages.ts';
import { StreamGroup } from './stream-group.ts';
import { type StreamHost, StreamReader } from './stream-reader.ts';
import { StreamSlots } from './stream-slots.ts';

export interface EventStreamsParts extends PlacedLog {
  readonly tail: Pick<ChangeTail, 'seq' | 'onEvents' | 'read' | 'edition'>;
  /** That of the tail. */
  newest(): Pick<Change, 'seq' | 'id'> | undefined;
  readonly settings: StreamSettings;
  /** Called with errors that end a stream, other than its client leaving. */
  onProblem(error: unknown): void;
}

/** The request of a reader. */
export interface StreamWish {
  /** The name under which its streams are counted. */
  readonly client: string;
  /** The maximum of streams of that client; 0: no limit. */
  readonly mostOfClient: number;
  readonly filter: ChangeFilter;
  /** How far it came; the value may be anything. Absent: only what is new from now on. */
  readonly cursor?: string;
}

const RETRY_MS = 3000;
/** When a refused client comes back. */
const FULL_RETRY_MS = 300_000;
/** When the hub stops, its readers come back spread over this many steps. */
const END_RETRIES = 20;
const END_RETRY_MS = 500;
const READERS_AT_ONCE = 500;
/** After this many filter calls, other work gets its turn. */
const FILTERED_AT_ONCE = 5000;
const NO_FILTER = filterKey({});
const NOBODY: BodyWriter = { drained() {}, closed() {} };

/** All event streams of a hub. Appended changes are sent to each of them once they are durable, in order, with one write that all share. */
export class EventStreams implements StreamHost {
  readonly pages: SharedPages;
  readonly #parts: EventStreamsParts;
  readonly #slots: StreamSlots;
  readonly #groups = new Map<string, StreamGroup>();
  readonly #stopHearing: () => void;
  #batches: EventBatch[] = [];
  #isTelling = false;
  #isClosed = false;
  #waitingBytes = 0;
  #told = 0;
  #dropped = 0;
  #refused = 0;

  constructor(parts: EventStreamsParts) {
    const textOf = (event: TailEvent) => changeText(event, encodeCursor(event.change.id, parts.epoch));
    this.#parts = parts;
    this.#slots = new StreamSlots(parts.settings.most);
    this.pages = new SharedPages(parts.tail, textOf);
    this.#stopHearing = parts.tail.onEvents((events) => {
      if (this.#groups.size === 0) return;
      this.#batches.push(new EventBatch(events, textOf));
      if (!this.#isTelling) void this.#tellBatches().catch(parts.onProblem);
    });
  }

  get figures(): StreamFigures {
    const { open } = this.#slots;
    return {
      open,
      waitingBytes: this.#waitingBytes,
      told: this.#told,
      dropped: this.#dropped,
      refused: this.#refused,
    };
  }

  /** Opens a stream. If there are too many, it is asked to come back later, and ended: an error would make a browser give up for good. */
  open(sink: BodySink, { client, mostOfClient, filter, cursor }: StreamWish): BodyWriter {
    if (this.#isClosed || !this.#slots.take(client, mostOfClient)) {
      this.#refused += 1;
      sink.write(retryPiece(FULL_RETRY_MS, 'This hub has as many streams as it may have, in all or of this client.'));
      sink.end();
      return NOBODY;
    }
    const group = this.#groupOf(filter);
    const reader = new StreamReader({ sink, client, filter: group.filter }, this);
    group.readers.add(reader);
    if (cursor === undefined) {
      const place = this.#parts.newest() ?? startOfLog(this.#parts);
      sink.write(openingPiece(RETRY_MS, encodeCursor(place.id, this.#parts.epoch)));
      reader.begin({ place, isLost: false });
      return reader;
    }
    sink.write(openingPiece(RETRY_MS, undefined));
    placeOfCursor(cursor, this.#parts).then(
      (found) => reader.begin(found),
      (error: unknown) => {
        this.#parts.onProblem(error);
        sink.cut();
      },
    );
    return reader;
  }

  /** Shows every reader that its connection is alive, and readers with few matching changes how far they are. */
  async beat(): Promise<void> {
    const newest = this.#parts.newest();
    let written = 0;
    for (const group of [...this.#groups.values()]) {
      const { filter, readers } = group;
      const isBehind = filter.key !== NO_FILTER && !this.#isTelling && newest !== undefined;
      const place =
        isBehind && group.isToBeShown(newest.seq) ? placePiece(encodeCursor(newest.id, this.#parts.epoch)) : HEARTBEAT;
      for (const reader of [...readers]) {
        reader.beat(reader.isLive && this.#parts.newest() === newest ? place : HEARTBEAT);
        written += 1;
        if (written % READERS_AT_ONCE === 0) await othersFirst();
      }
    }
  }

  /** Ends all streams with a retry time each, so that their readers do not return all at once. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopHearing();
    const pieces = Array.from({ length: END_RETRIES }, (_, at) =>
      retryPiece(RETRY_MS + at * END_RETRY_MS, 'The hub ends.'),
    );
    let at = 0;
    for (const { readers } of [...this.#groups.values()]) {
      for (const reader of [...readers]) reader.end(pieces[at++ % END_RETRIES] ?? HEARTBEAT);
    }
  }

  get waitingBytes(): number {
    return this.#parts.settings.waitingBytes;
  }

  newestSeq(): number {
    return this.#parts.tail.seq;
  }

  start(): LogPlace {
    return startOfLog(this.#parts);
  }

  resync(place: LogPlace): BodyPiece {
    return resyncPiece(cursorOfPlace(place, this.#parts), encodeCursor(place.id, this.#parts.epoch));
  }

  weigh(reader: StreamReader): boolean {
    this.#count(reader, reader.sink.waitingBytes);
    return this.#waitingBytes <= this.#parts.settings.waitingBytesInAll;
  }

  told(count: number): void {
    this.#told += count;
  }

  dropped(): void {
    this.#dropped += 1;
  }

  ended(reader: StreamReader): void {
    const { filter, client } = reader;
    this.#count(reader, 0);
    this.#slots.release(client);
    const group = this.#groups.get(filter.key);
    group?.readers.delete(reader);
    if (group?.readers.size === 0) this.#groups.delete(filter.key);
  }

  onProblem(error: unknown): void {
    this.#parts.onProblem(error);
  }

  #count(reader: StreamReader, bytes: number): void {
    this.#waitingBytes += bytes - reader.countedBytes;
    reader.countedBytes = bytes;
  }

  #groupOf(filter: ChangeFilter): StreamGroup {
    const key = filterKey(filter);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const group = new StreamGroup({ key, wants: createChangeFilter(filter) });
    this.#groups.set(key, group);
    return group;
  }

  async #tellBatches(): Promise<void> {
    this.#isTelling = true;
    try {
      for (let batch = this.#batches.shift(); batch !== undefined; batch = this.#batches.shift()) {
        let asked = 0;
        for (const group of [...this.#groups.values()]) {
          void group.tell(batch).catch(this.#parts.onProblem);
          asked += batch.size;
          if (asked < FILTERED_AT_ONCE) continue;
          asked = 0;
          await othersFirst();
        }
      }
    } finally {
      this.#isTelling = false;
    }
  }
}
