import { createServer, type ServerResponse } from 'node:http';
import {
  DIFFDELTA_DISCOVERY_PATH,
  type DiffDeltaFeed,
  FRESH_CACHE,
  GLOBAL_ID,
  IMMUTABLE_CACHE,
  MEDIA_TYPE,
  SCHEMA_PATH,
  type SourceEntry,
} from '../../src/codecs/diffdelta/wire.ts';
import { discoveryOf } from '../../src/dialects/diffdelta/runs/discovery.ts';
import { headPath, latestPath } from '../../src/dialects/diffdelta/runs/feed-paths.ts';
import { globalBuckets, sourcesOf } from '../../src/dialects/diffdelta/runs/global-run.ts';
import {
  bucketsOf,
  changedFeed,
  deltaCountsOf,
  entryOf,
  type MadeFeed,
} from '../../src/dialects/diffdelta/runs/make-feed.ts';
import { type ItemRecord, itemsOfRun } from '../../src/dialects/diffdelta/runs/run-items.ts';
import type { Change } from '../../src/model/change.ts';
import { listenOnFreshPort } from './fresh-port.ts';

/** One run of a source: the changed pages by name. */
export interface SiteRun {
  readonly source: string;
  readonly pages: Readonly<Record<string, Pick<Change, 'action'> & Partial<Pick<Change, 'risk' | 'excerpt'>>>>;
}

const START_MS = Date.UTC(2026, 1, 5, 12);
const TTL_SEC = 300;

/** The files of a service after some runs, by path, as the engine makes them. */
export function makeDiffDeltaFiles(runs: readonly SiteRun[], base: string): Map<string, string> {
  const files = new Map<string, string>();
  const records = new Map<string, ItemRecord>();
  const feeds = new Map<string, DiffDeltaFeed>();
  const entries: Record<string, SourceEntry> = {};
  const place = { root: '/', ttlSec: TTL_SEC };
  const put = (name: string, { feed, latestText, headText, archivePath }: MadeFeed) => {
    feeds.set(name, feed);
    files.set(headPath(name, '/'), headText);
    files.set(latestPath(name, '/'), latestText);
    if (archivePath !== undefined) files.set(`/${archivePath}`, latestText);
  };

  for (const [index, { source, pages }] of runs.entries()) {
    const atMs = START_MS + index * 60_000;
    const time = new Date(atMs).toISOString();
    const changes = Object.entries(pages).map(([page, fields], at): Change => {
      const url = `https://${source}.example/${page}`;
      return {
        seq: at + 1,
        id: `${index}-${at}`,
        source,
        kind: 'page',
        url,
        time,
        title: page,
        provenance: {},
        ...fields,
      };
    });
    const items = itemsOfRun(changes, (url) => records.get(url));
    for (const item of items) records.set(item.item.id, item);
    const deltaCounts = deltaCountsOf(items);
    const buckets = bucketsOf(items);
    const status = { name: source, status: 'ok' } as const;
    const own = changedFeed({
      ...place,
      name: source,
      before: feeds.get(source),
      buckets,
      sourcesIncluded: [source],
      narrative: 'A run.',
      atMs,
      sources: ({ cursor, prevCursor }) => {
        const run = { ...place, changed: true, cursor, prev_cursor: prevCursor, delta_counts: deltaCounts };
        entries[source] = entryOf(source, status, run);
        return { [source]: entries[source] };
      },
    });
    put(source, own);
    const all = globalBuckets(feeds.get(GLOBAL_ID)?.buckets, source, buckets);
    const sourcesIncluded = sourcesOf(all);
    const before = feeds.get(GLOBAL_ID);
    put(
      GLOBAL_ID,
      changedFeed({
        ...place,
        name: GLOBAL_ID,
        before,
        buckets: all,
        sourcesIncluded,
        narrative: 'A run.',
        atMs,
        sources: () => entries,
      }),
    );
  }
  const ids = Object.keys(entries).sort();
  files.set(DIFFDELTA_DISCOVERY_PATH, JSON.stringify(discoveryOf({ base, sources: ids, ttlSec: TTL_SEC })));
  files.set(SCHEMA_PATH, '{}');
  return files;
}

export type SiteHeaders = Record<string, string | undefined>;

export interface DiffDeltaSite extends AsyncDisposable {
  /** With a final slash. */
  readonly origin: string;
  readonly files: Map<string, string>;
  /** The requested paths, oldest first. */
  readonly paths: string[];
  /** Changes the headers of an answer; undefined removes one. */
  headers: (path: string, headers: SiteHeaders) => SiteHeaders;
  /** Returns true if it has answered itself. */
  intercept: (path: string, response: ServerResponse) => boolean;
}

/** Serves such files as §6 and §10 require. `make` gets the origin. */
export async function serveDiffDelta(make: (origin: string) => Map<string, string>): Promise<DiffDeltaSite> {
  const paths: string[] = [];
  let left = 10_000;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    paths.push(path);
    if (site.intercept(path, response)) return;
    const body = site.files.get(path);
    if (body === undefined) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
      return;
    }
    left -= 1;
    const headers = site.headers(path, { ...headersOf(path, body), 'x-ratelimit-remaining': String(left) });
    const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
    const isKnown = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
    response.writeHead(isKnown ? 304 : 200, sent as Record<string, string>).end(isKnown ? undefined : body);
  });
  const port = await listenOnFreshPort(server);
  const origin = `http://127.0.0.1:${port}/`;
  const site: DiffDeltaSite = {
    origin,
    files: make(origin),
    paths,
    headers: (_, headers) => headers,
    intercept: () => false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return site;
}

function headersOf(path: string, body: string): SiteHeaders {
  const isStill = path.startsWith('/archive/') || path.startsWith('/schema/');
  const rule = isStill ? IMMUTABLE_CACHE : FRESH_CACHE;
  const cursor = /"cursor": ?"(sha256:[0-9a-f]{64})"/.exec(body)?.[1];
  return {
    'content-type': MEDIA_TYPE,
    'cache-control': rule,
    'cdn-cache-control': rule,
    'x-ratelimit-limit': '10000',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 60),
    etag: isStill ? undefined : `"${cursor ?? 'none'}"`,
  };
}
