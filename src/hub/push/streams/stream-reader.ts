import type { BodyPiece, BodySink, BodyWriter } from '../../http/pushed-body.ts';
import type { FoundPlace } from '../log-place.ts';
import type { LogPlace } from '../push-log.ts';
import type { EventRound } from './event-round.ts';
import type { PageFilter, SharedPages } from './shared-pages.ts';

/** What readers share. */
export interface StreamHost {
  readonly pages: SharedPages;
  /** How much may wait for a live reader. */
  readonly waitingBytes: number;
  /** The `seq` of the newest announced change. */
  newestSeq(): number;
  /** Where the log begins. */
  start(): LogPlace;
  resync(place: LogPlace): BodyPiece;
  /** Counts what waits for a reader now; false if too much waits for all of them. */
  weigh(reader: StreamReader): boolean;
  told(count: number): void;
  dropped(): void;
  ended(reader: StreamReader): void;
  onProblem(error: unknown): void;
}

/**
 * One stream. It reads the log page by page, as fast as its client takes it, up to the end; from then on it is live and receives what is appended. Reaching
 * the end is checked and decided in one step, so that nothing is lost or sent twice.
 */
export class StreamReader implements BodyWriter {
  /** It has all matching changes up to here. */
  seq = 0;
  isLive = false;
  /** Its share of the bytes that wait for all readers. */
  countedBytes = 0;
  readonly client: string;
  readonly filter: PageFilter;
  readonly sink: BodySink;
  readonly #host: StreamHost;
  #isOpen = true;
  #isReading = false;

  constructor({ sink, client, filter }: Pick<StreamReader, 'sink' | 'client' | 'filter'>, host: StreamHost) {
    this.sink = sink;
    this.client = client;
    this.filter = filter;
    this.#host = host;
  }

  /** Continues after a place. A lost reader is told where to read again. */
  begin({ place, isLost }: FoundPlace): void {
    if (!this.#isOpen) return;
    this.seq = place.seq;
    if (isLost) this.sink.write(this.#host.resync(place));
    this.#goOn();
  }

  /** For a live reader. What is too much for one write it reads at its own pace. */
  tell({ afterSeq, seq, count, told }: EventRound): void {
    if (!this.isLive) return;
    if (told === undefined) {
      this.isLive = false;
      this.seq = Math.max(this.seq, afterSeq);
      this.#goOn();
      return;
    }
    this.seq = seq;
    this.sink.write(told.piece);
    this.#host.told(count);
    if (this.#hasWaiting() && this.sink.waitingBytes > this.#host.waitingBytes) this.#drop();
  }

  /** Shows that the connection is alive, unless other data is already waiting. */
  beat(piece: BodyPiece): void {
    if (this.#isOpen && this.sink.waitingBytes === 0) this.sink.write(piece);
  }

  /** The last block, after which the client reconnects. */
  end(piece: BodyPiece): void {
    if (!this.#isOpen) return;
    this.sink.write(piece);
    this.sink.end();
    this.closed();
  }

  drained(): void {
    this.#host.weigh(this);
    this.#goOn();
  }

  closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.isLive = false;
    this.#host.ended(this);
  }

  #goOn(): void {
    if (this.#isReading || this.isLive || !this.#isOpen) return;
    if (this.#becomesLive()) return;
    this.#isReading = true;
    void this.#catchUp().catch((error: unknown) => {
      this.#host.onProblem(error);
      this.#cut();
    });
  }

  #becomesLive(): boolean {
    this.isLive = this.seq >= this.#host.newestSeq();
    return this.isLive;
  }

  async #catchUp(): Promise<void> {
    let hasRoom = true;
    while (this.#isOpen && hasRoom && !this.#becomesLive()) {
      const page = await this.#host.pages.read(this.seq, this.filter);
      if (!this.#isOpen) break;
      if (page.hasHole) this.#passHole();
      else this.seq = page.seq;
      if (page.piece === undefined) continue;
      hasRoom = this.sink.write(page.piece);
      this.#host.told(page.count);
      this.#hasWaiting();
    }
    this.#isReading = false;
  }

  /** The log was cut ahead of it. */
  #passHole(): void {
    const start = this.#host.start();
    if (start.seq <= this.seq) throw new Error(`The log has nothing behind ${this.seq}, and begins at ${start.seq}.`);
    this.seq = start.seq;
    this.sink.write(this.#host.resync(start));
  }

  /** Most readers have taken everything. One that exceeds the shared limit of waiting bytes is dropped. */
  #hasWaiting(): boolean {
    if (this.sink.waitingBytes === 0 && this.countedBytes === 0) return false;
    if (!this.#host.weigh(this)) this.#drop();
    return this.#isOpen;
  }

  #drop(): void {
    this.#host.dropped();
    this.#cut();
  }

  #cut(): void {
    this.sink.cut();
    this.closed();
  }
}
