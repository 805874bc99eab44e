import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../../src/model/change.ts';
import { archiveBefore } from './cluster-hub-pairs.ts';
import { compareFeeds, readToEnd } from './hub-audience.ts';
import type { Random } from './hub-random.ts';
import { ask, CursorReader, FeedReader, type ReaderWrong, type Reading, refuse, SeenFeeds } from './hub-readers.ts';
import { RunMemory, RunReader } from './hub-run-reader.ts';

export interface ClusterAudienceOptions {
  /** How many servers there are. */
  readonly servers: number;
  readonly sources: readonly { readonly id: string }[];
  readonly random: Random;
  /** Each change once, in the order of the log, as the reader of the first server has it. */
  readonly onChange: (change: Change) => void;
  readonly complain: (line: string) => void;
}

const ALL_FEED = 'ai-changes.ndjson';
const REST_MS = 400;
/** A change is told within this of the moment at which it is read, whatever is done to clocks. */
const OFF_MS = 1_800_000;

/** Readers at each server of a cluster, one that goes from server to server, and what all of them were ever given. */
export class ClusterAudience {
  readonly wrong: ReaderWrong = { changedBytes: 0, torn: 0, holes: 0, badAnswers: 0 };
  readonly answers = new Map<number, number>();
  offTheClock = 0;
  readonly #options: ClusterAudienceOptions;
  readonly #stopping = new AbortController();
  readonly #servers: ServerReaders[] = [];
  readonly #hubs: (string | undefined)[] = [];
  readonly #roaming: CursorReader;
  readonly #running: Promise<unknown>;
  #isBegun = false;

  constructor(options: ClusterAudienceOptions) {
    this.#options = options;
    const shared = new SharedMemory(this.#reading(() => undefined));
    for (let index = 0; index < options.servers; index += 1) {
      const reading = this.#reading(() => this.#hubs[index]);
      this.#servers.push(new ServerReaders(reading, { ...options, isBegun: () => this.#isBegun }, shared));
    }
    const [first] = this.#servers;
    if (first !== undefined) first.onChange = (change) => this.#see(change);
    this.#roaming = new CursorReader(
      this.#reading(() => this.#hubs[options.random.integer(0, options.servers - 1)]),
      { roams: true },
    );
    this.#running = Promise.all(
      [...this.#servers, { step: () => this.#roaming.step() }].map((each) => this.#run(each)),
    );
  }

  /** From now on every document is read, not the log alone. */
  begin(): void {
    this.#isBegun = true;
  }

  /** Where a server answers now; undefined while it does not. */
  at(index: number, url: string | undefined): void {
    this.#hubs[index] = url;
  }

  /** How many changes the first server has told. */
  get told(): number {
    return this.#servers[0]?.cursor.changes.length ?? 0;
  }

  /** Reads everything to its end, at every server, and compares it. Says how many feeds tell something else than the log. */
  async finish(): Promise<number> {
    this.#stopping.abort();
    await this.#running;
    let differ = 0;
    for (const server of this.#servers) differ += await server.finish();
    await readToEnd(this.#roaming);
    const [first, ...others] = this.#servers.map(({ cursor }) => cursor.changes);
    for (const changes of [...others, this.#roaming.changes]) {
      if (isDeepStrictEqual(changes, first)) continue;
      this.wrong.holes += 1;
      this.#options.complain(`hole: one reader has ${changes.length} changes, another ${first?.length}, or others`);
    }
    return differ;
  }

  #reading(hub: () => string | undefined): Reading {
    const { random, complain } = this.#options;
    const { wrong, answers } = this;
    const { signal } = this.#stopping;
    return Object.defineProperty(
      { hub: undefined, mayBreak: true, random, wrong, signal, complain, answers } as Reading,
      'hub',
      { get: hub },
    );
  }

  #see(change: Change): void {
    if (Math.abs(Date.parse(change.time) - Date.now()) > OFF_MS) {
      this.offTheClock += 1;
      this.#options.complain(`off the clock: ${change.seq} is of ${change.time}`);
    }
    this.#options.onChange(change);
  }

  async #run(reader: { step(): Promise<unknown> }): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await reader.step();
      await pause(REST_MS);
    }
  }
}

/** What two servers must agree on. */
class SharedMemory {
  readonly runs = new RunMemory();
  readonly feeds: SeenFeeds;
  /** By what must not change: the id of an entry, the path of an archive. */
  readonly entries = new Map<string, string>();

