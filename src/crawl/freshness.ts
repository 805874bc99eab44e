/**
 * What a private cache may store of a response, and how long it may be used without asking again.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9111
 */

import type { HttpHeaders } from '../fetch/http-client.ts';
import { httpDateMs } from '../fetch/response-headers.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** RFC 9111 §1.2.2: the maximum; longer times count as this. */
const LONGEST_SECONDS = 2 ** 31;
/** If the origin says nothing: at least this … */
export const SHORTEST_GUESS_MS = 5 * MINUTE_MS;
/** … and at most this, a tenth of the time since the page was last changed (RFC 9111 §4.2.2). */
const LONGEST_GUESS_MS = DAY_MS;

/** The headers that are needed later to renew the freshness of a response. */
const KEPT_HEADERS = ['cache-control', 'expires', 'last-modified', 'vary'];

export function cachingHeaders(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name)));
}

export function mayStore(headers: HttpHeaders): boolean {
  return !variesBy('*', headers) && !directivesOf(headers).has('no-store');
}

/** All our requests have the same headers except User-Agent, so only that name and `*` matter in Vary. */
export function variesBy(name: '*' | 'user-agent', { vary = '' }: HttpHeaders): boolean {
  return vary.split(',').some((each) => each.trim().toLowerCase() === name);
}

/** Until when a response that arrived at `nowMs` may be used without asking; `nowMs` if it may not be at all. */
export function freshUntilMs(headers: HttpHeaders, nowMs: number): number {
  const directives = directivesOf(headers);
  if (directives.has('no-cache')) return nowMs;
  const ageMs = ageOf(headers, nowMs);
  const statedMs = statedLifetimeMs(headers, directives.get('max-age'), nowMs);
  if (statedMs !== undefined) return nowMs + Math.max(0, statedMs - ageMs);
  const guessMs = guessedLifetimeMs(headers, nowMs) - ageMs;
  return nowMs + Math.min(Math.max(guessMs, SHORTEST_GUESS_MS), LONGEST_GUESS_MS);
}

/** RFC 9111 §4.2.1. A malformed value was meant as a limit, so it counts as no time. `s-maxage` is for shared caches. */
function statedLifetimeMs(headers: HttpHeaders, maxAge: string | undefined, nowMs: number): number | undefined {
  if (maxAge !== undefined) return /^\d+$/.test(maxAge) ? secondsOf(maxAge) * SECOND_MS : 0;
  if (headers.expires === undefined) return undefined;
  const expires = httpDateMs(headers.expires);
  return expires === undefined ? 0 : expires - (httpDateMs(headers.date) ?? nowMs);
}

function guessedLifetimeMs(headers: HttpHeaders, nowMs: number): number {
  const modified = httpDateMs(headers['last-modified']);
  return modified === undefined ? 0 : ((httpDateMs(headers.date) ?? nowMs) - modified) / 10;
}

/** RFC 9111 §4.2.3: the age of the response on arrival, by caches on its way or by its own date. */
function ageOf(headers: HttpHeaders, nowMs: number): number {
  const age = headers.age?.split(',')[0]?.trim() ?? '';
  const statedMs = /^\d+$/.test(age) ? secondsOf(age) * SECOND_MS : 0;
  return Math.max(statedMs, nowMs - (httpDateMs(headers.date) ?? nowMs));
}

function secondsOf(digits: string): number {
  return Math.min(Number(digits), LONGEST_SECONDS);
}

const DIRECTIVE = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?/g;

/** Of a directive that occurs twice, the first counts (RFC 9111 §4.2.1). */
function directivesOf(headers: HttpHeaders): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name = '', quoted, plain] of (headers['cache-control'] ?? '').matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted ?? plain ?? '');
  }
  return directives;
}
