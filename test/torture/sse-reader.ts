import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../../src/model/change.ts';
import { EventsClient } from '../support/events-client.ts';
import type { Random } from './hub-random.ts';

/** Where a connection is cut: before its answer, at once, or when a few more characters have come. */
const CUTS = ['unanswered', 'now', 'characters'] as const;
const MOST_CHARACTERS = 6000;
const PATIENCE_MS = 2000;

interface Judged {
  readonly gaps: number;
  readonly doubles: number;
  readonly disorder: number;
  readonly resyncs: number;
}

/** What a reader had of one log, from its first change on. */
interface Chapter {
  /** Behind which change it begins. */
  readonly afterSeq: number;
  readonly seqs: number[];
}

/** A reader that keeps its cursor over any number of connections, as an EventSource does. */
export class CutStream {
  readonly #query: string;
  readonly #isWanted: (change: Change) => boolean;
  readonly #chapters: Chapter[] = [];
  #lastEventId = '';
  #client: EventsClient | undefined;
  #taken = 0;
  #resyncs = 0;
  #expectedResyncs = 0;
  #falsePlaces = 0;
  /** Of logs that are gone: what is missing of them. */
  #gaps = 0;
  /** From where it has to be told to read again. */
  #expectedFrom: Change | undefined;
  #log: readonly Change[] = [];

  constructor(query: string, isWanted: (change: Change) => boolean) {
    this.#query = query;
    this.#isWanted = isWanted;
  }

  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  connect(url: string): void {
    const headers: Record<string, string> = {};
    if (this.#lastEventId !== '') headers['last-event-id'] = this.#lastEventId;
    this.#taken = 0;
    this.#client = new EventsClient(url + this.#query, headers);
  }

  /** Resolves when it has a cursor: from then on it may miss nothing. */
  async isPlaced(): Promise<void> {
    while (this.#client?.lastEventId === '') await pause(1);
    this.#take();
    this.#chapters.push({ afterSeq: SEEDED, seqs: [] });
  }

  async cut(random: Random): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    const kind = random.pick(CUTS);
    if (kind !== 'unanswered') await client.opened;
    if (kind === 'characters') {
      client.cutAfter(random.integer(1, MOST_CHARACTERS));
      await Promise.race([client.ended, pause(random.integer(1, 30))]);
    }
    await this.disconnect();
  }

  async disconnect(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    client.close();
    this.#take();
    this.#client = undefined;
    await Promise.race([client.ended, pause(PATIENCE_MS)]);
  }

  /** How many changes it does not have yet. */
  misses(log: readonly Change[]): number {
    this.#log = log;
    this.#take();
    const chapter = this.#chapters.at(-1);
    const isToBeTold = this.#resyncs < this.#expectedResyncs;
    return (isToBeTold ? 1 : 0) + this.#wanted(log, chapter).length - (chapter?.seqs.length ?? 0);
  }

  /** Its cursor is of a log that is gone: what it has of that must be whole as far as its cursor says. */
  expectRestored(log: readonly Change[]): void {
    const chapter = this.#chapters.at(-1);
    const id = this.#lastEventId.slice(0, ID_LENGTH);
    const before = this.#wanted(this.#log, chapter).filter((change) => change.id <= id);
    this.#gaps += before.filter(({ seq }) => !chapter?.seqs.includes(seq)).length;
    this.#expectedFrom = log.findLast((change) => change.id <= id);
    this.#expectedResyncs += 1;
  }

  judge(log: readonly Change[]): Judged {
    this.#take();
    const last = this.#chapters.at(-1);
    const missing = this.#wanted(log, last).filter(({ seq }) => !last?.seqs.includes(seq));
    const count = (judge: (seqs: readonly number[]) => number) =>
      this.#chapters.reduce((sum, { seqs }) => sum + judge(seqs), 0);
    return {
      gaps: this.#gaps + missing.length,
      doubles: count((seqs) => seqs.length - new Set(seqs).size),
      disorder: count((seqs) => seqs.filter((seq, at) => at > 0 && seq <= (seqs[at - 1] ?? 0)).length),
      resyncs: (this.#resyncs === this.#expectedResyncs ? 0 : 1) + this.#falsePlaces,
    };
  }

  #wanted(log: readonly Change[], chapter: Chapter | undefined): readonly Change[] {
    return log.filter((change) => change.seq > (chapter?.afterSeq ?? 0) && this.#isWanted(change));
  }

  /** What has come since the last look. */
  #take(): void {
    const client = this.#client;
    if (client === undefined) return;
    for (const { event, data } of client.events.slice(this.#taken)) {
      if (event === 'resync') this.#resync(JSON.parse(data).from);
      else this.#chapters.at(-1)?.seqs.push(JSON.parse(data).seq);
    }
    this.#taken = client.events.length;
    this.#lastEventId = client.lastEventId;
  }

  #resync(from: string | null): void {
    this.#resyncs += 1;
    if (from?.slice(0, ID_LENGTH) !== this.#expectedFrom?.id) this.#falsePlaces += 1;
    this.#chapters.push({ afterSeq: this.#expectedFrom?.seq ?? 0, seqs: [] });
  }
}

const ID_LENGTH = 26;
/** The changes that stand in the log before anybody reads. */
const SEEDED = 3;
