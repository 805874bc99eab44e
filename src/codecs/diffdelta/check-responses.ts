import type { ClauseLevel } from '../primitives/finding.ts';
import type { Ledger } from '../primitives/ledger.ts';
import { type AnsweredDocument, isFound, type SeenDocument } from '../primitives/seen-document.ts';
import { valueInMessage } from './read-object.ts';
import { FRESH_CACHE, IMMUTABLE_CACHE, MEDIA_TYPE } from './wire.ts';

export type ResponseKind = 'head' | 'latest' | 'archive' | 'schema';

/** Checks the headers of all responses. The same fault in many responses is one finding. */
export interface ResponseCheck {
  look(document: SeenDocument | undefined, kind: ResponseKind, cursor?: unknown): void;
  /** Two responses for one address. The second request sent the ETag of the first response. */
  lookTwice(first: SeenDocument | undefined, again: SeenDocument | undefined): void;
  close(): void;
}

interface Fault {
  readonly clause: string;
  readonly level?: ClauseLevel;
  readonly where: string;
  readonly seen: string;
  readonly remedy: string;
}

const CACHING = {
  head: { clause: 'DD-T10', rule: FRESH_CACHE },
  latest: { clause: 'DD-T11', rule: FRESH_CACHE },
  archive: { clause: 'DD-T9', rule: IMMUTABLE_CACHE },
  schema: { clause: 'DD-T12', rule: IMMUTABLE_CACHE },
} as const;
const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

interface Asked {
  readonly isLive: boolean;
  readonly hasKey: boolean;
}

export function openResponseCheck({ isLive, hasKey }: Asked, ledger: Ledger): ResponseCheck {
  const faults = new Map<string, Fault & { count: number }>();
  let withoutLimits: string | undefined;
  let withLimits = 0;
  const note = (fault: Fault) => {
    const key = JSON.stringify([fault.clause, fault.seen]);
    const known = faults.get(key);
    if (known === undefined) faults.set(key, { ...fault, count: 1 });
    else known.count += 1;
  };

  return {
    look(document, kind, cursor) {
      if (!isFound(document)) return;
      const { headers, where } = document;
      if (headers === undefined) {
        const clauses = ['DD-R1', 'DD-T8', 'DD-T9', 'DD-T10', 'DD-T11', 'DD-T12', 'DD-U7'];
        ledger.skipped('Nothing in the folder says how it is served; check the live site.', ...clauses);
        return;
      }
      checkCaching(document, kind, ledger, note);
      if (kind === 'schema') return;
      checkMediaType(document, ledger, note);
      if (hasKey) ledger.skipped('A key was sent with every request.', 'DD-U7');
      else ledger.looked('DD-U7');
      if (!hasKey && headers['x-diffdelta-tier'] !== undefined) {
        const seen = `It has X-DiffDelta-Tier ${valueInMessage(headers['x-diffdelta-tier'])} although no key was sent.`;
        note({ clause: 'DD-U7', where, seen, remedy: 'Send that header to those who sent a key.' });
      }
      if (!isLive) return;
      if (kind !== 'archive') checkETag(document, cursor, ledger, note);
      if (LIMITS.some((name) => headers[name] !== undefined)) {
        withLimits += 1;
        checkLimits(document, ledger, note);
      } else withoutLimits ??= where;
    },

    lookTwice(first, again) {
      if (isFound(first) && again?.kind === 'answered') checkConditional(first, again, ledger, note);
    },

    close() {
      if (withoutLimits !== undefined) noteLimits(withoutLimits, withLimits > 0, ledger);
      for (const { count, seen, ...fault } of faults.values()) {
        const others = count === 1 ? '' : ` The same holds for ${count - 1} more of the responses.`;
        ledger.note({ ...fault, seen: seen + others });
      }
    },
  };
}

type NoteFault = (fault: Fault) => void;

