import { DIFF_SCHEMA } from '../../../codecs/diffdelta/schema.ts';
import {
  DIFFDELTA_DISCOVERY_PATH,
  type DiffDeltaSources,
  FRESH_CACHE,
  IMMUTABLE_CACHE,
  MEDIA_TYPE,
  SCHEMA_PATH,
} from '../../../codecs/diffdelta/wire.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import type { Artifact, HeaderRule } from '../../../model/artifact.ts';
import { NOTHING, type Projected } from '../../projection.ts';
import { encodeArchiveIndex } from '../runs/archive-index.ts';
import { discoveryOf } from '../runs/discovery.ts';
import { archiveIndexPath, headPath, latestPath } from '../runs/feed-paths.ts';
import { headTextOf } from '../runs/make-feed.ts';
import type { FeedChain, LatestFeed, SiteChains } from './feed-chain.ts';

interface FilesOptions {
  readonly site: URL;
  readonly source: string;
  readonly ttlSec: number;
  /** Whether the site's author has written a {@link HEALTHZ_PATH}, which stays unchanged. */
  readonly hasOwnHealthz: boolean;
}

/** Where clients of DiffDelta check that a service answers. */
export const HEALTHZ_PATH = 'healthz.json';
const SERVICE = 'tidings';

/** The files of a static export, with their header rules. There are none before the first run. */
export function diffDeltaFiles({ own, global }: SiteChains, options: FilesOptions): Projected {
  if (own.latest === undefined || global.latest === undefined) return NOTHING;
  const archives = [own, global].flatMap(({ carried }) => carried.map(({ path, bytes }) => archived(path, bytes)));
  const indexes = [own, global].map(indexFile);
  const { site, source, ttlSec, hasOwnHealthz } = options;
  const healthz = hasOwnHealthz ? {} : { healthz: HEALTHZ_PATH };
  const manifest = discoveryOf({ base: site.href, sources: [source], ttlSec, ...healthz });
  const rest = [
    ...indexes,
    ...feedFiles(own, own.latest, site.pathname),
    ...feedFiles(global, global.latest, site.pathname),
    fresh('diff/sources.json', encodeJson(sourcesList(own.latest, options))),
    archived(SCHEMA_PATH.slice(1), Buffer.from(`${JSON.stringify(DIFF_SCHEMA, null, 2)}\n`)),
    ...(hasOwnHealthz ? [] : [fresh(HEALTHZ_PATH, encodeJson(healthzOf(own.latest, source)))]),
    fresh(DIFFDELTA_DISCOVERY_PATH.slice(1), encodeJson(manifest)),
  ];
  const archivePaths = [own, global].flatMap((chain) =>
    chain.archives.map(({ url }) => url.slice(site.pathname.length)),
  );
  return {
    files: [...archives, ...rest],
    rules: [...[own, global].map(archiveRule), ...rest].map(forCdnToo),
    paths: [...archivePaths, ...rest.map(({ path }) => path)],
  };
}

function indexFile({ name, archives }: FeedChain): Artifact {
  return fresh(archiveIndexPath(name), encodeArchiveIndex(archives));
}

/** The feed of a source is written at two paths, because existing clients look at the second one. */
function feedFiles({ name }: FeedChain, { feed, bytes }: LatestFeed, root: string): Artifact[] {
  const below = (path: string) => path.slice(root.length);
  const latest = below(latestPath(name, root));
  const head = below(headPath(name, root));
  const places = (path: string) =>
    feed.source_id === undefined ? [path] : [path, path.replace('diff/', 'diff/source/')];
  const headText = headTextOf(feed, { name, root });
  return [...places(latest).map((path) => fresh(path, bytes)), ...places(head).map((path) => fresh(path, headText))];
}

function sourcesList({ feed }: LatestFeed, { site, source, ttlSec }: FilesOptions): DiffDeltaSources {
  return {
    sources: [
      {
        source_id: source,
        name: site.host,
        tags: [],
        enabled: true,
        status: feed.sources[source]?.status ?? 'ok',
        cursor: feed.cursor,
        ttl_sec: ttlSec,
        head_url: headPath(source, site.pathname),
        latest_url: latestPath(source, site.pathname),
      },
    ],
  };
}

/** As of the last publish that had something to say: a static site answers as long as it is served. */
function healthzOf({ feed }: LatestFeed, source: string) {
  return { ok: feed.sources[source]?.status !== 'error', service: SERVICE, time: feed.generated_at };
}

/** Whether a publish, and not the author of the site, wrote this {@link HEALTHZ_PATH}. */
export function isMadeHealthz(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(value) && value.service === SERVICE && typeof value.ok === 'boolean';
  } catch {
    return false;
  }
}

/** One rule for all archives of a feed. A site may have its own pages under `/archive/`. */
function archiveRule({ name }: FeedChain): HeaderRule {
  return { path: `archive/${name}/*`, mediaType: MEDIA_TYPE, cacheControl: IMMUTABLE_CACHE };
}

/** DD-T8. */
function forCdnToo({ path, mediaType, cacheControl }: HeaderRule): HeaderRule {
  return { path, mediaType, cacheControl, cdnCacheControl: cacheControl };
}

function archived(path: string, bytes: Uint8Array): Artifact {
  return { path, mediaType: MEDIA_TYPE, cacheControl: IMMUTABLE_CACHE, bytes };
}

function fresh(path: string, content: string | Uint8Array): Artifact {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return { path, mediaType: MEDIA_TYPE, cacheControl: FRESH_CACHE, bytes };
}

function encodeJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
