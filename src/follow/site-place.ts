import { hash } from 'node:crypto';
import { isDocumentUrl } from '../model/document-url.ts';

/** What is watched of a site that has no feed. */
export interface SitePlace {
  /** All pages below the URL, or the one page at it. */
  readonly kind: 'site' | 'page';
  /** Of a site, with a final slash. */
  readonly url: string;
  /** The sitemap that lists its pages, if one was given. */
  readonly sitemap?: string;
}

const SITEMAP = /(?:^|[/_.-])sitemap[^/]*\.(?:xml|txt)(?:\.gz)?$/i;

/** What a URL names: a document, or the site that begins there. The index file of a folder begins a site, and so does a sitemap. */
export function placeAt(url: URL): SitePlace {
  if (SITEMAP.test(url.pathname)) return { kind: 'site', url: `${url.origin}/`, sitemap: url.href };
  const folder = new URL(url.href.replace(/\/index\.html?$/i, '/'));
  if (isDocumentUrl(folder)) return { kind: 'page', url: url.href };
  return { kind: 'site', url: folder.pathname.endsWith('/') ? folder.href : `${folder.href}/` };
}

/**
 * What to watch instead of an unreadable place whose URL leads to a page at `found`; undefined if that is the same place. The caller must check who
 * owns the hosts.
 */
export function placeInstead({ kind, url }: SitePlace, given: URL, found: URL): SitePlace | undefined {
  if (found.origin === given.origin) {
    // `/pricing` is a page, and no other page lies below it.
    return kind === 'site' && found.href !== url ? { kind: 'page', url: given.href } : undefined;
  }
  if (kind === 'page') return { kind, url: found.href };
  return given.pathname === '/' ? { kind, url: `${found.origin}/` } : placeAt(found);
}

/** The name of the folder for the state of an entry. */
export function siteFolder(entry: string, id: string): string {
  return `${id}-${hash('sha256', entry, 'hex').slice(0, 12)}`;
}
