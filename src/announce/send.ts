import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { oneLine } from '../codecs/primitives/one-line.ts';
import { shorten } from '../codecs/primitives/shorten.ts';
import { FetchError } from '../errors/fetch-error.ts';
import type { HttpPoster, HttpResponse } from '../fetch/http-client.ts';
import { retryAfterMs } from '../fetch/response-headers.ts';
import type { AnnounceParcel } from './announcements.ts';

export interface SendPorts {
  readonly http: HttpPoster;
  wait(ms: number, signal: AbortSignal): Promise<void>;
  now(): number;
  readonly signal: AbortSignal;
}

/** How a target answered an announcement. */
export type Sent =
  | { readonly ok: true; readonly status: number; readonly isPage: boolean }
  | { readonly ok: false; readonly status?: number; readonly message: string };

/** The pauses before the second, third and fourth attempt. */
const PAUSES_MS = [1000, 5000, 15_000];
/** After a longer requested pause, the next run of announce tries again. */
const MOST_PAUSE_MS = 60_000;
const MOST_HOPS = 5;
const MOST_ANSWER_BYTES = 64 * 1024;
const MOST_SHOWN = 200;
const PASSES = [408, 425, 429];

/**
 * Sends until it is accepted, refused, or tried often enough. Temporary failures (429, 5xx, no connection) are retried, as late as the target asks;
 * an invalid request is not.
 */
export async function sendAnnouncement(
  to: URL,
  { body, contentType }: AnnounceParcel,
  ports: SendPorts,
): Promise<Sent> {
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    const tried = await attempt(to, { body, contentType }, ports);
    if (!('retryMs' in tried)) return tried;
    const { retryMs = 0, ...failed } = tried;
    if (pauseMs === undefined || ports.signal.aborted) return failed;
    if (retryMs > MOST_PAUSE_MS) {
      return { ...failed, message: `${failed.message} It asks for a pause of ${Math.ceil(retryMs / 1000)} s.` };
    }
    await ports.wait(Math.max(pauseMs, retryMs), ports.signal);
    if (ports.signal.aborted) return failed;
  }
  throw new Error('The last attempt returns.');
}

type Tried =
  | Sent
  | { readonly ok: false; readonly status?: number; readonly message: string; readonly retryMs: number };
type Parcel = Pick<AnnounceParcel, 'body' | 'contentType'>;

async function attempt(to: URL, parcel: Parcel, { http, now, signal }: SendPorts): Promise<Tried> {
  let url = to;
  try {
    for (let hops = 0; ; hops += 1) {
      const response = await http.post({
        url,
        body: parcel.body,
        headers: { 'content-type': parcel.contentType },
        maxBodyBytes: MOST_ANSWER_BYTES,
        signal,
      });
      const { status, headers } = response;
      const text = await answerText(response);
      if (status >= 200 && status < 300)
        return { ok: true, status, isPage: /\bhtml\b/i.test(headers['content-type'] ?? '') };
      const next = status === 307 || status === 308 ? nextUrl(url, headers.location) : undefined;
      if (next !== undefined && hops < MOST_HOPS) {
        url = next;
        continue;
      }
      const message = refusalText(status, text, headers.location);
      if (status < 500 && !PASSES.includes(status)) return { ok: false, status, message };
      return { ok: false, status, message, retryMs: retryAfterMs(headers, now()) ?? 0 };
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    const { message } = error;
    return error.recovery === 'retry-later' && !signal.aborted
      ? { ok: false, message, retryMs: 0 }
      : { ok: false, message };
  }
}

/** What was sent over TLS is not sent without it. */
function nextUrl(from: URL, location: string | undefined): URL | undefined {
  if (location === undefined || !canParseUrl(location, from)) return undefined;
  const next = new URL(location, from);
  const isDowngrade = from.protocol === 'https:' && next.protocol !== 'https:';
  return isDowngrade ? undefined : next;
}

function refusalText(status: number, text: string, location: string | undefined): string {
  const words = shorten(oneLine(text.replace(/<[^>]*>/g, ' ')), MOST_SHOWN);
  const where = location === undefined ? '' : ` It leads to ${shorten(oneLine(location), MOST_SHOWN)}.`;
  return `It answers ${status}${words === '' ? '.' : `: ${words}`}${where}`;
}

/** For people; empty if it cannot be read. */
async function answerText(response: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of response.body) pieces.push(piece);
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
  return new TextDecoder()
    .decode(pieces.length === 0 ? new Uint8Array() : Buffer.concat(pieces))
    .slice(0, 10 * MOST_SHOWN);
}
