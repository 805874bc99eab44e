import { type DiffDeltaFeed, GLOBAL_ID } from '../../../codecs/diffdelta/wire.ts';
import { formatTime } from '../../../codecs/primitives/time.ts';
import { othersFirst } from '../../../log/others-first.ts';
import type { Run } from '../../../log/runs-of.ts';
import type { Change } from '../../../model/change.ts';
import { emptyFeed, entryOf, type MadeFeed, restatedFeed } from '../runs/make-feed.ts';
import { feedOfAll, sourceRunFeed } from '../runs/run-feeds.ts';
import { eachItemOfRun, type ItemRecord, itemIdOf, type RunItem } from '../runs/run-items.ts';
import { entryFacts, runFacts } from './entry-facts.ts';
import { precedingOf, type RecordedRun, type RunFeedRecord, runFeedRecord } from './feed-record.ts';
import { entryNow, isOutdated, needsFirstRun, type RunState, type RunWorld, ttlSecNow } from './run-state.ts';
import type { PackedItem, RunArchive, RunWrite } from './run-store.ts';

interface Written {
  readonly record: RunFeedRecord;
  readonly feed: DiffDeltaFeed;
  readonly text: string;
}

/** A run, and the items it leaves. */
interface ReadRun extends Pick<Run, 'source' | 'time'> {
  readonly items: readonly RunItem[];
}

/** A batch with more is full: one transaction should not be larger. */
const FULL_CHARACTERS = 2 * 1024 * 1024;
const FULL_FEEDS = 250;
/** How many are processed or packed before other work gets a turn. */
const ITEMS_AT_ONCE = 100;
const FEEDS_AT_ONCE = 8;
/** A larger feed is not kept in memory between runs. */
const LARGE_CHARACTERS = 4 * 1024 * 1024;

/** Runs and restatements that are stored together. Of each feed, only the last version is stored; of runs, every archive. */
export class RunBatch {
  readonly #state: RunState;
  readonly #world: RunWorld;
  readonly #after: number;
  /** The previous records of the feeds written here. */
  readonly #replaced = new Map<string, RunFeedRecord | undefined>();
  readonly #written = new Map<string, Written>();
  readonly #items = new Map<string, ItemRecord>();
  readonly #archives: RunArchive[] = [];
  #characters = 0;
  #isGlobalOutdated = false;

  constructor(state: RunState, world: RunWorld) {
    this.#state = state;
    this.#world = world;
    this.#after = state.seq;
  }

  get isFull(): boolean {
    return this.#characters >= FULL_CHARACTERS || this.#written.size >= FULL_FEEDS;
  }

  /** Adds a run of one source, which is also a run of the feed of all sources. */
  async addRun({ source, time, changes }: Run): Promise<void> {
    const known = await this.#knownItems(source, changes);
    const items: RunItem[] = [];
    for (const made of eachItemOfRun(changes, (id) => known.get(id))) {
      const { item, isRemoved } = made;
      this.#items.set(itemKey(source, item.id), { item, isRemoved });
      items.push(made);
      if (items.length % ITEMS_AT_ONCE === 0) await othersFirst();
    }

    const run = { source, time, items };
    if (items.length > ITEMS_AT_ONCE) await othersFirst();
    const ofSource = this.#addSourceRun(run);
    if (items.length > ITEMS_AT_ONCE) await othersFirst();
    const ofAll = await this.#addGlobalRun(run);
    // The feed of all sources also holds the items and the entry of the run, so its archive goes first.
    this.#archive(ofAll.made, ofAll.before);
    this.#archive(ofSource, ofAll.made.archivePath);
    this.#state.seq = changes.at(-1)?.seq ?? this.#state.seq;
    this.#world.onRun?.(source);
  }

