import { FEED_PATH } from '../../codecs/agent-feed/wire.ts';
import { AICF_DISCOVERY_PATH } from '../../codecs/aicf/wire.ts';
import { WELL_KNOWN_PATH } from '../../codecs/resourcesync/wire.ts';
import { isDocumentUrl } from '../../model/document-url.ts';
import { sourceIdOf } from '../../model/source.ts';

export type WebKind = 'auto' | 'site' | 'page' | 'feed';

const FEED = /\.(?:ndjson|jsonl)$/i;
/** As feeds for people are called: `/feed`, `/feed/atom/`, `/blog/rss`, `/news-feed.xml`, `/index.xml`, `/releases.atom`. */
const WEB_FEED =
  /(?:^|\/)([^/]+\.(?:atom|rss|rdf)|(?:[\w.-]*[-_.])?(?:feed|feeds|rss2?|atom)\.(?:xml|json|php)|index\.xml|(?:feed|feeds)\/atom|feed|rss2?)\/?$/i;
const WEB_FEED_NAME = /^(rss2?|atom|rdf|feed|json)$/i;
const SITEMAP = /(?:^|[/_.-])sitemap[^/]*\.(?:xml|txt)(?:\.gz)?$/i;
const MAX_ID_LENGTH = 64;

/** Whatever begins as an address does, so that `ftp://…` is not looked for on the disk. */
export function isAddress(target: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(target);
}

/** The most probable kind of a URL, if none was given. */
export function kindOfUrl(url: URL): WebKind {
  if (looksLikeAicf(url) || dialectOfUrl(url) !== undefined) return 'feed';
  if (looksLikeSitemap(url)) return 'site';
  return isDocumentUrl(url) ? 'page' : 'site';
}

/** The language of a feed, where its address says so. */
export function dialectOfUrl({ pathname, searchParams }: URL): string | undefined {
  if (pathname === FEED_PATH) return 'agent-feed';
  if (pathname === WELL_KNOWN_PATH) return 'resourcesync';
  if (pathname.includes('/.well-known/')) return undefined;
  const asked = searchParams.get('feed') ?? '';
  const [, name = ''] = WEB_FEED.exec(pathname) ?? WEB_FEED_NAME.exec(asked) ?? [];
  if (name === '') return undefined;
  if (/json$/i.test(name)) return 'json-feed';
  return /rss|rdf/i.test(name) ? 'rss' : 'atom';
}

/** By its address alone. */
export function looksLikeSitemap({ pathname }: URL): boolean {
  return SITEMAP.test(pathname);
}

/** By its address alone. */
export function looksLikeAicf({ pathname }: URL): boolean {
  return FEED.test(pathname) || pathname.endsWith(AICF_DISCOVERY_PATH);
}

/** Makes unused ids: the host, else the host and the path, else with a number appended. */
export function createIdMaker(taken: Iterable<string>): (url: URL) => string {
  const used = new Set([...taken, 'all']);
  const numbers = new Map<string, number>();
  return (url) => {
    const host = cut(sourceIdOf(url), MAX_ID_LENGTH);
    const path = cut(`${host}_${wordsOf(url.pathname + url.search)}`, MAX_ID_LENGTH);
    let id = [host, path].find((candidate) => !used.has(candidate));
    for (let number = numbers.get(path) ?? 2; id === undefined; number += 1) {
      const candidate = `${cut(path, MAX_ID_LENGTH - 8)}_${number}`;
      if (!used.has(candidate)) id = candidate;
      numbers.set(path, number + 1);
    }
    used.add(id);
    return id;
  };
}

function wordsOf(path: string): string {
  return path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '');
}

/** Underscores at the end say nothing. */
function cut(id: string, length: number): string {
  return id.slice(0, length).replace(/_+$/, '');
}
