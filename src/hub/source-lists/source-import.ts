import { decodeOpml } from '../../codecs/opml/decode-opml.ts';
import type { OpmlOutline } from '../../codecs/opml/opml.ts';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import type { Result } from '../../codecs/primitives/result.ts';
import { decodeXmlBytes } from '../../codecs/primitives/xml-bytes.ts';
import { decodeSitemap } from '../../codecs/sitemap/sitemap.ts';
import { decodeUrlList } from '../../codecs/url-list/url-list.ts';
import { importRefusedError } from '../../errors/refusals.ts';
import { dialectOfUrl, isAddress, kindOfUrl, looksLikeAicf, looksLikeSitemap, type WebKind } from './source-guess.ts';

export const IMPORT_FORMATS = ['urls', 'opml', 'sitemap', 'json'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** A source as named in the file, not checked yet; without an id if the file gives none. */
export interface FoundSource {
  /** For messages: `line 3`. */
  readonly where: string;
  readonly source: unknown;
}

export interface SkippedSource {
  readonly what: string;
  readonly reason: string;
}

export interface ImportReading {
  readonly found: readonly FoundSource[];
  readonly skipped: readonly SkippedSource[];
}

export interface ImportOptions {
  /** For messages. */
  readonly file: string;
  /** Absent: detected from its content. */
  readonly format?: ImportFormat;
  readonly kind?: WebKind;
  /** The dialect of which a feed is that goes by this name; undefined for a name that no reader takes. */
  readonly dialectOf: (name: string) => string | undefined;
}

/** OPML calls every feed of people `rss`, and what it is shows in the feed itself. */
const WEB_FEED_DIALECT = 'atom';

/** Throws an `ImportRefusedError` if the file is incomplete: then nothing of it is used. */
export function readImport(bytes: Uint8Array, options: ImportOptions): ImportReading {
  const text = decodeXmlBytes(bytes);
  switch (options.format ?? formatOf(text)) {
    case 'json':
      return readJson(text, options);
    case 'opml':
      return readOpml(text, options);
    case 'sitemap':
      return readSitemap(bytes, options);
    case 'urls':
      return readUrls(text, options);
  }
}

function formatOf(text: string): ImportFormat {
  const start = text.trimStart();
  if (/^[[{]/.test(start)) return 'json';
  if (!start.startsWith('<')) return 'urls';
  return /<opml[\s>]/i.test(start.slice(0, 10_000)) ? 'opml' : 'sitemap';
}

/** An export, or a config with `sources` in it. */
function readJson(text: string, { file }: ImportOptions): ImportReading {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw importRefusedError(file, `It is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
  const sources = typeof value === 'object' && value !== null && 'sources' in value ? value.sources : value;
  if (!Array.isArray(sources)) throw importRefusedError(file, 'It must hold a list of sources.');
  return { found: sources.map((source: unknown, index) => ({ where: `sources[${index}]`, source })), skipped: [] };
}

function readUrls(text: string, { file, kind }: ImportOptions): ImportReading {
  const found = valueOrRefuse(decodeUrlList(text), file).map(({ line, url, name }) => ({
    where: `line ${line}`,
    source: { ...(name !== undefined && { id: name }), ...webSource(url, kind) },
  }));
  return { found, skipped: [] };
}

function readOpml(text: string, { file, kind, dialectOf }: ImportOptions): ImportReading {
  const found: FoundSource[] = [];
  const skipped: SkippedSource[] = [];
  for (const outline of valueOrRefuse(decodeOpml(text), file)) {
    const source = sourceOfOutline(outline, kind, dialectOf);
    const what = outline.xmlUrl ?? outline.htmlUrl ?? '';
    if (typeof source === 'string') skipped.push({ what, reason: source });
    else found.push({ where: `line ${outline.line}`, source: { ...source, ...titleOf(outline) } });
  }
  return { found, skipped };
}

/** The feed, else the site that has it; or why neither. */
function sourceOfOutline(
  outline: OpmlOutline,
  kind: WebKind | undefined,
  dialectOf: ImportOptions['dialectOf'],
): object | string {
  const feed = webUrlOf(outline.xmlUrl);
  const page = webUrlOf(outline.htmlUrl);
  const mayBeFeed = kind === undefined || kind === 'feed';
  if (mayBeFeed && feed !== undefined)
    return { ...webSource(feed, 'feed'), dialect: feedDialect(outline, feed, dialectOf) };
  if (kind !== 'feed' && page !== undefined) return webSource(page, kind ?? typedKind(outline));
  return feed === undefined && page === undefined ? 'it names no http(s) address' : `it names no ${kind ?? 'source'}`;
}

/** By its type, as our own export writes it, or its address; a feed is one for people unless it says otherwise. */
function feedDialect({ type = '' }: OpmlOutline, feed: string, dialectOf: ImportOptions['dialectOf']): string {
  const url = new URL(feed);
  const typed = dialectOf(type.toLowerCase()) ?? WEB_FEED_DIALECT;
  if (typed !== WEB_FEED_DIALECT) return typed;
  if (looksLikeAicf(url)) return 'aicf';
  return dialectOf(dialectOfUrl(url) ?? WEB_FEED_DIALECT) ?? WEB_FEED_DIALECT;
}

/** As our own export writes it. */
function typedKind({ type }: OpmlOutline): WebKind | undefined {
  return type === 'auto' || type === 'site' || type === 'page' ? type : undefined;
}

function titleOf({ text }: OpmlOutline): { title?: string } {
  const title = text?.slice(0, 200).trim() ?? '';
  return title === '' ? {} : { title };
}

function readSitemap(bytes: Uint8Array, { file, kind = 'site' }: ImportOptions): ImportReading {
  const { of, entries, problems, broken } = valueOrRefuse(decodeSitemap(bytes), file);
  const problem = broken ?? problems[0];
  if (problem !== undefined) throw importRefusedError(file, problem);
  if (kind !== 'site' && kind !== 'auto') {
    if (of === 'pages') return { found: entries.map(({ url }, at) => entry(at, webSource(url, kind))), skipped: [] };
    throw importRefusedError(file, `It names other sitemaps, not pages. Import those, or say --kind site.`);
  }
  const origins = new Map(entries.map(({ url }, at) => [new URL(url).origin, at] as const).toReversed());
  const sites = [...origins].toSorted(([, one], [, other]) => one - other);
  return { found: sites.map(([origin, at]) => entry(at, webSource(`${origin}/`, kind))), skipped: [] };
}

function entry(index: number, source: object): FoundSource {
  return { where: `entry ${index + 1}`, source };
}

/** An address without its fragment: lists copied from a browser often have one. */
function webSource(address: string, kind?: WebKind): object {
  const url = new URL(address);
  url.hash = '';
  const decided = kind ?? kindOfUrl(url);
  if (decided === 'page') return { kind: decided, urls: [url.href] };
  if (decided === 'site' && looksLikeSitemap(url)) {
    return { kind: decided, url: new URL('/', url).href, sitemap: url.href };
  }
  const dialect = decided === 'feed' ? dialectOfUrl(url) : undefined;
  return { kind: decided, url: url.href, ...(dialect !== undefined && { dialect }) };
}

function webUrlOf(address: string | undefined): string | undefined {
  return address !== undefined && isAddress(address) && /^https?:/i.test(address) && canParseUrl(address)
    ? address
    : undefined;
}

function valueOrRefuse<T>(result: Result<T>, file: string): T {
  if (result.ok) return result.value;
  throw importRefusedError(file, result.issues[0].message);
}
