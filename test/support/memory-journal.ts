import { createHash, randomBytes } from 'node:crypto';
import { journalCutError } from '../../src/errors/database-error.ts';
import type { Base, Bases } from '../../src/hub/cluster/bases.ts';
import type { Journal, JournalEnd, JournalWrite, PlacedWrite, WriteAnswer } from '../../src/hub/cluster/journal.ts';
import { placeChanges } from '../../src/log/place-changes.ts';
import type { Change } from '../../src/model/change.ts';

/** A journal in memory that several replicas of one test can share. Only `tokens` fence writes. */
export class MemoryJournal {
  readonly writes: PlacedWrite[] = [];
  /** Set by a test: a write with a lower token is refused. */
  readonly tokens = new Map<string, number>();
  readonly seen: JournalWrite[] = [];
  epoch = 'one';
  now: () => number;
  /** Set by a test: the error of every call. */
  trouble: Error | undefined;
  #last: Change | undefined;
  #rev = 0;
  readonly #listeners = new Set<() => void>();

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** The connection of one process to it. */
  connect(): Journal {
    const listeners = new Set<() => void>();
    return {
      append: async (writes) => this.#append(writes),
      read: async (afterRev, limit) => {
        this.#ensureWell();
        const found = this.writes.filter(({ rev }) => rev > afterRev).slice(0, limit);
        if ((found[0]?.rev ?? this.#rev + 1) > afterRev + 1) throw journalCutError('memory', afterRev);
        return found;
      },
      end: async (): Promise<JournalEnd> => {
        this.#ensureWell();
        return { epoch: this.epoch, rev: this.#rev, seq: this.#last?.seq ?? 0 };
      },
      rewrite: async (change) => {
        this.#ensureWell();
        for (const [at, write] of this.writes.entries()) {
          const changes = write.changes.map((each) => (each.seq === change.seq ? change : each));
          this.writes[at] = { ...write, changes };
        }
      },
      onNews: (listener) => {
        listeners.add(listener);
        this.#listeners.add(listener);
        return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
      },
      [Symbol.asyncDispose]: async () => {
        for (const listener of listeners) this.#listeners.delete(listener);
      },
    };
  }

  #append(writes: readonly JournalWrite[]): WriteAnswer[] {
    this.#ensureWell();
    const nowMs = this.now();
    // Refused before anything gets a place.
    for (const { drafts = [] } of writes) placeChanges(drafts, { last: undefined, nowMs, random: randomBytes });
    this.seen.push(...writes);
    const answers = writes.map(({ kind, body, drafts = [], isMore = false, fence }): WriteAnswer => {
      if (fence !== undefined && (this.tokens.get(fence.task) ?? 0) > fence.token) return { refused: 'fenced' };
      const changes = placeChanges(drafts, { last: this.#last, nowMs, random: randomBytes, isMore });
      this.#last = changes.at(-1) ?? this.#last;
      this.#rev += 1;
      const placed = { rev: this.#rev, kind, body, changes, atMs: nowMs };
      this.writes.push(placed);
      return placed;
    });
    for (const listener of this.#listeners) listener();
    return answers;
  }

  /** Resets it to that place, like restoring a backup made there. */
  putBack(rev: number): void {
    this.writes.splice(rev);
    this.#rev = rev;
  }

  #ensureWell(): void {
    if (this.trouble !== undefined) throw this.trouble;
  }
}

/** Bases of such a journal. Writes that a base contains are dropped at once. */
export class MemoryBases implements Bases {
  readonly #journal: MemoryJournal;
  readonly #kept: { readonly base: Base; readonly bytes: Buffer }[] = [];
  /** Set by a test: the bytes read differ from those written. */
  isDamaged = false;

  constructor(journal: MemoryJournal) {
    this.#journal = journal;
  }

  async newest(): Promise<Base | undefined> {
    return this.#kept.at(-1)?.base;
  }

  async *read(wanted: Base): AsyncGenerator<Uint8Array> {
    const bytes = this.#kept.find(({ base }) => base === wanted)?.bytes ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += 1000) {
      const piece = Buffer.from(bytes.subarray(at, at + 1000));
      if (this.isDamaged && at === 0) piece[piece.length - 1] = (piece.at(-1) ?? 0) ^ 1;
      yield piece;
    }
  }

  async put(rev: number, pieces: AsyncIterable<Uint8Array>): Promise<Base> {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(Uint8Array.from(piece));
    const bytes = Buffer.concat(all);
    const base = { rev, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    this.#kept.push({ base, bytes });
    this.#journal.writes.splice(0, this.#journal.writes.findLastIndex((write) => write.rev <= rev) + 1);
    return base;
  }

  async begin(): Promise<Base> {
    throw new Error('Of a real database alone.');
  }

  async isBegun(): Promise<boolean> {
    return false;
  }

  async bytesBehind(): Promise<number> {
    return this.#journal.writes.reduce((sum, { body }) => sum + body.length, 0);
  }

  async holdsRedacted(): Promise<boolean> {
    return this.#journal.writes.some(({ kind }) => kind === 'redact');
  }
}
