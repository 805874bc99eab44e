import type { HttpHeaders, HttpResponse } from '../../fetch/http-client.ts';
import { mediaType } from '../../fetch/response-headers.ts';

/** The headers of an answer that describe it and who may use it. No cookies, reports, hints or upgrades. */
const PASSED = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-language',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'last-modified',
  'x-content-type-options',
  'x-frame-options',
];

/** Numbers of pages and the like, which scripts read. */
const PASSED_CUSTOM = /^x-(?!dns-prefetch|sourcemap)[a-z-]+$/;

export function passedHeaders(headers: HttpHeaders): Record<string, string> {
  const passed = Object.entries(headers).filter(([name]) => PASSED.includes(name) || PASSED_CUSTOM.test(name));
  // Without this header Playwright writes one that lets every page read the answer. The word names no origin.
  return { 'access-control-allow-origin': 'nobody', ...Object.fromEntries(passed) };
}

/** The text was decoded by us, so its charset is ours; the type decides whether it is parsed as HTML or as XML. */
export function pageHeaders(headers: HttpHeaders): Record<string, string> {
  const type = mediaType(headers) === 'application/xhtml+xml' ? 'application/xhtml+xml' : 'text/html';
  return { ...passedHeaders(headers), 'content-type': `${type}; charset=utf-8` };
}

export interface PassedAnswer {
  readonly pageUrl: URL;
  /** What the page asked for, and what the browser takes for the origin of the answer. */
  readonly askedUrl: URL;
  readonly kind: string;
  readonly response: Pick<HttpResponse, 'url' | 'headers'>;
}

/**
 * The browser does not see redirects, so it cannot know that an answer which it takes for one of the page's own comes from
 * elsewhere. Then the answer needs what the browser would demand: permission to be read, or to be what it is used as.
 */
export function mayBeRead({ pageUrl, askedUrl, kind, response }: PassedAnswer): boolean {
  const { origin } = response.url;
  if (origin === askedUrl.origin || origin === pageUrl.origin || askedUrl.origin !== pageUrl.origin) return true;
  const type = mediaType(response.headers) ?? '';
  if (kind === 'script') return /^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(type);
  if (kind === 'stylesheet') return type === 'text/css';
  return kind !== 'document' && ['*', pageUrl.origin].includes(response.headers['access-control-allow-origin'] ?? '');
}
