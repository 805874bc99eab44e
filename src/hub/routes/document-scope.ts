import { encodedUri } from '../../codecs/primitives/encoded-uri.ts';
import type { FolderConfig, SourceConfig } from '../config/source-config.ts';

/** Which URLs are pages of a source. */
export interface SourceScope {
  /** Whether the filters of a source accept this URL. */
  isChosen(config: SourceConfig, url: string): boolean;
  /** Whether the feed of a source has reported this page. */
  isNamed(source: string, url: string): Promise<boolean>;
}

/** The source to which the page belongs; folders first, since they are local, and feeds last. */
export async function sourceOfUrl(
  url: URL,
  sources: Iterable<SourceConfig>,
  { isChosen, isNamed }: SourceScope,
): Promise<SourceConfig | undefined> {
  let found: SourceConfig | undefined;
  const feeds: SourceConfig[] = [];
  for (const config of sources) {
    if (!mayCover(config, url) || !isChosen(config, url.href)) continue;
    if (config.kind === 'folder') return config;
    if (config.kind === 'feed') feeds.push(config);
    else found ??= config;
  }
  if (found !== undefined) return found;
  for (const feed of feeds) if (await isNamed(feed.id, encodedUri(url.href))) return feed;
  return undefined;
}

/** The folder that contains the page, whatever its filters say: pages that are built here are not fetched from the web. */
export function folderOfUrl(url: URL, sources: Iterable<SourceConfig>): FolderConfig | undefined {
  for (const config of sources) if (config.kind === 'folder' && mayCover(config, url)) return config;
  return undefined;
}

/** A feed may name pages of any host, but covers only those of its own. */
function mayCover(config: SourceConfig, url: URL): boolean {
  switch (config.kind) {
    case 'folder':
      return url.href.startsWith(config.site);
    case 'auto':
    case 'site':
      return url.href.startsWith(config.url);
    case 'page':
      return config.urls.includes(url.href);
    case 'feed':
      return hostOf(config) === url.host;
  }
}

const hosts = new WeakMap<SourceConfig, string>();

/** A URL is parsed once per config, not once per request. */
function hostOf(config: SourceConfig & { readonly url: string }): string {
  const known = hosts.get(config);
  if (known !== undefined) return known;
  const { host } = new URL(config.url);
  hosts.set(config, host);
  return host;
}
