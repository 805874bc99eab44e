import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { isDocumentUrl } from '../model/document-url.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { sourceIdOf } from '../model/source.ts';

/** One thing that a hub watches for a site that is synced. */
export interface SyncedSource {
  /** The name of the site: all that is watched for it is one source to the index. */
  readonly site: string;
  /** `pages`: the site itself. `feed`: the best feed that it offers. `switch`: its agent-feed, for the day on which its origin ends it. */
  readonly role: 'pages' | 'feed' | 'switch';
  /** As a hub takes it. */
  readonly config: { readonly id: string };
}

export interface SyncedSourcesOptions {
  readonly by: 'pages' | 'feed';
  /** With feeds: the pages are looked at, too, to know those of which a feed does not tell. */
  readonly looksAtPages: boolean;
  /** With feeds: how often they are looked at, running on. */
  readonly recheckSeconds: number;
  readonly rules: GivenRules;
}

const MAX_ID_LENGTH = 56;

export function syncedSources(urls: readonly string[], options: SyncedSourcesOptions): readonly SyncedSource[] {
  return [...new Set(urls)].flatMap((address) => sourcesOf(syncedUrl(address), options));
}

/** Throws a {@link SettingRefusedError} for what is no address of a site. */
export function syncedUrl(address: string): URL {
  try {
    const url = new URL(address);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Said below.
  }
  throw new SettingRefusedError('url', address, 'Give the http(s) address of a site.');
}

function sourcesOf(
  url: URL,
  { by, looksAtPages, recheckSeconds, rules }: SyncedSourcesOptions,
): readonly SyncedSource[] {
  const site = siteName(url);
  const { href } = url;
  const page = { id: site, kind: 'page', urls: [href], ...rules } as const;
  if (isDocumentUrl(url)) return [{ site, role: 'pages', config: page }];
  const feed = { id: `${site}_feed`, kind: 'auto', url: href, tellsOf: 'pages', ...rules } as const;
  const rhythm = by === 'feed' ? { intervalSeconds: recheckSeconds } : {};
  const pages = { id: site, kind: 'site', url: href, ...rhythm, ...rules } as const;
  const ending = { id: `${site}_switch`, kind: 'feed', dialect: 'agent-feed', url: `${url.origin}/` } as const;
  return [
    ...(by === 'feed' ? [{ site, role: 'feed', config: feed } as const] : []),
    ...(by === 'pages' || looksAtPages ? [{ site, role: 'pages', config: pages } as const] : []),
    // An agent-feed is believed over https alone (AF draft-00, section 4).
    ...(url.protocol === 'https:' ? [{ site, role: 'switch', config: ending } as const] : []),
  ];
}

/** Made of the whole address: in one sink, pages of a site are told apart from those of its neighbour by it. */
function siteName(url: URL): string {
  const path = `${url.pathname}${url.search}`.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const words = [sourceIdOf(url), path.replace(/^_+|_+$/g, '')].filter((part) => part !== '');
  return words.join('_').slice(0, MAX_ID_LENGTH).replace(/_+$/, '');
}
