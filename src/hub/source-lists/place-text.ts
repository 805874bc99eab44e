import type { SourceConfig } from '../config/source-config.ts';

/** The address that a person knows the source by. */
export function placeText(source: SourceConfig): string {
  switch (source.kind) {
    case 'folder':
      return `${source.path} (${source.site})`;
    case 'page': {
      const more = source.urls.length - 1;
      return more === 0 ? (source.urls[0] ?? '') : `${source.urls[0]} and ${more} more`;
    }
    case 'site':
      return source.sitemap ?? source.url;
    case 'auto':
    case 'feed':
      return source.url;
  }
}
