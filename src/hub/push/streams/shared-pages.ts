import { BodyPiece } from '../../http/pushed-body.ts';
import type { FilteredChange } from '../change-filter.ts';
import type { ChangeTail, TailEvent } from '../change-tail.ts';
import { ReaderTurns } from './reader-turns.ts';

/** What readers with one filter receive of a part of the log. */
export interface StreamPage {
  /** The `seq` that it reaches. */
  readonly seq: number;
  /** Undefined if nothing of it matches. */
  readonly piece?: BodyPiece;
  /** How many changes it contains. */
  readonly count: number;
  /** The log no longer reaches back to the requested place. */
  readonly hasHole?: true;
}

export interface PageFilter {
  /** The same for equivalent filters. */
  readonly key: string;
  readonly wants: (change: FilteredChange) => boolean;
}

export const PAGE_EVENTS = 100;
/** How many readers continue in one turn. */
const READERS_AT_ONCE = 50;
const KEPT_BYTES = 8 * 1024 * 1024;
/** The memory of a page besides its bytes. */
const PAGE_BYTES = 200;

/**
 * Pages of the log for readers that catch up. After a restart many return at once from the same place: what is read and encoded for one of them serves all.
 * Pages end at fixed places, so that readers from different ones soon share them.
 */
export class SharedPages {
  readonly #tail: Pick<ChangeTail, 'read' | 'edition'>;
  readonly #textOf: (event: TailEvent) => string;
  readonly #turns = new ReaderTurns(READERS_AT_ONCE);
  readonly #reading = new Map<string, Promise<StreamPage>>();
  /** The oldest first. */
  readonly #pages = new Map<string, StreamPage>();
  #bytes = 0;
  /** The edition of the tail from which they were made. */
  #edition = 0;

  constructor(tail: Pick<ChangeTail, 'read' | 'edition'>, textOf: (event: TailEvent) => string) {
    this.#tail = tail;
    this.#textOf = textOf;
  }

  /** The page after a place that is not the end of the log. Other work gets its turn first. */
  async read(afterSeq: number, filter: PageFilter): Promise<StreamPage> {
    await this.#turns.next();
    this.#forgetEarlier();
    const name = `${this.#edition} ${afterSeq} ${filter.key}`;
    const known = this.#pages.get(name) ?? this.#reading.get(name);
    if (known !== undefined) return await known;
    const reading = this.#read(afterSeq, filter);
    this.#reading.set(name, reading);
    try {
      const page = await reading;
      if (!page.hasHole && name.startsWith(`${this.#tail.edition} `)) this.#keep(name, page);
      return page;
    } finally {
      this.#reading.delete(name);
    }
  }

  /** Drops pages that were made before texts were removed from the log. */
  #forgetEarlier(): void {
    if (this.#edition === this.#tail.edition) return;
    this.#edition = this.#tail.edition;
    this.#pages.clear();
    this.#bytes = 0;
  }

  async #read(afterSeq: number, { wants }: PageFilter): Promise<StreamPage> {
    const events = await this.#tail.read(afterSeq, PAGE_EVENTS - (afterSeq % PAGE_EVENTS));
    const [first] = events;
    const seq = events.at(-1)?.change.seq ?? afterSeq;
    if (first === undefined || first.change.seq !== afterSeq + 1) return { seq: afterSeq, count: 0, hasHole: true };
    const told = events.filter(({ change }) => wants(change));
    if (told.length === 0) return { seq, count: 0 };
    return { seq, count: told.length, piece: new BodyPiece(told.map(this.#textOf).join('')) };
  }

  #keep(name: string, page: StreamPage): void {
    this.#pages.set(name, page);
    this.#bytes += sizeOf(page);
    for (const [oldest, dropped] of this.#pages) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#pages.delete(oldest);
      this.#bytes -= sizeOf(dropped);
    }
  }
}

function sizeOf({ piece }: StreamPage): number {
  return PAGE_BYTES + (piece?.length ?? 0);
}
