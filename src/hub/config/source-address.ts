import type { SourceConfig } from './source-config.ts';

/** Where people find what a source is about. */
export function sourceAddress({ config }: { readonly config: SourceConfig }): string {
  if (config.kind === 'folder') return config.site;
  return config.kind === 'page' ? (config.urls[0] ?? '') : config.url;
}
