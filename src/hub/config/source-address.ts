import type { SourceConfig } from './source-config.ts';

/** The address of a source for people. */
export function sourceAddress({ config }: { readonly config: SourceConfig }): string {
  if (config.kind === 'folder') return config.site;
  return config.kind === 'page' ? (config.urls[0] ?? '') : config.url;
}

/** Every address of the web that its config names. */
export function namedAddresses(config: SourceConfig): readonly string[] {
  switch (config.kind) {
    case 'auto':
      return [config.url];
    case 'folder':
      return [];
    case 'page':
      return [...config.urls, ...(config.fallbacks ?? [])];
    case 'feed':
      return [config.url, ...(config.fallbacks ?? [])];
    case 'site':
      return [config.url, ...(config.sitemap === undefined ? [] : [config.sitemap]), ...(config.fallbacks ?? [])];
  }
}
