import { isLoc } from '../../../codecs/resourcesync/absolute-url.ts';
import { type EncodedDocumentLimits, MAX_BYTES, MAX_ENTRIES } from '../../../codecs/resourcesync/encode.ts';
import { encodeSitemap, type WrittenSitemapEntry } from '../../../codecs/resourcesync/encode-sitemap.ts';
import { splitDocument } from '../../../codecs/resourcesync/split-document.ts';
import type { Change } from '../../../model/change.ts';
import { isListed, timeOf } from './listed-changes.ts';
import { documentUrl } from './paths.ts';

export const SITEMAP_PATH = 'resourcesync/sitemap.xml';

/**
 * A sitemap whose times say when the content of each page last changed: a new build alone does not change them. Parts first, their
 * index last.
 */
export function sitemapOf(
  pages: Iterable<string>,
  {
    site,
    changes,
    limits,
  }: { readonly site: URL; readonly changes: readonly Change[]; readonly limits: EncodedDocumentLimits },
): readonly { readonly path: string; readonly text: string }[] {
  const changedMs = new Map<string, number>();
  for (const change of changes) if (isListed(change)) changedMs.set(change.url, timeOf(change));
  const entries = Array.from(pages)
    .filter(isLoc)
    .sort()
    .map((loc): WrittenSitemapEntry => ({ loc, lastmod: changedMs.get(loc) }));
  const parts = splitEntries(entries, limits);
  if (parts.length === 1) return [{ path: SITEMAP_PATH, text: sitemapText(entries) }];

  const placed = parts.map((part, at) => ({ path: `resourcesync/sitemap-${at + 1}.xml`, text: sitemapText(part) }));
  const listed = placed.map(({ path }, at) => ({ loc: documentUrl(path, site), lastmod: latestOf(parts[at] ?? []) }));
  return [...placed, { path: SITEMAP_PATH, text: sitemapText(listed.slice(0, MAX_ENTRIES), true) }];
}

function splitEntries(
  entries: readonly WrittenSitemapEntry[],
  limits: EncodedDocumentLimits,
): readonly (readonly WrittenSitemapEntry[])[] {
  const { maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = limits;
  // An entry of a Resource List takes at least as much space.
  const head = { capability: 'resourcelist', isIndex: false, md: {}, links: [] } as const;
  const written = entries.map(({ loc, lastmod }) => ({
    loc,
    ...(lastmod !== undefined && { lastmod }),
    md: {},
    links: [],
  }));
  const parts = splitDocument({ ...head, entries: written }, { maxEntries, maxBytes });
  if (!parts.ok) throw new Error(parts.issues[0].message);
  return parts.value.map(({ entries: part }) => part);
}

function latestOf(entries: readonly WrittenSitemapEntry[]): number | undefined {
  const times = entries.flatMap(({ lastmod }) => lastmod ?? []);
  return times.length === 0 ? undefined : times.reduce((latest, time) => Math.max(latest, time));
}

function sitemapText(entries: readonly WrittenSitemapEntry[], isIndex = false): string {
  const text = encodeSitemap(entries, isIndex);
  if (!text.ok) throw new Error(text.issues[0].message);
  return text.value;
}
