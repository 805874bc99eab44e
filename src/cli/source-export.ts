import { encodeOpml } from '../codecs/opml/encode-opml.ts';
import type { OpmlOutline } from '../codecs/opml/opml.ts';
import { encodeUrlList, type ListedUrl } from '../codecs/url-list/url-list.ts';
import type { SourceConfig } from '../doors/settings.ts';

export const EXPORT_FORMATS = ['json', 'urls', 'opml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** JSON has everything; the others have what can be reached by a URL. */
export function encodeSources(sources: readonly SourceConfig[], format: ExportFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(sources, null, 2)}\n`;
    case 'urls':
      return encodeUrlList(sources.flatMap(listedUrls));
    case 'opml':
      return encodeOpml('Sources of a Tidings hub', sources.flatMap(outlines));
  }
}

/** A name belongs to one line: that of a source with several pages is left out. */
function listedUrls(source: SourceConfig): Omit<ListedUrl, 'line'>[] {
  if (source.kind === 'folder') return [];
  if (source.kind !== 'page')
    return [{ url: (source.kind === 'site' ? source.sitemap : undefined) ?? source.url, name: source.id }];
  const [only] = source.urls;
  return source.urls.length === 1 && only !== undefined
    ? [{ url: only, name: source.id }]
    : source.urls.map((url) => ({ url }));
}

function outlines(source: SourceConfig): Omit<OpmlOutline, 'line'>[] {
  const text = source.title ?? source.id;
  switch (source.kind) {
    case 'folder':
      return [];
    case 'feed':
      return [{ text, type: source.dialect, xmlUrl: source.url }];
    case 'auto':
    case 'site':
      return [{ text, type: source.kind, htmlUrl: source.url }];
    case 'page':
      return source.urls.map((url) => ({ text, type: source.kind, htmlUrl: url }));
  }
}
