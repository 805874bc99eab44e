/**
 * Conditional requests.
 *
 * Spec: https://www.rfc-editor.org/rfc/rfc9110#section-13
 */

type Headers = Readonly<Record<string, string | undefined>>;

/** The state with which the conditions of a request are compared. */
export interface CurrentState {
  /** Strong, quoted; one for every form in which this request may be answered. */
  readonly etags: readonly string[];
  /** Whole seconds; undefined if unknown. */
  readonly lastModifiedMs: number | undefined;
  /** It may have been modified twice within that second, so that the date does not distinguish versions (RFC 9110 §8.8.2.2). */
  readonly isRecent?: boolean;
}

export type Condition =
  | { readonly kind: 'met' }
  | { readonly kind: 'failed' }
  /** The client has it already; `etag` is that of its form, if it named one. */
  | { readonly kind: 'not-modified'; readonly etag: string | undefined };

const MET: Condition = { kind: 'met' };
const FAILED: Condition = { kind: 'failed' };
const ENTITY_TAG = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** For a GET or HEAD, in the order of RFC 9110 §13.2.2. `If-Range` is checked separately. */
export function checkPreconditions(headers: Headers, { etags, lastModifiedMs, isRecent }: CurrentState): Condition {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    if (ifMatch.trim() !== '*' && matchingTag(ifMatch, etags, 'strong') === undefined) return FAILED;
  } else if (lastModifiedMs !== undefined) {
    const unmodifiedSince = httpDate(headers['if-unmodified-since']);
    if (unmodifiedSince !== undefined && lastModifiedMs > unmodifiedSince) return FAILED;
  }

  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() === '*') return { kind: 'not-modified', etag: undefined };
    const etag = matchingTag(ifNoneMatch, etags, 'weak');
    return etag === undefined ? MET : { kind: 'not-modified', etag };
  }
  if (isRecent) return MET;
  const modifiedSince = httpDate(headers['if-modified-since']);
  if (lastModifiedMs === undefined || modifiedSince === undefined || lastModifiedMs > modifiedSince) return MET;
  return { kind: 'not-modified', etag: undefined };
}

/** Whether `Range` applies: there is no `If-Range`, or it names exactly the current version (RFC 9110 §13.1.5). */
export function isRangeCurrent(ifRange: string | undefined, etag: string, lastModifiedMs: number | undefined): boolean {
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange.trim() === etag;
  return lastModifiedMs !== undefined && httpDate(ifRange) === lastModifiedMs;
}

/** The tag of `etags` that the list names. In the strong comparison, a weak tag equals nothing. */
function matchingTag(list: string, etags: readonly string[], comparison: 'strong' | 'weak'): string | undefined {
  for (const [, weak, tag] of list.matchAll(ENTITY_TAG)) {
    if (comparison === 'strong' && weak !== undefined) continue;
    const found = etags.find((etag) => etag === tag);
    if (found !== undefined) return found;
  }
  return undefined;
}

const FIXDATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const RFC850 = /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Epoch milliseconds; undefined for anything but an HTTP date, which is then ignored. */
function httpDate(text: string | undefined): number | undefined {
  const date = text?.trim() ?? '';
  if (FIXDATE.test(date) || RFC850.test(date)) return Date.parse(date) || undefined;
  return ASCTIME.test(date) ? Date.parse(`${date} GMT`) || undefined : undefined;
}