  /** Writes the status of a source, if it changed. */
  async restate(id: string): Promise<void> {
    if (id === GLOBAL_ID) this.#isGlobalOutdated = true;
    if (!isOutdated(id, this.#state, this.#world)) return;
    this.#isGlobalOutdated = true;
    const source = this.#world.sourceOf(id);
    const record = this.#state.records.get(id);
    if (needsFirstRun(record, source)) {
      const time = formatTime(source.health.lastOkMs ?? this.#world.now());
      this.#archive(this.#addSourceRun({ source: id, time, items: [] }));
    } else if (record === undefined) this.#begin(id);
    await this.#restateSource(id);
  }

  /** What is to be stored; undefined if there is nothing new. */
  async finish(): Promise<RunWrite | undefined> {
    if (this.#isGlobalOutdated || !this.#state.records.has(GLOBAL_ID)) await this.#restateGlobal();
    if (this.#written.size === 0) return undefined;
    const { store } = this.#world;
    const feeds: RunWrite['feeds'][number][] = [];
    for (const { record, text } of this.#written.values()) {
      feeds.push({ record, latest: await store.pack(text) });
      if (feeds.length % FEEDS_AT_ONCE === 0) await othersFirst();
    }
    return {
      after: this.#after,
      seq: this.#state.seq,
      feeds,
      items: await this.#packedItems(),
      archives: await store.packArchives(this.#archives),
    };
  }

  #addSourceRun(run: ReadRun): MadeFeed {
    const { sourceOf, root, now } = this.#world;
    const { source } = run;
    const before = this.#state.records.get(source);
    const ttlSec = ttlSecNow(source, before, this.#world);
    const facts = runFacts(sourceOf(source), before ?? {}, now());
    const made = sourceRunFeed({ ...run, root, ttlSec, facts }, precedingOf(before));
    const ranAtMs = this.#ranAtMs(run);
    this.#put(source, made, { ranAtMs, lastOkMs: Math.max(ranAtMs, before?.lastOkMs ?? 0) });
    return made;
  }

  /** Returns the feed with the path of the archive before it. */
  async #addGlobalRun(run: ReadRun): Promise<{ readonly made: MadeFeed; readonly before: string | undefined }> {
    const { root, ttlSec } = this.#world;
    const { statuses } = this.#state;
    const before = await this.#globalFeed();
    const made = feedOfAll({ ...run, root, ttlSec }, before, (included) => statuses.select(included));
    this.#put(GLOBAL_ID, made, { ranAtMs: this.#ranAtMs(run), ranFor: run.source });
    return { made, before: before?.archive_url?.slice(root.length) };
  }

  #archive({ archivePath, latestText }: MadeFeed, over?: string): void {
    if (archivePath === undefined) return;
    this.#archives.push({ path: archivePath, text: latestText, ...(over !== undefined && { over }) });
  }

  /** The time of a run in the log may be ahead of our clock. */
  #ranAtMs({ time }: ReadRun): number {
    return Math.min(Date.parse(time), this.#world.now());
  }

  /** Starts the feed of an unknown source (T-DD-11). */
  #begin(id: string): void {
    const { root, now, sourceOf } = this.#world;
    const ttlSec = ttlSecNow(id, undefined, this.#world);
    const facts = entryFacts(sourceOf(id), {}, now());
    const entry = entryOf(id, facts, { root, ttlSec, changed: false, cursor: null, prev_cursor: null });
    this.#put(id, emptyFeed({ name: id, root, ttlSec, atMs: now(), sources: { [id]: entry } }), {});
  }

  async #restateSource(id: string): Promise<void> {
    const { root, now, sourceOf } = this.#world;
    const record = this.#state.records.get(id);
    if (record === undefined) return;
    const entry = entryNow(record, this.#world);
    const { changed, ttl_sec: ttlSec } = entry;
    const before = await this.#feedOf(id);
    const made = restatedFeed({ name: id, root, ttlSec, before, changed, sources: { [id]: entry }, atMs: now() });
    if (made === undefined) return;
    const lastOkMs = sourceOf(id)?.health.lastOkMs ?? record.lastOkMs;
    this.#put(id, made, { ...record, ...(lastOkMs !== undefined && { lastOkMs }) });
  }

  async #restateGlobal(): Promise<void> {
    const { root, ttlSec, now } = this.#world;
    const { records, statuses } = this.#state;
    const before = await this.#globalFeed();
    const record = records.get(GLOBAL_ID);
    const place = {
      name: GLOBAL_ID,
      root,
      ttlSec,
      atMs: now(),
      sources: statuses.select(before?.sources_included ?? []),
    };
    if (before === undefined || record === undefined) {
      this.#put(GLOBAL_ID, emptyFeed(place), {});
      return;
    }
    const changed = before.changed && records.get(record.ranFor ?? '')?.changed === true;
    const made = restatedFeed({ ...place, before, changed });
    if (made !== undefined) this.#put(GLOBAL_ID, made, record);
  }

  #put(name: string, made: MadeFeed, facts: RecordedRun): void {
    const { feed, latestText } = made;
    const { records, statuses } = this.#state;
    if (!this.#replaced.has(name)) this.#replaced.set(name, records.get(name));
    const record = runFeedRecord(name, made, { facts, replaced: this.#replaced.get(name) });
    const { entry } = record;
    this.#written.set(name, { record, feed, text: latestText });
    this.#characters += latestText.length;
    records.set(name, record);
    if (entry !== undefined) statuses.put(name, entry, this.#world.sourceOf(name) !== undefined);
    if (name === GLOBAL_ID) this.#state.global = latestText.length > LARGE_CHARACTERS ? undefined : feed;
  }

  async #packedItems(): Promise<PackedItem[]> {
    const packed: PackedItem[] = [];
    for (const record of this.#items.values()) {
      packed.push(this.#world.store.packItem(record));
      if (packed.length % ITEMS_AT_ONCE === 0) await othersFirst();
    }
    return packed;
  }

  async #knownItems(source: string, changes: readonly Change[]): Promise<ReadonlyMap<string, ItemRecord>> {
    const known = new Map<string, ItemRecord>();
    let asked = 0;
    for (const id of new Set(changes.map(itemIdOf))) {
      const record = this.#items.get(itemKey(source, id)) ?? this.#world.store.item(source, id);
      if (record !== undefined) known.set(id, record);
      asked += 1;
      if (asked % ITEMS_AT_ONCE === 0) await othersFirst();
    }
    return known;
  }

  async #globalFeed(): Promise<DiffDeltaFeed | undefined> {
    if (!this.#state.records.has(GLOBAL_ID)) return undefined;
    return this.#state.global ?? this.#feedOf(GLOBAL_ID);
  }

  async #feedOf(name: string): Promise<DiffDeltaFeed> {
    const written = this.#written.get(name);
    if (written !== undefined) return written.feed;
    const feed = await this.#world.store.feed(name);
    if (feed === undefined) throw new Error(`The record of the feed ${name} is stored without the feed.`);
    return feed;
  }
}

function itemKey(source: string, id: string): string {
  return `${source} ${id}`;
}
