/**
 * Sitemaps: the pages that a site says it has.
 *
 *     <?xml version="1.0" encoding="UTF-8"?>
 *     <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
 *       <url><loc>https://docs.example/pricing</loc><lastmod>2025-08-21</lastmod></url>
 *     </urlset>
 *
 * Also as an index of other sitemaps (`<sitemapindex>`), and as plain text with one URL per line.
 *
 * Spec: https://www.sitemaps.org/protocol.html. Read leniently: an unusable entry is a problem of that entry only, and a file that
 * breaks off gives what comes before the break.
 */

import { accept, type Result, refuse } from '../primitives/result.ts';
import { decodeXmlBytes } from '../primitives/xml-bytes.ts';
import { readSitemapEntry, type SitemapEntry } from './entry.ts';
import { readXmlSitemap } from './read-xml.ts';

/** The specification's own limits, per file. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
export const MAX_SITEMAP_ENTRIES = 50_000;

const MAX_PROBLEMS = 100;

export interface Sitemap {
  /** What the entries name: pages, or other sitemaps. */
  readonly of: 'pages' | 'sitemaps';
  readonly entries: readonly SitemapEntry[];
  /** Entries without a usable address. */
  readonly problems: readonly string[];
  /** It lists the news of a few days: a page that it no longer names is old, not deleted. */
  readonly isNews?: true;
  /** Why the file was not read to its end. */
  readonly broken?: string;
}

/** The file is something else, as opposed to a broken sitemap. */
export const NO_SITEMAP = 'SITEMAP-KIND';
/** It is a feed, which some sites name in place of a sitemap. */
export const FEED = 'SITEMAP-FEED';
const BROKEN = 'SITEMAP-FORM';

const HTML = /^<(?:!doctype\s+html|html)[\s>]/i;
const DOCTYPE = /<!DOCTYPE/i;

/**
 * Reads the bytes of a sitemap, already decompressed. `charset` is the encoding that the server named.
 *
 * @example
 * const sitemap = decodeSitemap(new TextEncoder().encode('https://docs.example/\nhttps://docs.example/pricing\n'));
 * if (sitemap.ok) console.log(sitemap.value.entries.map(({ url }) => url));
 */
export function decodeSitemap(bytes: Uint8Array, charset?: string): Result<Sitemap> {
  if (bytes.length > MAX_SITEMAP_BYTES) return refuse(BROKEN, `It is larger than ${MAX_SITEMAP_BYTES} bytes.`);
  const text = decodeXmlBytes(bytes, charset).trimStart();
  if (text === '') return refuse(BROKEN, 'It is empty.');
  if (!text.startsWith('<')) return readTextSitemap(text);
  if (HTML.test(text)) return refuse(NO_SITEMAP, 'It is an HTML page, not a sitemap.');
  // Entities that a DOCTYPE declares can blow up. It may only precede the first element.
  if (DOCTYPE.test(prologOf(text))) return refuse(BROKEN, 'It has a DOCTYPE, which sitemaps do not have.');

  const { root = '', entries, problems, broken } = readXmlSitemap(text, MAX_SITEMAP_ENTRIES);
  const of = OF_ROOT.get(root);
  if (of !== undefined) {
    return accept({
      of,
      entries,
      problems,
      ...(isNews(text) && { isNews: true }),
      ...(broken !== undefined && { broken }),
    });
  }
  if (root === '') return refuse(BROKEN, broken ?? 'There is no element in it.');
  const feed = FEEDS.get(root.toLowerCase());
  if (feed !== undefined) return refuse(FEED, `It is ${feed} feed, not a sitemap: a feed names the newest pages only.`);
  if (/^html$/i.test(root)) return refuse(NO_SITEMAP, 'It is an HTML page, not a sitemap.');
  return refuse(NO_SITEMAP, `It is XML about "${root}", not a sitemap.`);
}

const OF_ROOT: ReadonlyMap<string, Sitemap['of']> = new Map([
  ['urlset', 'pages'],
  ['sitemapindex', 'sitemaps'],
]);
const FEEDS: ReadonlyMap<string, string> = new Map([
  ['rss', 'an RSS'],
  ['rdf', 'an RSS'],
  ['feed', 'an Atom'],
]);

/** Longer than the first tag of any sitemap. */
const ROOT_CHARACTERS = 5000;

/** Some generators declare every extension, so one counts only if it is used. */
function isNews(text: string): boolean {
  const root = text.slice(0, ROOT_CHARACTERS);
  return root.includes('google.com/schemas/sitemap-news/') && /<[\w.-]+:publication[\s>]/.test(text);
}

function prologOf(text: string): string {
  const root = text.search(/<[^!?\s]/);
  return root === -1 ? text : text.slice(0, root);
}

/** A text is a sitemap if its first line is a URL. */
function readTextSitemap(text: string): Result<Sitemap> {
  const entries: SitemapEntry[] = [];
  const problems: string[] = [];
  let number = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    number += 1;
    if (line.trim() === '') continue;
    if (number > MAX_SITEMAP_ENTRIES) {
      const broken = `It has more than ${MAX_SITEMAP_ENTRIES} entries; the rest is not read.`;
      return accept({ of: 'pages', entries, problems, broken });
    }
    const entry = readSitemapEntry(line);
    if (entry.ok) entries.push(entry.value);
    else if (problems.length < MAX_PROBLEMS) problems.push(`URL ${number}: ${entry.issues[0].message}`);
    if (entries.length === 0) return refuse(NO_SITEMAP, 'It is neither XML nor a list of URLs.');
  }
  return accept({ of: 'pages', entries, problems });
}
