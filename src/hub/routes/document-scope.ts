import type { FolderConfig, SourceConfig } from '../config/source-config.ts';

/** Whether the filters of a source let a URL of it through. */
export type IsChosen = (config: SourceConfig, url: string) => boolean;

/** The source whose page the URL is; folders first, since they are at hand. */
export function sourceOfUrl(url: URL, sources: Iterable<SourceConfig>, isChosen: IsChosen): SourceConfig | undefined {
  let found: SourceConfig | undefined;
  for (const config of sources) {
    if (!covers(config, url) || !isChosen(config, url.href)) continue;
    if (config.kind === 'folder') return config;
    found ??= config;
  }
  return found;
}

/** The folder that the page lies in, whatever its filters say: what is built here is not fetched from the web. */
export function folderOfUrl(url: URL, sources: Iterable<SourceConfig>): FolderConfig | undefined {
  for (const config of sources) if (config.kind === 'folder' && covers(config, url)) return config;
  return undefined;
}

function covers(config: SourceConfig, url: URL): boolean {
  switch (config.kind) {
    case 'folder':
      return url.href.startsWith(config.site);
    case 'site':
      return url.href.startsWith(config.url);
    case 'page':
      return config.urls.includes(url.href);
    case 'feed':
      // An agent-feed tells of endpoints, and those are no pages.
      return config.dialect !== 'agent-feed' && hostOf(config) === url.host;
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
