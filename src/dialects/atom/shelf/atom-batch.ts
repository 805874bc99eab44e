import { strictHttpUrl } from '../../../codecs/atom/http-url.ts';
import { groupBy } from '../../../codecs/primitives/group-by.ts';
import { inTurns } from '../../../log/others-first.ts';
import type { Run } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { collectionName } from '../../../model/collection.ts';
import { atomRunEntry } from './atom-run-entry.ts';
import { ALL_ATOM, ARCHIVE_ENTRIES, type AtomFeedRecord, type AtomStore, type AtomWrite } from './atom-store.ts';
import { ALL_TITLE, type AtomSource, collectionSource } from './feed-title.ts';

export interface AtomWorld {
  readonly store: AtomStore;
  /** The current name of a source; undefined for one that was removed. */
  readonly sourceOf: (id: string) => AtomSource | undefined;
  /** Identifies the log; absent while no backup was restored. */
  readonly epoch?: string | undefined;
}

/** The state of all feeds. A batch advances it before it is stored; if storing fails, the state is loaded again. */
export interface AtomState {
  seq: number;
  readonly records: Map<string, AtomFeedRecord>;
  /** The names of the feeds of collections, by source and then by the URL that each describes. */
  readonly collections: Map<string, Map<string, string>>;
}

export function loadAtomState(store: AtomStore): AtomState {
  const state: AtomState = { seq: store.seq(), records: new Map(), collections: new Map() };
  for (const record of store.feeds()) {
    state.records.set(record.name, record);
    const { source, describes, name } = record;
    if (source !== undefined && describes !== undefined) namesOf(state, source).set(describes, name);
  }
  return state;
}

/** A batch with more is full, so that one transaction does not hold up others. */
const FULL_CHARACTERS = 128 * 1024;
const FULL_ENTRIES = 50;
/** The most collections of one source. Changes of further ones are only in the feed of the source. */
const MAX_COLLECTIONS = 1000;

/** Runs that are stored together. */
export class AtomBatch {
  readonly #state: AtomState;
  readonly #world: AtomWorld;
  readonly #after: number;
  readonly #written = new Set<string>();
  readonly #entries: AtomWrite['entries'][number][] = [];
  readonly #archives: AtomWrite['archives'][number][] = [];
  #characters = 0;

  constructor(state: AtomState, world: AtomWorld) {
    this.#state = state;
    this.#world = world;
    this.#after = state.seq;
  }

  get isFull(): boolean {
    return this.#characters >= FULL_CHARACTERS || this.#entries.length >= FULL_ENTRIES;
  }

  /** Adds one entry for each collection in the run and one for the rest. An entry is the same in every feed. */
  async addRun({ source, changes, time }: Run): Promise<void> {
    const { records } = this.#state;
    const { title, url } = this.#world.sourceOf(source) ?? records.get(source) ?? { title: source };
    const of = { source, title, ...(url !== undefined && { url }) };
    const seq = changes.at(-1)?.seq ?? this.#state.seq;
    const moved = { updatedMs: Date.parse(time), seq };
    const feeds = [
      { ...of, name: source, ...moved },
      { name: ALL_ATOM, title: ALL_TITLE, ...moved },
    ];
    const collectionOf = collectionReader();
    const describesOf = (change: Change) => {
      const describes = collectionOf(change);
      return describes !== undefined && this.#nameOf(source, describes) !== undefined ? describes : undefined;
    };
    for (const [describes, some] of groupBy(changes, describesOf)) {
      const name = describes === undefined ? undefined : this.#nameOf(source, describes);
      if (describes === undefined || name === undefined) {
        const isKnown = records.has(source);
        this.#put(await inTurns(atomRunEntry({ ...of, changes: some, isKnown })), feeds);
        continue;
      }
      const collection = { source, ...collectionSource(of, describes) };
      const text = await inTurns(atomRunEntry({ ...collection, changes: some, isKnown: records.has(name) }));
      this.#put(text, [{ ...collection, describes, name, ...moved }, ...feeds]);
    }
    this.#state.seq = seq;
  }

  /** What is to be stored; undefined if there is nothing new. */
  finish(): AtomWrite | undefined {
    if (this.#entries.length === 0) return undefined;
    return {
      after: this.#after,
      ...(this.#after === 0 && { identity: this.#world.store.identity() }),
      seq: this.#state.seq,
      feeds: [...this.#written].flatMap((name) => this.#state.records.get(name) ?? []),
      entries: this.#entries,
      archives: this.#archives,
    };
  }

  #put(text: string, feeds: readonly Omit<AtomFeedRecord, 'entries' | 'epoch'>[]): void {
    const places = feeds.map((feed) => ({ feed: feed.name, number: this.#place(feed) }));
    this.#entries.push({ text, places });
    this.#characters += text.length;
  }

  /** Counts one more entry of a feed, and returns its number. */
  #place(feed: Omit<AtomFeedRecord, 'entries' | 'epoch'>): number {
    const { records } = this.#state;
    const { name, title, url, updatedMs, seq } = feed;
    const before = records.get(name);
    const number = (before?.entries ?? 0) + 1;
    const isFull = number % ARCHIVE_ENTRIES === 0;
    const epoch = isFull ? this.#world.epoch : before?.epoch;
    records.set(name, { ...feed, entries: number, ...(epoch !== undefined && { epoch }) });
    this.#written.add(name);
    if (!isFull) return number;
    const known = {
      ...(url !== undefined && { url }),
      ...(epoch !== undefined && { epoch }),
      ...(seq !== undefined && { seq }),
    };
    const head = { title, updatedMs, ...known };
    this.#archives.push({ feed: name, number: number / ARCHIVE_ENTRIES, head });
    return number;
  }

  /** The name that the collection got first. */
  #nameOf(source: string, describes: string): string | undefined {
    const names = namesOf(this.#state, source);
    const known = names.get(describes);
    if (known !== undefined || names.size >= MAX_COLLECTIONS) return known;
    const taken = new Set([...names.values()].map((name) => name.slice(source.length + 1)));
    const name = `${source}/${collectionName(describes, taken)}`;
    names.set(describes, name);
    return name;
  }
}

function namesOf({ collections }: AtomState, source: string): Map<string, string> {
  const names = collections.get(source) ?? new Map<string, string>();
  collections.set(source, names);
  return names;
}

/** The URL of the collection that a change belongs to, in normal form. It is cached, because many changes name the same few. */
function collectionReader(): (change: Change) => string | undefined {
  const known = new Map<unknown, string | undefined>();
  return ({ provenance: { collection } }) => {
    if (typeof collection !== 'string') return undefined;
    if (!known.has(collection)) known.set(collection, strictHttpUrl(collection));
    return known.get(collection);
  };
}
