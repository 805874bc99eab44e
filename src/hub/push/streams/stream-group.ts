import { othersFirst } from '../../../log/others-first.ts';
import { type EventBatch, type EventRound, joinRounds } from './event-round.ts';
import type { PageFilter } from './shared-pages.ts';
import type { StreamReader } from './stream-reader.ts';

/** After this many connections, other work gets its turn. */
const READERS_AT_ONCE = 500;

/** The readers with one filter: what is made for one of them serves all. */
export class StreamGroup {
  readonly filter: PageFilter;
  readonly readers = new Set<StreamReader>();
  #waiting: EventRound[] = [];
  #isTelling = false;
  #shownSeq = 0;

  constructor(filter: PageFilter) {
    this.filter = filter;
  }

  /** Sends a commit to the live readers; in a small group at once. Commits that arrive in the meantime are sent together afterwards. */
  async tell(batch: EventBatch): Promise<void> {
    const round = batch.roundFor(this.filter.wants);
    if (round === undefined) return;
    this.#waiting.push(round);
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      for (let rounds = this.#take(); rounds !== undefined; rounds = this.#take()) await this.#tellRounds(rounds);
    } finally {
      this.#isTelling = false;
    }
  }

  /** Whether its live readers have everything up to here, and were not shown that yet. */
  isToBeShown(seq: number): boolean {
    if (this.#isTelling || seq === this.#shownSeq) return false;
    this.#shownSeq = seq;
    return true;
  }

  #take(): readonly [EventRound, ...EventRound[]] | undefined {
    const [first, ...more] = this.#waiting;
    this.#waiting = [];
    return first && [first, ...more];
  }

  async #tellRounds(rounds: readonly [EventRound, ...EventRound[]]): Promise<void> {
    const all = joinRounds(rounds);
    let told = 0;
    for (const reader of [...this.readers]) {
      if (!reader.isLive || reader.seq >= all.seq) continue;
      if (reader.seq <= all.afterSeq) reader.tell(all);
      // A reader that reached the end of the log in the meantime has some of it.
      else for (const round of rounds) if (reader.seq <= round.afterSeq) reader.tell(round);
      told += 1;
      if (told % READERS_AT_ONCE === 0) await othersFirst();
    }
  }
}
