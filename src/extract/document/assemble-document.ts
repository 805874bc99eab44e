import { economicsOf } from '../../codecs/aidocument/economics.ts';
import { isHierarchyOk, readingTimeOf } from '../../codecs/aidocument/signals.ts';
import {
  AIDOCUMENT_NAME,
  AIDOCUMENT_VERSION,
  type AIDocument,
  type CacheInfo,
  type DocumentHeading,
  type DocumentImage,
  type DocumentLink,
  type FreshnessPolicy,
  type JsonObject,
  type RenderMode,
  type SourceInfo,
} from '../../codecs/aidocument/wire.ts';
import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import { formatTime, parseTime } from '../../codecs/primitives/time.ts';
import { withoutFragment } from '../../codecs/primitives/without-fragment.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { countTokens } from './count-tokens.ts';
import { refOf } from './document-ref.ts';

export interface ReadPageOptions {
  /** When the page was fetched: RFC 3339, or a Date. */
  readonly fetchedAt?: string | Date;
  /** The status that the origin answered with then. */
  readonly statusCode?: number;
  readonly renderMode?: RenderMode;
  /** Default: `cache_first`. */
  readonly freshnessPolicy?: FreshnessPolicy;
  /** Default: a hit, because nothing is fetched here. */
  readonly cache?: CacheInfo;
  /** Whether to count tokens, for which a vocabulary is loaded. Default: true. */
  readonly economics?: boolean;
  /** Selectors of the parts of an HTML page that are left out, or that alone are read. Paths are ignored here. Default: everything is read. */
  readonly rules?: GivenRules;
}

/** Facts about a page that it does not contain itself. */
export type FetchFacts = Omit<ReadPageOptions, 'rules'>;

/** What was read from a page. Empty and missing parts are left out of the document (AWI-DOC5). */
export interface ReadPageParts {
  readonly url: string;
  readonly canonicalUrl?: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly language: string | undefined;
  readonly contentType: string | undefined;
  readonly markdown: string;
  readonly words: number;
  readonly headings: readonly DocumentHeading[];
  readonly links: readonly DocumentLink[];
  readonly images: readonly DocumentImage[];
  readonly structuredData?: JsonObject | undefined;
  /** The token count of the page as it was sent. Called only if needed. */
  readonly rawTokens: () => number;
}

const NOTHING_FETCHED: CacheInfo = { status: 'hit', origin_contacted: false, body_fetched: false };

export function assembleDocument(reading: ReadPageParts, options: FetchFacts): AIDocument {
  const { title, description, language, contentType, markdown, words } = reading;
  const { headings, links, images, structuredData } = reading;
  const body = {
    source: sourceOf(reading, options),
    cache: options.cache ?? NOTHING_FETCHED,
    identity: {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(language !== undefined && { language }),
      ...(contentType !== undefined && { content_type: contentType }),
    },
    content: { markdown },
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
  const economics = options.economics === false ? undefined : economicsOf(countTokens(markdown), reading.rawTokens());
  return {
    schema: { name: AIDOCUMENT_NAME, version: AIDOCUMENT_VERSION, ref: refOf(body) },
    ...body,
    ...(economics !== undefined && { economics }),
  };
}

/** Absolute, without fragment, user name and password, which would identify the caller (AWI-PR2). Throws a TypeError if it is not an http(s) URL. */
export function documentUrlOf(text: string): string {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`"${text}" is no absolute http(s) URL, which a document must name (AWI-SRC3).`);
  }
  url.username = '';
  url.password = '';
  return withoutFragment(url.href);
}

function sourceOf({ url, canonicalUrl }: ReadPageParts, options: FetchFacts): SourceInfo {
  const { fetchedAt, renderMode, statusCode, freshnessPolicy = 'cache_first' } = options;
  return {
    url,
    ...(canonicalUrl !== undefined && { canonical_url: canonicalUrl }),
    ...(fetchedAt !== undefined && { fetched_at: timeOf(fetchedAt) }),
    ...(renderMode !== undefined && { render_mode: renderMode }),
    ...(statusCode !== undefined && { status_code: statusCode }),
    freshness_policy: freshnessPolicy,
  };
}

function timeOf(time: string | Date): string {
  const epochMs = typeof time === 'string' ? parseTime(time) : time.getTime();
  if (epochMs === undefined || Number.isNaN(epochMs)) throw new TypeError(`"${time}" is no RFC 3339 time (AWI-SRC6).`);
  return typeof time === 'string' ? time : formatTime(epochMs);
}
