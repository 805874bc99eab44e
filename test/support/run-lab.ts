import type { DiffDeltaFeed, DiffDeltaHead, SourceEntry } from '../../src/codecs/diffdelta/wire.ts';
import { openRunShelf, type RunShelf } from '../../src/dialects/diffdelta/shelf/run-shelf.ts';
import type { RunStore } from '../../src/dialects/diffdelta/shelf/run-store.ts';
import { firstHealth, healthAfter, pausedHealth } from '../../src/hub/health/health-after.ts';
import { shelfSource } from '../../src/hub/shelves/shelf-source.ts';
import type { WatchedSource } from '../../src/hub/store/hub-store.ts';
import { openSqliteHubStore } from '../../src/io/sqlite/hub-store.ts';
import { openSqliteRuns } from '../../src/io/sqlite/runs.ts';
import type { ChangeDraft } from '../../src/model/change.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

export interface RunsOptions {
  readonly folder: string;
  readonly startMs?: number;
  readonly sources?: ReadonlyMap<string, WatchedSource>;
  /** Wraps the store of the shelf. */
  readonly around?: (store: RunStore) => RunStore;
  /** Whether the shelf must find commits by itself. */
  readonly isDeaf?: boolean;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A hub's store and its DiffDelta shelf with a test clock and test sources: every step takes a minute. */
export async function openRuns(options: RunsOptions) {
  const { folder, startMs = NOON, sources: given, around = (store) => store, wait = async () => {} } = options;
  let nowMs = startMs;
  const now = () => nowMs;
  const store = await openSqliteHubStore({ folder, now });
  const sources = new Map(given);
  const openShelf = (): Promise<RunShelf> =>
    openRunShelf({
      store: around(store.openTables(openSqliteRuns)),
      readChanges: (after) => store.changes({ after }),
      sourceOf: (id) => {
        const source = sources.get(id);
        return source && shelfSource(source);
      },
      sources: () => sources.keys(),
      ttlSecOf: () => 300,
      ttlSec: 60,
      root: '/',
      now,
      wait,
    });
  let shelf = await openShelf();
  if (!options.isDeaf) store.onChanges((changes) => void shelf.add(changes));
  const hub = {
    store,
    sources,
    get shelf() {
      return shelf;
    },
    now,
    pass: (ms: number) => {
      nowMs += ms;
    },
    async addSource(id: string) {
      hub.watch(id);
      await shelf.restate([id]);
    },
    /** Watches a source without notifying the shelf. */
    watch(id: string) {
      nowMs += MINUTE;
      const config = { id, kind: 'page', urls: [`https://${id}.example/`] } as const;
      const health = firstHealth({ nowMs, intervalMs: MINUTE });
      sources.set(id, { config, origin: 'api', addedAtMs: nowMs, health });
    },
    /** A check that reads the source and finds the drafts. */
    async read(id: string, drafts: readonly Omit<ChangeDraft, 'source'>[] = [], fallback?: number) {
      await hub.commit(id, drafts);
      nowMs += 10;
      const outcome = { is: 'read', changes: drafts.length, notes: [], ...(fallback !== undefined && { fallback }) };
      await hub.record(id, outcome as never);
    },
    async fail(id: string, httpStatus?: number) {
      nowMs += MINUTE;
      const error = { code: 'PageStatusError', message: 'no', ...(httpStatus !== undefined && { httpStatus }) };
      await hub.record(id, { is: 'failed', changes: 0, notes: [], error } as never);
    },
    /** What a visit finds, before its check has ended. */
    async commit(id: string, drafts: readonly Omit<ChangeDraft, 'source'>[]) {
      nowMs += MINUTE;
      if (drafts.length > 0)
        await store.commit({ source: id, drafts: drafts.map((draft) => ({ ...draft, source: id })) });
    },
    async record(id: string, outcome: Parameters<typeof healthAfter>[1]) {
      const source = known(id);
      const moment = { atMs: nowMs, intervalMs: MINUTE, dueAtMs: nowMs + MINUTE };
      sources.set(id, { ...source, health: healthAfter(source.health, outcome, moment) });
      await shelf.restate([id]);
    },
    async pause(id: string, reason: string) {
      nowMs += MINUTE;
      const source = known(id);
      sources.set(id, { ...source, paused: reason, health: pausedHealth(source.health, nowMs) });
      await shelf.restate([id]);
    },
    async resume(id: string) {
      nowMs += MINUTE;
      const { paused: _, ...source } = known(id);
      sources.set(id, source);
      await shelf.restate([id]);
    },
    async remove(id: string) {
      nowMs += MINUTE;
      sources.delete(id);
      await shelf.restate([id]);
    },
    async reopenShelf() {
      await shelf[Symbol.asyncDispose]();
      shelf = await openShelf();
    },
    async [Symbol.asyncDispose]() {
      await shelf[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
  const known = (id: string): WatchedSource => {
    const source = sources.get(id);
    if (source === undefined) throw new Error(`${id} is not watched.`);
    return source;
  };
  return hub;
}

export type RunsHub = Awaited<ReturnType<typeof openRuns>>;

/** What is served now under a name: its head, its feed, and their bytes. */
export async function served(shelf: RunShelf, name: string) {
  const version = shelf.find(name);
  if (version === undefined) throw new Error(`${name} is not served.`);
  const [head, latest] = [await version.head.read(), await version.latest.read()];
  return {
    version,
    etag: version.latest.etag,
    text: Buffer.from(latest).toString(),
    head: JSON.parse(Buffer.from(head).toString()) as DiffDeltaHead,
    feed: JSON.parse(Buffer.from(latest).toString()) as DiffDeltaFeed,
  };
}

export async function entryIn(shelf: RunShelf, name: string, id: string): Promise<SourceEntry> {
  const entry = (await served(shelf, name)).feed.sources[id];
  if (entry === undefined) throw new Error(`${name} has no entry of ${id}.`);
  return entry;
}

export function page(path: string, text: string, action: ChangeDraft['action'] = 'update') {
  const excerpt = action === 'delete' ? {} : { excerpt: text, checksum: `sha256:${text}` };
  return { action, url: `https://docs.example/${path}`, title: path, ...excerpt };
}

/** The store with a replaced `write`. */
export function withWrite(store: RunStore, write: RunStore['write']): RunStore {
  return {
    seq: () => store.seq(),
    feeds: () => store.feeds(),
    latest: (name) => store.latest(name),
    feed: (name) => store.feed(name),
    archive: (path) => store.archive(path),
    archivePaths: (sinceMs) => store.archivePaths(sinceMs),
    archivesAt: (name, ms) => store.archivesAt(name, ms),
    hasEnded: (path) => store.hasEnded(path),
    endOfArchives: (kept) => store.endOfArchives(kept),
    endArchives: (point, named) => store.endArchives(point, named),
    item: (source, id) => store.item(source, id),
    packItem: (record) => store.packItem(record),
    pack: (text) => store.pack(text),
    packArchives: (archives) => store.packArchives(archives),
    unpack: (body) => store.unpack(body),
    write,
  };
}
