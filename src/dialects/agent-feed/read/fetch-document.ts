import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FetchAbortedError, FetchError, RedirectRefusedError } from '../../../errors/fetch-error.ts';
import { LONGEST_HOST_PAUSE_MS } from '../../../fetch/host-pauses.ts';
import type { HttpClient, HttpHeaders } from '../../../fetch/http-client.ts';
import { readBytes } from '../../../fetch/read-text.ts';
import { conditionalHeaders, retryAfterMs, type Validators, validatorsOf } from '../../../fetch/response-headers.ts';

export interface DocumentRequest {
  readonly http: HttpClient;
  readonly url: URL;
  readonly accept: string;
  readonly maxBodyBytes: number;
  readonly nowMs: number;
  /** Validators of the copy held already. With them, 304 is an answer too. */
  readonly validators?: Validators | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type Fetched =
  | {
      readonly is: 'document';
      readonly bytes: Uint8Array;
      /** Undefined if the bytes are not UTF-8. */
      readonly text: string | undefined;
      readonly headers: HttpHeaders;
      readonly validators: Validators;
    }
  | { readonly is: 'unchanged'; readonly headers: HttpHeaders }
  | Unfetched;

/** The document was not fetched. Nothing may be concluded from that. */
export interface Unfetched {
  readonly is: 'unfetched';
  readonly reason: string;
  /** The end of the pause that the origin asked for. */
  readonly pausedUntilMs?: number;
  /** The origin had asked for a pause before, and nothing was sent. */
  readonly isUnasked?: boolean;
}

/** The pause after a 429 without Retry-After. */
const PAUSE_MS = 60_000;

/** Fetches one well-known document from its origin only: a redirect to another origin is refused (T-AF-32). */
export async function fetchDocument(request: DocumentRequest): Promise<Fetched> {
  try {
    return await ask(request);
  } catch (error) {
    if (error instanceof FetchAbortedError || !(error instanceof FetchError)) throw error;
    const { message: reason } = error;
    if (!(error instanceof HostPausedError)) return { is: 'unfetched', reason };
    return { is: 'unfetched', reason, isUnasked: true, ...pauseOf(request.nowMs, error.retryAfterMs) };
  }
}

async function ask(request: DocumentRequest): Promise<Fetched> {
  const { http, url, accept, maxBodyBytes, nowMs, validators = {}, signal } = request;
  const conditions = conditionalHeaders(validators);
  const response = await http.get({
    url,
    headers: { accept, ...conditions },
    maxBodyBytes,
    ...(signal !== undefined && { signal }),
    async beforeHop(hop) {
      if (hop.origin !== url.origin)
        throw new RedirectRefusedError(url, `it redirects to another origin, ${hop.origin}`);
    },
  });
  const { status, headers } = response;
  if (status === 200) {
    const bytes = await readBytes(response, { maxBytes: maxBodyBytes });
    return { is: 'document', bytes, text: utf8Text(bytes), headers, validators: validatorsOf(headers) };
  }
  await response.discard();
  if (status === 304 && Object.keys(conditions).length > 0) return { is: 'unchanged', headers };
  const pauseMs = retryAfterMs(headers, nowMs);
  const asksForPause = status === 429 || (status === 503 && pauseMs !== undefined);
  return {
    is: 'unfetched',
    reason: `${url.href} answered with status ${status}.`,
    ...(asksForPause && pauseOf(nowMs, pauseMs ?? PAUSE_MS)),
  };
}

function pauseOf(nowMs: number, pauseMs: number): { pausedUntilMs: number } {
  return { pausedUntilMs: nowMs + Math.min(pauseMs, LONGEST_HOST_PAUSE_MS) };
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
