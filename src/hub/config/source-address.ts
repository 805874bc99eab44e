import type { WatchedSource } from '../store/hub-store.ts';

/** Where people find what a source is about. */
export function sourceAddress({ config }: Pick<WatchedSource, 'config'>): string {
  if (config.kind === 'folder') return config.site;
  return config.kind === 'page' ? (config.urls[0] ?? '') : config.url;
}
