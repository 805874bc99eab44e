import { economicsOf } from '../../codecs/aidocument/economics.ts';
import { wellFormed } from '../../codecs/aidocument/parse-json.ts';
import { isHierarchyOk, readingTimeOf } from '../../codecs/aidocument/signals.ts';
import {
  AIDOCUMENT_NAME,
  AIDOCUMENT_VERSION,
  type AIDocument,
  type CacheInfo,
  type DocumentHeading,
  type EconomicsInfo,
  type FreshnessPolicy,
  type RenderMode,
  type SourceInfo,
} from '../../codecs/aidocument/wire.ts';
import { formatTime, parseTime } from '../../codecs/primitives/time.ts';
import { extractContent, type SectionHeading } from '../extract-page.ts';
import { attribute } from '../html-tree.ts';
import { parseDocument } from '../parse-html.ts';
import { contentTypeOf } from './content-type.ts';
import { countWords } from './count-words.ts';
import { refOf } from './document-ref.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { descriptionOf, languageOf, titleOf } from './identity.ts';
import { readImages } from './images.ts';
import { mergeJsonLd } from './json-ld.ts';
import { readLinks } from './links.ts';
import { collectParts, type PageParts } from './page-parts.ts';
import { webAddress, withoutFragment } from './web-address.ts';

export interface ReadPageOptions {
  /** When the page was fetched: RFC 3339, or a Date. */
  readonly fetchedAt?: string | Date;
  /** What the origin answered at that time. */
  readonly statusCode?: number;
  readonly renderMode?: RenderMode;
  /** Default `cache_first`. */
  readonly freshnessPolicy?: FreshnessPolicy;
  /** Default: a hit, because nothing is fetched here. */
  readonly cache?: CacheInfo;
  /** Whether tokens are estimated. Default true. */
  readonly economics?: boolean;
}

const NOTHING_FETCHED: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };

/**
 * A page as an AIDocument 2.0. Fetches nothing: `url` is where `html` was found, after redirects.
 *
 * Any text is read as HTML, and the same text gives the same document. Throws a TypeError when `url` is no absolute http(s)
 * URL or `fetchedAt` is no time.
 *
 * @example
 * const document = readPage('<h1>Limits</h1><p>Every account has limits.</p>', 'https://docs.example/limits');
 * console.log(document.schema.ref, document.content.markdown);
 */
export function readPage(html: string, url: string, options: ReadPageOptions = {}): AIDocument {
  return readWellFormed(wellFormed(html), pageUrlOf(url), options);
}

function readWellFormed(html: string, pageUrl: string, options: ReadPageOptions): AIDocument {
  const { root: parsed, jsonLd } = parseDocument(html);
  const parts = collectParts(parsed);
  const base = (parts.base === undefined ? undefined : webAddress(parts.base, pageUrl))?.href ?? pageUrl;
  const links = readLinks(parts.links, pageUrl, base);
  const images = readImages(parts.images, base);
  const structuredData = mergeJsonLd(jsonLd);

  const { page, root, headings: elements } = extractContent(html, pageUrl, { parsed, base });
  const headings = elements.map((heading) => headingOf(heading, parts));
  const words = countWords(page.markdown);
  const title = titleOf(parts, root);
  const description = descriptionOf(parts);
  const language = languageOf(parts);
  const contentType = contentTypeOf({
    url: pageUrl,
    meta: parts.meta,
    structuredData,
    markdown: page.markdown,
    words,
  });

  const body = {
    source: sourceOf(pageUrl, parts.canonicals[0], base, options),
    cache: options.cache ?? NOTHING_FETCHED,
    identity: {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(language !== undefined && { language }),
      ...(contentType !== undefined && { content_type: contentType }),
    },
    content: { markdown: page.markdown },
    structure: {
      ...(headings.length > 0 && { headings }),
      ...(links.length > 0 && { links }),
      ...(images.length > 0 && { images }),
      ...(structuredData !== undefined && { structured_data: structuredData }),
    },
    signals: {
      word_count: words,
      reading_time: readingTimeOf(words),
      has_json_ld: structuredData !== undefined,
      heading_hierarchy_ok: isHierarchyOk(headings.map(({ level }) => level)),
    },
  };
  const economics = options.economics === false ? undefined : economicsFor(page.markdown, html);
  return {
    schema: { name: AIDOCUMENT_NAME, version: AIDOCUMENT_VERSION, ref: refOf(body) },
    ...body,
    ...(economics !== undefined && { economics }),
  };
}

/** Absolute, without fragment, and without a name and password, which would identify the caller (AWI-PR2). */
function pageUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`"${text}" is no absolute http(s) URL, which a document must name (AWI-SRC3).`);
  }
  url.username = '';
  url.password = '';
  return withoutFragment(url.href);
}

function sourceOf(url: string, canonical: string | undefined, base: string, options: ReadPageOptions): SourceInfo {
  const { fetchedAt, renderMode, statusCode, freshnessPolicy = 'cache_first' } = options;
  const canonicalUrl = canonical === undefined ? undefined : webAddress(canonical, base)?.href;
  return {
    url,
    ...(canonicalUrl !== undefined && { canonical_url: canonicalUrl }),
    ...(fetchedAt !== undefined && { fetched_at: timeOf(fetchedAt) }),
    ...(renderMode !== undefined && { render_mode: renderMode }),
    ...(statusCode !== undefined && { status_code: statusCode }),
    freshness_policy: freshnessPolicy,
  };
}

function headingOf({ element, text, level }: SectionHeading, { innerIds }: PageParts): DocumentHeading {
  const id = attribute(element, 'id') || innerIds.get(element);
  return { level, text, ...(id !== undefined && { id }) };
}

function timeOf(time: string | Date): string {
  const epochMs = typeof time === 'string' ? parseTime(time) : time.getTime();
  if (epochMs === undefined || Number.isNaN(epochMs)) throw new TypeError(`"${time}" is no RFC 3339 time (AWI-SRC6).`);
  return typeof time === 'string' ? time : formatTime(epochMs);
}

function economicsFor(markdown: string, html: string): EconomicsInfo | undefined {
  return economicsOf(estimateTokens(markdown), estimateTokens(html));
}
