import type { BodyPiece, BodySink, BodyWriter } from '../../http/pushed-body.ts';
import type { FoundPlace } from '../log-place.ts';
import type { LogPlace } from '../push-log.ts';
import type { EventRound } from './event-round.ts';
import type { PageFilter, SharedPages } from './shared-pages.ts';

/** What readers share. */
export interface StreamHost {
  readonly pages: SharedPages;
  /** So much may wait for one that is live. */
  readonly waitingBytes: number;
  /** The `seq` of the newest change that was told. */
  newestSeq(): number;
  /** Where the log begins. */
  start(): LogPlace;
  resync(place: LogPlace): BodyPiece;
  /** Counts what waits for a reader now; false where too much waits for all of them. */
  weigh(reader: StreamReader): boolean;
  told(count: number): void;
  dropped(): void;
  ended(reader: StreamReader): void;
  onProblem(error: unknown): void;
}

/**
 * One stream. It reads the log page by page, as fast as its client takes it, until it has come to the end; from then on it is live, and is told what
 * is appended. Whether it has come to the end is looked at and decided in one step, so that nothing falls between the two and nothing comes twice.
 */
export class StreamReader implements BodyWriter {
  /** It has all changes up to here that concern it. */
  seq = 0;
  isLive = false;
  /** What is counted of it among all that waits. */
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

  /** Goes on behind a place. One that is lost is told from where it reads again. */
  begin({ place, isLost }: FoundPlace): void {
    if (!this.#isOpen) return;
    this.seq = place.seq;
    if (isLost) this.sink.write(this.#host.resync(place));
    this.#goOn();
  }

  /** Of a live one. What is too much for one write it reads at its own pace. */
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

  /** Shows that the connection lives. Who has something to take already needs no more. */
  beat(piece: BodyPiece): void {
    if (this.#isOpen && this.sink.waitingBytes === 0) this.sink.write(piece);
  }

  /** The last word, behind which it comes back. */
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

  /** The log was cut in front of it. */
  #passHole(): void {
    const start = this.#host.start();
    if (start.seq <= this.seq) throw new Error(`The log has nothing behind ${this.seq}, and begins at ${start.seq}.`);
    this.seq = start.seq;
    this.sink.write(this.#host.resync(start));
  }

  /** Most have taken all that they were told. One for which there is no room among those who have not is dropped. */
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
