import { encodeDiscovery } from '../../../codecs/aicf/encode.ts';
import { AICF_DISCOVERY_PATH, AICF_VERSION, DISCOVERY_MEDIA_TYPE, FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import type { Artifact } from '../../../model/artifact.ts';
import type { Change } from '../../../model/change.ts';
import { aicfLine } from '../events/aicf-line.ts';
import { type FeedFile, feedText } from './feed-file.ts';

/** A cache may store it but must revalidate it. It does not limit how often readers ask. */
const REVALIDATE = 'no-cache';

export interface AicfOptions {
  readonly site: URL;
  readonly ttlSeconds?: number;
  readonly license?: string;
  readonly about?: string;
  /** The names of the enabled extensions. */
  readonly capabilities?: readonly string[];
}

/** The log as lines of the feed, one for each change: empty if AICF cannot express the change. */
export function aicfLines(changes: readonly Change[]): string[] {
  return changes.map((change) => aicfLine(change) ?? '');
}

/** The feed's files, oldest first, then the discovery document that points to them. */
export function publishAicf(files: readonly FeedFile[], lines: readonly string[], options: AicfOptions): Artifact[] {
  const cacheControl = options.ttlSeconds === undefined ? REVALIDATE : `public, max-age=${options.ttlSeconds}`;
  const urlOf = (file: FeedFile) => new URL(file.path, options.site).href;
  const feeds = files.map(
    (file): Artifact => ({
      path: file.path,
      mediaType: FEED_MEDIA_TYPE,
      cacheControl,
      bytes: Buffer.from(feedText(file, lines)),
    }),
  );
  const current = files.at(-1);
  if (current === undefined) return [];
  const discovery: Artifact = {
    path: AICF_DISCOVERY_PATH.slice(1),
    mediaType: DISCOVERY_MEDIA_TYPE,
    cacheControl: REVALIDATE,
    bytes: Buffer.from(
      encodeDiscovery({
        aicf_version: AICF_VERSION,
        self: urlOf(current),
        license: options.license,
        about: options.about,
        ttl_seconds: options.ttlSeconds,
        archives: files.length > 1 ? files.slice(0, -1).map(urlOf) : undefined,
        capabilities: options.capabilities?.length ? options.capabilities : undefined,
      }),
    ),
  };
  return [...feeds, discovery];
}
