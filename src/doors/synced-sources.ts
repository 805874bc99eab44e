import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { isDocumentUrl } from '../model/document-url.ts';
import type { GivenRules } from '../model/given-rules.ts';
import { sourceIdOf } from '../model/source.ts';

/** One source that a hub watches for a synced site. */
export interface SyncedSource {
  /** The name of the site. For the index, all its sources are one source. */
  readonly site: string;
  /** `pages`: the site itself. `feed`: the best feed that it offers. `switch`: its agent-feed, in case its origin ends it. */
  readonly role: 'pages' | 'feed' | 'switch';
  /** In the form that a hub accepts. */
  readonly config: { readonly id: string };
}

export interface SyncedSourcesOptions {
  readonly by: 'pages' | 'feed';
  /** With feeds: also check the pages, to find those that a feed does not report. */
  readonly looksAtPages: boolean;
  /** With feeds: how often the pages are checked in continuous operation. */
  readonly recheckSeconds: number;
  readonly rules: GivenRules;
}

const MAX_ID_LENGTH = 56;

export function syncedSources(urls: readonly string[], options: SyncedSourcesOptions): readonly SyncedSource[] {
  return [...new Set(urls)].flatMap((address) => sourcesOf(syncedUrl(address), options));
}

/** Throws a {@link SettingRefusedError} if it is not the address of a site. */
export function syncedUrl(address: string): URL {
  try {
    const url = new URL(address);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Thrown below.
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
    // An agent-feed is trusted over https only (AF draft-00, section 4).
    ...(url.protocol === 'https:' ? [{ site, role: 'switch', config: ending } as const] : []),
  ];
}

/** Made from the whole address: it separates the pages of neighbouring sites in one sink. */
function siteName(url: URL): string {
  const path = `${url.pathname}${url.search}`.toLowerCase().replace(/[^a-z0-9]+/g, '_');
  const words = [sourceIdOf(url), path.replace(/^_+|_+$/g, '')].filter((part) => part !== '');
  return words.join('_').slice(0, MAX_ID_LENGTH).replace(/_+$/, '');
}
