import { sha256Name } from '../../src/codecs/diffdelta/cursor.ts';
import { type DiffDeltaFeed, GLOBAL_ID } from '../../src/codecs/diffdelta/wire.ts';
import { discoveryOf } from '../../src/dialects/diffdelta/runs/discovery.ts';
import { headPath, latestPath } from '../../src/dialects/diffdelta/runs/feed-paths.ts';
import { type MadeFeed, restatedFeed } from '../../src/dialects/diffdelta/runs/make-feed.ts';
import { globalRunFeed, runEntry, sourceRunFeed, unchangedEntry } from '../../src/dialects/diffdelta/runs/run-feeds.ts';
import { type ItemRecord, itemsOfRun } from '../../src/dialects/diffdelta/runs/run-items.ts';
import type { Change } from '../../src/model/change.ts';
import { type FeedServer, type FeedServerOptions, startFeedServer } from './feed-server.ts';

export const MANIFEST = '/.well-known/diffdelta.json';
const TTL_SEC = 300;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** By path of a page: its new text, null if it is deleted, or the new texts of some sections. */
type Edits = Readonly<Record<string, string | null | Sections>>;
/** By anchor: its text, or null if it is deleted. */
type Sections = Readonly<Record<string, string | null>>;

/** A DiffDelta service that publishes with the engine, and fails as a test says. */
export interface DiffDeltaService extends FeedServer {
  /** One run of a source, published in its own feed and in the feed of all sources. */
  run(source: string, edits: Edits, extra?: Partial<Pick<Change, 'risk' | 'riskReasons'>>): MadeFeed;
  /** The same content again, with nothing new. */
  restate(source: string): void;
  /** Publishes the manifest again, edited. */
  discover(edit?: (manifest: Manifest) => unknown): void;
  /** Puts any JSON at a path. */
  putJson(path: string, document: unknown, headers?: Record<string, string>): void;
  /** The feed of a source as served. */
  feedOf(source: string): DiffDeltaFeed;
  /** Edits head, feed and archive of a source, which stay consistent otherwise. */
  edit(source: string, edit: (feed: Record<string, unknown>) => unknown): void;
}

type Manifest = ReturnType<typeof discoveryOf> & { endpoints: Record<string, unknown> };

export async function startDiffDeltaService(options: FeedServerOptions = {}): Promise<DiffDeltaService> {
  const server = await startFeedServer(options);
  const feeds = new Map<string, MadeFeed>();
  const items = new Map<string, Map<string, ItemRecord>>();
  const startMs = Date.parse('2026-02-05T12:00:00Z');
  let runs = 0;

  const putJson: DiffDeltaService['putJson'] = (path, document, headers = {}) => {
    const body = typeof document === 'string' ? document : JSON.stringify(document);
    server.put(path, { body, headers: { ...JSON_TYPE, ...headers } });
  };
  const publish = (name: string, made: MadeFeed) => {
    feeds.set(name, made);
    putJson(latestPath(name, '/'), made.latestText);
    putJson(headPath(name, '/'), made.headText);
    if (made.archivePath !== undefined) putJson(`/${made.archivePath}`, made.latestText);
  };
  const service: DiffDeltaService = Object.assign(Object.create(server) as FeedServer, {
    putJson,
    run(source: string, edits: Edits, extra: Partial<Pick<Change, 'risk' | 'riskReasons'>> = {}) {
      runs += 1;
      const time = new Date(startMs + runs * 1000).toISOString();
      const records = items.get(source) ?? new Map<string, ItemRecord>();
      const isNew = !items.has(source);
      items.set(source, records);
      const changes = Object.entries(edits).flatMap(([path, edit]) => {
        const url = new URL(path, server.origin).href;
        const base = { seq: runs, id: `${runs}`, source, kind: 'page' as const, url, time, provenance: {} };
        const changeTo = (text: string | null): Change =>
          text === null
            ? { ...base, action: 'delete' }
            : { ...base, action: 'update', title: `Page ${path}`, excerpt: text, ...extra };
        if (edit === null || typeof edit === 'string') return [changeTo(edit)];
        return Object.entries(edit).map(([anchor, text]) => ({
          ...changeTo(text),
          anchor,
          ...(text !== null && { checksum: sha256Name(text) }),
        }));
      });
      const runItems = itemsOfRun(changes, (id) => records.get(id));
      for (const item of runItems) records.set(item.item.id, item);
      const facts = { source, time, items: runItems, root: '/', ttlSec: TTL_SEC, facts: { status: 'ok' as const } };
      const made = sourceRunFeed(facts, feeds.get(source)?.feed);
      const { cursor, prev_cursor: prevCursor } = made.feed;
      const entry = runEntry(facts, { cursor: cursor ?? '', prevCursor });
      const entryOfOther = (other: string) => {
        const known = feeds.get(other)?.feed.sources[other];
        return known && unchangedEntry(known);
      };
      publish(source, made);
      publish(GLOBAL_ID, globalRunFeed({ ...facts, entry, entryOfOther }, feeds.get(GLOBAL_ID)?.feed));
      if (isNew) service.discover();
      return made;
    },
    restate(source: string) {
      const before = service.feedOf(source);
      const entries = Object.entries(before.sources).map(([id, entry]) => [id, unchangedEntry(entry)]);
      const sources = Object.fromEntries(entries);
      const restated = restatedFeed({
        name: source,
        root: '/',
        ttlSec: TTL_SEC,
        before,
        changed: false,
        sources,
        atMs: Date.parse(before.generated_at) + 500,
      });
      if (restated !== undefined) publish(source, restated);
    },
    discover(edit: (manifest: Manifest) => unknown = (manifest) => manifest) {
      const manifest = discoveryOf({ base: server.origin, sources: [...items.keys()], ttlSec: TTL_SEC });
      // There is no list of sources unless a test adds one.
      const { diff_sources: _, ...endpoints } = manifest.endpoints;
      putJson(MANIFEST, edit({ ...manifest, endpoints } as Manifest));
    },
    feedOf(source: string) {
      const feed = feeds.get(source)?.feed;
      if (feed === undefined) throw new Error(`There is no feed of ${source}.`);
      return feed;
    },
    edit(source: string, edit: (feed: Record<string, unknown>) => unknown) {
      const feed = service.feedOf(source);
      const edited = edit(structuredClone(feed) as unknown as Record<string, unknown>);
      putJson(latestPath(source, '/'), edited);
      if (feed.archive_url !== undefined) putJson(feed.archive_url, edited);
    },
  });
  service.discover();
  return service;
}
