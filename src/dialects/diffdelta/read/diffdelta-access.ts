import { KEY_HEADER } from '../../../codecs/diffdelta/wire.ts';
import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import type { Result } from '../../../codecs/primitives/result.ts';
import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { HttpResponse } from '../../../fetch/http-client.ts';
import { pauseOf } from '../../../fetch/pauses.ts';
import { readBodyText } from '../../../fetch/read-text.ts';
import { conditionalHeaders, maxAgeMs, type Validators, validatorsOf } from '../../../fetch/response-headers.ts';
import { warn } from '../../diagnostic.ts';
import type { ReaderPorts } from '../../reader.ts';
import { refusal } from '../../refusal.ts';

/** How to request documents of a DiffDelta service. */
export interface Access {
  readonly ports: ReaderPorts;
  /** Sent only to this origin, which the user named (DD-U2). */
  readonly key?: { readonly value: string; readonly origin: string };
  /** The entries of all feeds of the service. The same pages may have items in several of them. */
  readonly siblings?: readonly string[];
}

export interface DocumentQuestion {
  readonly maxBytes: number;
  /** While they match the document, the answer is `unchanged`. */
  readonly validators?: Validators | undefined;
  /** Bypasses every cache on the way. */
  readonly isFresh?: boolean;
}

export interface Document {
  /** The final URL after redirects. URLs in the document are relative to it. */
  readonly url: URL;
  readonly text: string;
  readonly validators: Validators;
  readonly maxAgeMs: number | undefined;
}

/** Feeds may be long, and servers slow. */
const DEADLINE_MS = 5 * 60_000;

/** Throws a {@link FeedUnreadableError} for every status except 200 and a requested 304. */
export async function getDocument(
  url: string,
  { maxBytes, validators = {}, isFresh = false }: DocumentQuestion,
  access: Access,
): Promise<Document | 'unchanged'> {
  const { ports } = access;
  const asked = new URL(url);
  const secretHeaders = keyHeadersFor(asked, access);
  const response = await askPatiently(asked, access, () =>
    ports.http.get({
      url: asked,
      headers: {
        accept: 'application/json, */*;q=0.1',
        ...conditionalHeaders(validators),
        ...(isFresh && { 'cache-control': 'no-cache' }),
      },
      ...(secretHeaders !== undefined && { secretHeaders }),
      maxBodyBytes: maxBytes,
      deadlineMs: DEADLINE_MS,
      signal: ports.signal,
    }),
  );
  if (secretHeaders !== undefined) reportLeft(asked, response, ports);
  if (response.status === 304 && Object.keys(validators).length > 0) {
    await response.discard();
    return 'unchanged';
  }
  if (response.status !== 200) throw await refusal(response, url, ports);
  const { url: found, headers } = response;
  const text = await readBodyText(response, { maxBytes });
  return { url: found, text, validators: validatorsOf(headers), maxAgeMs: maxAgeMs(headers) };
}

/** The value. Throws a {@link FeedUnreadableError} that cites what is wrong. */
export function ensureDecoded<T>(decoded: Result<T>, url: string, what: string): T {
  if (decoded.ok) return decoded.value;
  const issues = decoded.issues.map(({ clause, message }) => `${clause}: ${message}`).join(' ');
  throw new FeedUnreadableError(url, `is no DiffDelta ${what}. ${issues}`);
}

/** A URL in a document, made absolute; undefined if it has another origin or is not a URL (T-DD-23). */
export function sameOriginUrl(named: string, base: URL): string | undefined {
  if (!canParseUrl(named, base.href)) return undefined;
  const url = new URL(named, base);
  url.hash = '';
  return url.origin === base.origin ? url.href : undefined;
}

function keyHeadersFor(url: URL, { key }: Access): Readonly<Record<string, string>> | undefined {
  return key?.origin === url.origin ? { [KEY_HEADER]: key.value } : undefined;
}

/** Asks again after each pause that can be waited out. */
async function askPatiently(
  { origin }: URL,
  { ports }: Access,
  ask: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { pauses, now } = ports;
  if (pauses === undefined) return await ask();
  for (let hasWaited = false; ; hasWaited = true) {
    await pauses.beforeAsking(origin);
    try {
      const response = await ask();
      if (response.status !== 429) {
        pauses.note(origin, response.headers);
        return response;
      }
      const pauseMs = pauseOf(response.headers, now());
      if (!pauses.canWaitOut(pauseMs)) return response;
      await response.discard();
      await pauses.waitOut(pauseMs);
    } catch (error) {
      // The client may leave the origin alone for longer than it asked.
      const isRest = error instanceof HostPausedError && hasWaited && pauses.canWaitOut(error.retryAfterMs);
      if (!isRest) throw error;
      await pauses.waitOut(error.retryAfterMs);
    }
  }
}

/** A user who pays for an origin should know when another one answers. */
function reportLeft(asked: URL, { url }: HttpResponse, ports: ReaderPorts): void {
  if (url.origin === asked.origin) return;
  const message = `${asked.href} leads to ${url.origin}, which is asked without the API key: that is for ${asked.origin} alone.`;
  warn(ports, 'source-status', message);
}
