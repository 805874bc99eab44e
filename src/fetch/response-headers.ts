/**
 * Decodes a few response headers. An absent or malformed header is undefined.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9110, https://www.rfc-editor.org/rfc/rfc9111
 */

import type { HttpHeaders } from './http-client.ts';

/** The validators for a later conditional request. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface ContentRange {
  readonly start: number;
  /** The last byte of the range, inclusive. */
  readonly end: number;
  /** Absent if the origin does not state the total size. */
  readonly size?: number;
}

/** How long to wait before asking again, from seconds or a date (RFC 9110 §10.2.3). However long, it is a finite number. */
export function retryAfterMs(headers: HttpHeaders, nowMs: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = httpDateMs(value);
  return date === undefined ? undefined : Math.max(0, date - nowMs);
}

/**
 * `max-age` of Cache-Control. Undefined for `no-cache`, `no-store` and an age of 0: they ask caches to revalidate on each use, as static hosts do by
 * default, and say nothing about how often a poll is welcome.
 */
export function maxAgeMs(headers: HttpHeaders): number | undefined {
  const value = headers['cache-control'] ?? '';
  if (/(?:^|[\s,])no-(?:cache|store)\b/i.test(value)) return undefined;
  const match = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})"?/i.exec(value);
  return Number(match?.[1] ?? 0) * 1000 || undefined;
}

export function contentRange(headers: HttpHeaders): ContentRange | undefined {
  const match = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(headers['content-range']?.trim() ?? '');
  if (match === null) return undefined;
  const [, start, end, size] = match;
  return { start: Number(start), end: Number(end), ...(size !== '*' && { size: Number(size) }) };
}

/**
 * A Last-Modified counts only if it is at least a second older than the response: within one second the document may change again under the same date
 * (RFC 9110 §8.8.2.2).
 */
export function validatorsOf(headers: HttpHeaders): Validators {
  const { etag, 'last-modified': lastModified, date } = headers;
  const modifiedAt = httpDateMs(lastModified);
  const answeredAt = httpDateMs(date);
  const settled = modifiedAt !== undefined && answeredAt !== undefined && answeredAt - modifiedAt >= 1000;
  return { ...(etag !== undefined && { etag }), ...(settled && lastModified !== undefined && { lastModified }) };
}

export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

/** The type without its parameters, in lower case. */
export function mediaType(headers: HttpHeaders): string | undefined {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

/** `charset` of Content-Type. */
export function charset(headers: HttpHeaders): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers['content-type'] ?? '')?.[1];
}

/**
 * An HTTP-date begins with the name of a day; `Date.parse` alone would accept almost anything. A date without a zone, as in the asctime form, is in
 * GMT too (RFC 9110 §5.6.7).
 */
export function httpDateMs(value = ''): number | undefined {
  const dated = /:\d\d(?: \d{4})?$/.test(value) ? `${value} GMT` : value;
  const time = /^[a-z]{3,9},? /i.test(value) ? Date.parse(dated) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