function checkMediaType({ headers, where }: AnsweredDocument, ledger: Ledger, note: NoteFault): void {
  ledger.looked('DD-R1');
  const type = headers?.['content-type'];
  if (type?.replace(/[\s"]/g, '').toLowerCase() === MEDIA_TYPE.replace(/\s/g, '')) return;
  const seen = type === undefined ? 'It has no Content-Type.' : `Its Content-Type is ${valueInMessage(type)}.`;
  note({ clause: 'DD-R1', where, seen, remedy: `Send Content-Type: ${MEDIA_TYPE}.` });
}

function checkCaching(document: AnsweredDocument, kind: ResponseKind, ledger: Ledger, note: NoteFault): void {
  const { where, headers = {} } = document;
  const { clause, rule } = CACHING[kind];
  ledger.looked(clause, 'DD-T8');
  const { 'cache-control': own, 'cdn-cache-control': ofNetworks } = headers;
  const remedy = `Send Cache-Control and CDN-Cache-Control: ${rule}.`;
  if (!isSameRule(own, rule)) {
    const seen =
      own === undefined ? `The ${kind} has no Cache-Control.` : `The ${kind} has Cache-Control ${valueInMessage(own)}.`;
    note({ clause, where, seen, remedy });
  }
  if (ofNetworks === undefined) {
    note({ clause: 'DD-T8', where, seen: 'It has no CDN-Cache-Control.', remedy });
  } else if (!isSameRule(ofNetworks, rule)) {
    const seen = `The ${kind} has CDN-Cache-Control ${valueInMessage(ofNetworks)}.`;
    note({ clause, where, seen, remedy });
  }
}

function isSameRule(value: string | undefined, rule: string): boolean {
  const parts = (text: string) =>
    text
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .sort()
      .join();
  return value !== undefined && parts(value) === parts(rule);
}

function checkETag({ headers, where }: AnsweredDocument, cursor: unknown, ledger: Ledger, note: NoteFault): void {
  ledger.looked('DD-T1');
  const etag = headers?.etag;
  if (etag === undefined || !/^(?:W\/)?"[^"]*"$/.test(etag)) {
    const seen =
      etag === undefined ? 'It has no ETag.' : `Its ETag is ${valueInMessage(etag)}, without quotes of its own.`;
    note({ clause: 'DD-T1', where, seen, remedy: 'Send an ETag, best the cursor in quotes.' });
    return;
  }
  if (typeof cursor !== 'string') return;
  ledger.looked('DD-T2');
  const tag = etag.replace(/^W\//, '').slice(1, -1);
  // Later bytes with the same cursor, and compressed bytes, have a suffix (T-DD-7).
  if (tag === cursor || (tag.startsWith(cursor) && /^[^0-9a-z]/i.test(tag.slice(cursor.length)))) return;
  const seen = 'Its ETag is not the cursor in quotes.';
  note({ clause: 'DD-T2', where, seen, remedy: 'Send the cursor as ETag, unless a network makes its own.' });
}

function checkConditional(first: AnsweredDocument, again: AnsweredDocument, ledger: Ledger, note: NoteFault): void {
  const { where } = first;
  const { headers = {}, status, bytes } = again;
  const remedy = 'Answer If-None-Match with 304, no body, and the same ETag and Cache-Control.';
  if (status !== 304) {
    // A different ETag means a different file: a run happened in between.
    if (headers.etag !== first.headers?.etag) return;
    ledger.looked('DD-T6');
    const seen = `Asked again with its own ETag, it answers with status ${status} instead of 304.`;
    note({ clause: 'DD-T6', where, seen, remedy });
    return;
  }
  ledger.looked('DD-T6', 'DD-T13');
  if (bytes.length > 0) note({ clause: 'DD-T6', where, seen: 'Its 304 has a body.', remedy });
  const missing = ['etag', 'cache-control'].filter((name) => headers[name] === undefined);
  if (missing.length === 0) return;
  note({ clause: 'DD-T13', where, seen: `Its 304 has no ${missing.join(' and no ')}.`, remedy });
}

function checkLimits({ headers = {}, where }: AnsweredDocument, ledger: Ledger, note: NoteFault): void {
  ledger.looked('DD-U6');
  const remedy = 'Send Limit, Remaining and Reset, the last as a time in seconds since 1970.';
  const wrong = LIMITS.filter((name) => !/^\d{1,12}$/.test(headers[name] ?? ''));
  if (wrong.length > 0) {
    note({ clause: 'DD-U6', where, seen: `It has no usable ${wrong.join(', ')}.`, remedy });
    return;
  }
  const [limit = 0, remaining = 0, reset = 0] = LIMITS.map((name) => Number(headers[name]));
  if (remaining > limit)
    note({ clause: 'DD-U6', where, seen: `X-RateLimit-Remaining ${remaining} is above the limit ${limit}.`, remedy });
  const sentMs = Date.parse(headers.date ?? '');
  // Allow one second: the Date header is cut to whole seconds.
  if (reset * 1000 + 1000 >= (Number.isNaN(sentMs) ? 1_000_000_000_000 : sentMs)) return;
  note({ clause: 'DD-U6', where, seen: 'X-RateLimit-Reset is not a time to come.', remedy });
}

/** A static host cannot send them (T-DD-18). If all are missing, that is a hint; if some are present, all must be. */
function noteLimits(where: string, isOnOthers: boolean, ledger: Ledger): void {
  const remedy = 'Send X-RateLimit-Limit, -Remaining and -Reset with every feed.';
  if (isOnOthers) {
    ledger.note({ clause: 'DD-U6', where, seen: 'It has no X-RateLimit headers, others have.', remedy });
    return;
  }
  ledger.skipped('No response has X-RateLimit headers: a server must, a static host cannot.', 'DD-U6');
  const seen = 'No response has X-RateLimit headers. A static host cannot send them; a server must.';
  ledger.note({ clause: 'DD-U6', level: 'SHOULD', where, seen, remedy });
}