  constructor(reading: Reading) {
    this.feeds = new SeenFeeds(reading);
  }
}

interface ServerReadersOptions extends Pick<ClusterAudienceOptions, 'sources'> {
  /** Before that there are no documents of the sources. */
  readonly isBegun: () => boolean;
}

/** All who read one server. */
class ServerReaders {
  readonly cursor: CursorReader;
  onChange: (change: Change) => void = () => {};
  readonly #reading: Reading;
  readonly #feeds: SeenFeeds;
  readonly #feedReader: FeedReader;
  readonly #runs: RunReader;
  readonly #atom: AtomReader;
  readonly #paths: readonly string[];
  readonly #sources: ClusterAudienceOptions['sources'];

  readonly #isBegun: () => boolean;

  constructor(reading: Reading, { sources, isBegun }: ServerReadersOptions, shared: SharedMemory) {
    const ids = sources.map(({ id }) => id);
    this.#reading = reading;
    this.#isBegun = isBegun;
    this.#sources = sources;
    this.#paths = [ALL_FEED, ...ids.map((id) => `aicf/${id}.ndjson`)];
    this.#feeds = new ComparedFeeds(reading, shared.feeds);
    this.#feedReader = new FeedReader(reading, this.#feeds, this.#paths);
    this.#runs = new RunReader(reading, ids, shared.runs);
    this.#atom = new AtomReader(reading, ['changes.atom', ...ids.map((id) => `atom/${id}.atom`)], shared.entries);
    this.cursor = new CursorReader(reading, { onChange: (change) => this.onChange(change) });
  }

  async step(): Promise<void> {
    await this.cursor.step();
    if (!this.#isBegun()) return;
    await this.#feedReader.step(this.#reading.random.pick(this.#paths));
    await this.#runs.step();
    await this.#atom.step();
  }

  async finish(): Promise<number> {
    await readToEnd(this.cursor);
    for (const path of this.#paths) await this.#feedReader.readWhole(path);
    await this.#runs.finish(this.cursor.changes);
    await this.#atom.finish();
    return compareFeeds(this.cursor.changes, this.#feeds, this.#sources, this.#reading.complain);
  }
}

/** What one server gives must fit to what the other one gave: one of them may be behind. */
class ComparedFeeds extends SeenFeeds {
  readonly #all: SeenFeeds;

  constructor(reading: Reading, all: SeenFeeds) {
    super(reading);
    this.#all = all;
  }

  override take(path: string, bytes: Buffer): void {
    super.take(path, bytes);
    this.#all.take(path, bytes);
  }
}

/** Atom: an entry and an archive stay as they are, at whichever server. */
class AtomReader {
  readonly #reading: Reading;
  readonly #paths: readonly string[];
  readonly #known: Map<string, string>;

  constructor(reading: Reading, paths: readonly string[], known: Map<string, string>) {
    this.#reading = reading;
    this.#paths = paths;
    this.#known = known;
  }

  async step(): Promise<void> {
    await this.#look(this.#reading.random.pick(this.#paths));
  }

  async finish(): Promise<void> {
    for (const first of this.#paths) {
      for (let path: string | undefined = first; path !== undefined; ) path = await this.#look(path);
    }
  }

  /** Says where the archive before it is. */
  async #look(path: string): Promise<string | undefined> {
    const answer = await ask(path, {}, this.#reading);
    if (answer === undefined) return undefined;
    if (answer.status !== 200) {
      refuse(this.#reading, `${answer.status} for ${path}`);
      return undefined;
    }
    const text = answer.bytes.toString();
    if (path.includes('_archive')) this.#hold(path, text);
    for (const [entry] of text.matchAll(/<entry>[\s\S]*?<\/entry>/g))
      this.#hold(/<id>([^<]*)/.exec(entry)?.[1] ?? '', entry);
    return archiveBefore(text)?.slice(1);
  }

  #hold(name: string, text: string): void {
    const digest = createHash('sha256').update(text).digest('base64');
    const known = this.#known.get(name) ?? digest;
    this.#known.set(name, known);
    if (known === digest) return;
    this.#reading.wrong.changedBytes += 1;
    this.#reading.complain(`changed bytes: Atom, ${name}`);
  }
}
