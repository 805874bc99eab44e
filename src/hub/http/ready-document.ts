import { acceptableEncodings, type ContentEncoding, type Encoding } from './accept-encoding.ts';
import { type DocumentDate, NO_DATE } from './document-date.ts';
import { checkPreconditions } from './preconditions.ts';
import { problem } from './problem.ts';
import type { HubRequest, HubResponse } from './route.ts';

type Headers = Readonly<Record<string, string>>;

/** What identifies a document and its forms. Other bytes are another document. */
export interface DocumentFacts {
  /** Strong, quoted, of the plain form; {@link etagIn} gives those of the others. */
  readonly etag: string;
  /** The encodings that it has besides its plain form, now or once they are made. */
  readonly encodings?: readonly ContentEncoding[];
  /** The length of the plain form, if it is known without reading: then parts of the document can be requested. */
  readonly bytes?: number;
}

/** What every answer for a document says besides its bytes. */
export interface AnswerRules {
  readonly mediaType: string;
  readonly cacheControl: string;
  /** On every answer that contains or represents the document. */
  readonly headers?: Headers;
  /** Its name in refusals: `The feed`. Absent: `It`. */
  readonly name?: string;
  /** The text for a client that refuses every form (406). Absent: it gets the plain one anyway. */
  readonly notAcceptable?: string;
}

interface ReadyForm {
  readonly etag: string;
  /** For an answer with the bytes, without their length. */
  readonly headers: Headers;
  readonly notModified: HubResponse;
}

/** What is the same for all requests for a document, made once. */
export interface ReadyDocument {
  readonly rules: AnswerRules;
  readonly date: DocumentDate;
  /** As in the header. */
  readonly lastModified: string | undefined;
  /** All forms; a form that the document does not have is its plain one. */
  readonly forms: Readonly<Record<Encoding, ReadyForm>>;
  readonly all: readonly Encoding[];
}

const PLAIN: readonly Encoding[] = ['identity'];
const ENDINGS: Readonly<Record<Encoding, string>> = { identity: '', gzip: '.gz', br: '.br' };

/** The ETag of a form: one ETag identifies one body, so compressed bytes have their own. */
export function etagIn(etag: string, encoding: Encoding): string {
  return encoding === 'identity' ? etag : `${etag.slice(0, -1)}${ENDINGS[encoding]}"`;
}

export function readyDocument(
  { etag, encodings = [], bytes }: DocumentFacts,
  rules: AnswerRules,
  date: DocumentDate = NO_DATE,
): ReadyDocument {
  const lastModified = date.shownMs === undefined ? undefined : new Date(date.shownMs).toUTCString();
  const formOf = (encoding: Encoding): ReadyForm => {
    // Assigned to a literal, not spread into one: in V8 a spread takes many times as long.
    const own = etagIn(etag, encoding);
    const caching: Record<string, string> = Object.assign(
      { etag: own, 'cache-control': rules.cacheControl },
      rules.headers,
    );
    if (encodings.length > 0) caching.vary = 'accept-encoding';
    if (lastModified !== undefined) caching['last-modified'] = lastModified;
    const headers: Record<string, string> = Object.assign({ 'content-type': rules.mediaType }, caching);
    if (bytes !== undefined) headers['accept-ranges'] = 'bytes';
    if (encoding !== 'identity') headers['content-encoding'] = encoding;
    return { etag: own, headers, notModified: { status: 304, headers: caching } };
  };
  const identity = formOf('identity');
  const forms = {
    identity,
    gzip: encodings.includes('gzip') ? formOf('gzip') : identity,
    br: encodings.includes('br') ? formOf('br') : identity,
  };
  return { rules, date, lastModified, forms, all: encodings.length === 0 ? PLAIN : [...PLAIN, ...encodings] };
}

/** The forms that a client accepts, best first; none if it refuses all and the rules allow a 406. */
export function formsFor(acceptEncoding: string | undefined, { all, rules }: ReadyDocument): readonly Encoding[] {
  if (all.length === 1) return PLAIN;
  const forms = acceptableEncodings(acceptEncoding, all.includes('br'));
  return forms.length === 0 && rules.notAcceptable === undefined ? PLAIN : forms;
}

/**
 * 304 or 412 if the conditions of a request require it; undefined if it is to get the bytes. `best` is the form that it would get.
 *
 * "Not modified" is the most frequent answer: it is made once per document. Senders must not change it.
 */
export function conditionalAnswer(
  { headers }: HubRequest,
  { forms: ready, date, lastModified, rules }: ReadyDocument,
  forms: readonly Encoding[],
  best: Encoding,
): HubResponse | undefined {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = headers;
  // Most requests have one unchanged validator, or none: those need no parser.
  if (headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined) {
    if (ifNoneMatch !== undefined) {
      for (const form of forms) if (ready[form].etag === ifNoneMatch) return ready[form].notModified;
    } else {
      if (ifModifiedSince === undefined) return undefined;
      if (date.isSettled && ifModifiedSince === lastModified) return ready[best].notModified;
    }
  }
  const condition = checkPreconditions(headers, {
    etags: forms.map((form) => ready[form].etag),
    lastModifiedMs: date.ms,
    isRecent: !date.isSettled,
  });
  if (condition.kind === 'met') return undefined;
  if (condition.kind === 'failed') {
    return problem({ status: 412, detail: `${rules.name ?? 'It'} is not as the request wants it to be.` });
  }
  return ready[forms.find((form) => ready[form].etag === condition.etag) ?? best].notModified;
}
