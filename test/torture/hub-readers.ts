import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../../src/model/change.ts';
import type { Random } from './hub-random.ts';

export interface ReaderWrong {
  /** Bytes that were served once and are others now. */
  changedBytes: number;
  /** A feed that ends in the midst of a line. */
  torn: number;
  /** A hole in `seq`, or an id that goes back. */
  holes: number;
  /** 410, 5xx, or anything else that a reader must not get. */
  badAnswers: number;
}

/** What all readers share. */
export interface Reading {
  /** Where the hub is now; undefined while there is none. */
  hub: string | undefined;
  /** A connection that breaks while the hub is killed is no complaint. */
  mayBreak: boolean;
  readonly random: Random;
  readonly wrong: ReaderWrong;
  readonly signal: AbortSignal;
  readonly complain: (line: string) => void;
  /** Answers that readers have got, by status. */
  readonly answers: Map<number, number>;
}

const REST_MS = 40;

/** Asks the hub; undefined when there was no whole answer. */
export async function ask(
  path: string,
  headers: Record<string, string>,
  reading: Reading,
): Promise<{ readonly status: number; readonly headers: Headers; readonly bytes: Buffer } | undefined> {
  const { hub, answers } = reading;
  if (hub === undefined) return undefined;
  try {
    const response = await fetch(new URL(path, hub), { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (!reading.mayBreak && !reading.signal.aborted) refuse(reading, `${path}: ${error}`);
    return undefined;
  }
}

export function refuse({ wrong, complain }: Reading, line: string): void {
  wrong.badAnswers += 1;
  complain(`bad answer: ${line}`);
}

/** Goes on by cursor through all that happens to the hub. */
export class CursorReader {
  readonly changes: Change[] = [];
  readonly #reading: Reading;
  readonly #source: string | undefined;
  readonly #onChange: (change: Change) => void;
  readonly #roams: boolean;
  #cursor: string | undefined;

  /** `roams`: it comes from other servers, which may be ahead of one that is cut off. Such a one says so (503), and the cursor stays good. */
  constructor(
    reading: Reading,
    options: { source?: string; onChange?: (change: Change) => void; roams?: boolean } = {},
  ) {
    this.#roams = options.roams ?? false;
    this.#reading = reading;
    this.#source = options.source;
    this.#onChange = options.onChange ?? (() => {});
  }

  async run(): Promise<void> {
    while (!this.#reading.signal.aborted) if ((await this.step()) === 0) await pause(REST_MS);
  }

  /** Says how many changes were new. */
  async step(): Promise<number> {
    const query = new URLSearchParams({ limit: `${this.#reading.random.integer(1, 200)}` });
    if (this.#cursor !== undefined) query.set('after', this.#cursor);
    if (this.#source !== undefined) query.set('source', this.#source);
    const answer = await ask(`api/v1/changes?${query}`, {}, this.#reading);
    if (answer === undefined) return 0;
    if (this.#roams && answer.status === 503 && answer.bytes.includes('ReplicaBehindError')) return 0;
    if (answer.status !== 200) {
      refuse(this.#reading, `${answer.status} for ${query}: ${answer.bytes.toString().slice(0, 200)}`);
      return 0;
    }
    const { changes, next } = JSON.parse(answer.bytes.toString()) as { changes: Change[]; next: string | null };
    for (const change of changes) this.#take(change);
    if (next !== null) this.#cursor = next;
    return changes.length;
  }

  #take(change: Change): void {
    const last = this.changes.at(-1);
    const isNext = this.#source === undefined ? change.seq === (last?.seq ?? 0) + 1 : change.seq > (last?.seq ?? 0);
    if (!isNext || change.id <= (last?.id ?? '')) {
      this.#reading.wrong.holes += 1;
      this.#reading.complain(`hole: ${last?.seq} ${last?.id}, then ${change.seq} ${change.id}`);
    }
    this.changes.push(change);
    this.#onChange(change);
  }
}

/** Every feed that was ever got, at its longest: whatever comes later must begin so. */
export class SeenFeeds {
  readonly #longest = new Map<string, Buffer>();
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  get(path: string): Buffer {
    return this.#longest.get(path) ?? Buffer.alloc(0);
  }

  take(path: string, bytes: Buffer): void {
    const known = this.get(path);
    const shared = Math.min(known.length, bytes.length);
    if (known.compare(bytes, 0, shared, 0, shared) !== 0) {
      this.#reading.wrong.changedBytes += 1;
      this.#reading.complain(`changed bytes: ${path}, ${known.length} bytes before, ${bytes.length} now`);
    }
    if (bytes.length > 0 && bytes.at(-1) !== 0x0a) {
      this.#reading.wrong.torn += 1;
      this.#reading.complain(`torn: ${path} ends with ${bytes.subarray(-40)}`);
    }
    if (bytes.length > known.length) this.#longest.set(path, bytes);
  }
}

/** Asks for feeds as caches do: conditionally, in every encoding, sometimes for what comes behind what it has. */
export class FeedReader {
  readonly #reading: Reading;
  readonly #feeds: SeenFeeds;
  readonly #paths: readonly string[];
  readonly #etags = new Map<string, string>();

  constructor(reading: Reading, feeds: SeenFeeds, paths: readonly string[]) {
    this.#reading = reading;
    this.#feeds = feeds;
    this.#paths = paths;
  }

  async run(): Promise<void> {
    while (!this.#reading.signal.aborted) {
      await this.step(this.#reading.random.pick(this.#paths));
      await pause(this.#reading.hub === undefined ? REST_MS : this.#reading.random.integer(0, 10));
    }
  }

  async step(path: string): Promise<void> {
    if (this.#reading.random.chance(0.3) && this.#feeds.get(path).length > 0) await this.#readOn(path);
    else await this.readWhole(path);
  }

  async readWhole(path: string): Promise<void> {
    const encoding = this.#reading.random.pick(['identity', 'gzip', 'br', 'gzip, br']);
    const etag = this.#etags.get(`${path} ${encoding}`);
    const headers = { 'accept-encoding': encoding, ...(etag !== undefined && { 'if-none-match': etag }) };
    const answer = await ask(path, headers, this.#reading);
    // Before the first change there is no feed.
    if (answer === undefined || (answer.status === 404 && this.#feeds.get(path).length === 0)) return;
    if (answer.status === 304 && etag !== undefined) return;
    if (answer.status !== 200) return refuse(this.#reading, `${answer.status} for ${path}`);
    const given = answer.headers.get('etag');
    if (given === null || given.startsWith('W/')) refuse(this.#reading, `${path} has the ETag ${given}`);
    else this.#etags.set(`${path} ${encoding}`, given);
    this.#feeds.take(path, answer.bytes);
  }

  /** From the last byte that it has, so that there is something even when nothing is new. */
  async #readOn(path: string): Promise<void> {
    const known = this.#feeds.get(path);
    const start = known.length - 1;
    const answer = await ask(path, { range: `bytes=${start}-`, 'accept-encoding': 'identity' }, this.#reading);
    if (answer === undefined) return;
    const given = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(answer.headers.get('content-range') ?? '');
    const isRight =
      answer.status === 206 && Number(given?.[1]) === start && Number(given?.[2]) === start + answer.bytes.length - 1;
    if (!isRight) return refuse(this.#reading, `${answer.status} ${given?.[0]} for ${path} from ${start}`);
    this.#feeds.take(path, Buffer.concat([known.subarray(0, start), answer.bytes]));
  }
}

/** How many sources stand how. */
/** The sources that are not well, each with what the hub says of it. */
export async function unwellOf(reading: Reading): Promise<readonly string[]> {
  const answer = await ask('state/health.json', {}, reading);
  if (answer?.status !== 200) return [`${answer?.status} for the health`];
  const { sources } = JSON.parse(answer.bytes.toString()) as { sources: Record<string, { status: string }> };
  return Object.entries(sources).flatMap(([id, source]) =>
    source.status === 'ok' ? [] : [`${id}: ${JSON.stringify(source)}`],
  );
}

export async function healthOf(reading: Reading): Promise<Readonly<Record<string, number>>> {
  const answer = await ask('state/health.json', {}, reading);
  if (answer?.status !== 200) {
    refuse(reading, `${answer?.status} for the health`);
    return {};
  }
  return (JSON.parse(answer.bytes.toString()) as { summary: Record<string, number> }).summary;
}
