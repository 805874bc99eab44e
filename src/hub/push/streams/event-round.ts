import { BodyPiece } from '../../http/pushed-body.ts';
import type { FilteredChange } from '../change-filter.ts';
import type { TailEvent } from '../change-tail.ts';
import { PAGE_EVENTS } from './shared-pages.ts';

/** What live readers receive together: the matching changes of one commit, or of several in quick succession. */
export interface EventRound {
  /** Readers that have everything up to here receive all of it. */
  readonly afterSeq: number;
  readonly seq: number;
  readonly count: number;
  /** Undefined if it is so much that each reader takes it at its own pace. */
  readonly told?: { readonly text: string; readonly piece: BodyPiece };
}

const LARGE_BYTES = 64 * 1024;

/** The changes of one commit, with texts that are made once for all filters. */
export class EventBatch {
  /** How many there are. */
  readonly size: number;
  readonly #events: readonly TailEvent[];
  readonly #textOf: (event: TailEvent) => string;
  readonly #texts: string[] = [];
  readonly #rounds = new Map<string, EventRound>();

  constructor(events: readonly TailEvent[], textOf: (event: TailEvent) => string) {
    this.size = events.length;
    this.#events = events;
    this.#textOf = textOf;
  }

  /** Undefined if none matches. The same object for filters that match the same changes. */
  roundFor(wants: (change: FilteredChange) => boolean): EventRound | undefined {
    // So many are filtered page by page, with other work in between.
    if (this.size > PAGE_EVENTS) return this.#round('large', () => roundOf(this.#span(), ''));
    const fitting: number[] = [];
    for (const [at, { change }] of this.#events.entries()) if (wants(change)) fitting.push(at);
    if (fitting.length === 0) return undefined;
    const key = fitting.length === this.size ? 'all' : fitting.join();
    return this.#round(key, () => {
      const text = fitting.map((at) => this.#textAt(at)).join('');
      return roundOf({ ...this.#span(), count: fitting.length }, text);
    });
  }

  #round(key: string, make: () => EventRound): EventRound {
    const known = this.#rounds.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#rounds.set(key, made);
    return made;
  }

  #span() {
    const [first, last] = [this.#events[0], this.#events.at(-1)];
    return { afterSeq: (first?.change.seq ?? 1) - 1, seq: last?.change.seq ?? 0, count: this.size };
  }

  #textAt(at: number): string {
    const event = this.#events[at];
    this.#texts[at] ??= event === undefined ? '' : this.#textOf(event);
    return this.#texts[at] ?? '';
  }
}

/** Joins several rounds into one, so that they need one write. */
export function joinRounds(rounds: readonly [EventRound, ...EventRound[]]): EventRound {
  const [first] = rounds;
  const last = rounds.at(-1) ?? first;
  if (last === first) return first;
  const isLarge = rounds.some(({ told }) => told === undefined);
  const text = isLarge ? '' : rounds.map(({ told }) => told?.text).join('');
  const count = rounds.reduce((sum, round) => sum + round.count, 0);
  return roundOf({ afterSeq: first.afterSeq, seq: last.seq, count }, text);
}

function roundOf(span: Omit<EventRound, 'told'>, text: string): EventRound {
  if (text === '' || text.length > LARGE_BYTES) return span;
  return { ...span, told: { text, piece: new BodyPiece(text) } };
}
