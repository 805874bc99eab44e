import { withHubParameters } from '../../../codecs/websub/hub-url.ts';
import { FetchError, RedirectRefusedError } from '../../../errors/fetch-error.ts';
import type { HttpClient, HttpResponse } from '../../../fetch/http-client.ts';
import type { PendingIntent } from './websub-store.ts';

/** The result of a request to a callback. `again`: it may be worth another try. */
export interface CallbackAnswer {
  readonly isConfirmed: boolean;
  /** A status, the name of an error, or what was wrong with the body. */
  readonly outcome: string;
  readonly again?: boolean;
}

export interface CallbackQuestion {
  readonly pending: PendingIntent;
  readonly challenge: string;
  readonly signal: AbortSignal;
}

const DEADLINE_MS = 10_000;
/** A little more than the challenge, to notice longer answers. */
const SURPLUS_BYTES = 64;
const EMPTY = new Uint8Array(0);

/** Asks whether a subscriber wants what was requested in its name: it agrees if its answer is exactly the challenge. */
export async function askCallback(http: HttpClient, question: CallbackQuestion): Promise<CallbackAnswer> {
  const { pending, challenge, signal } = question;
  const url = withHubParameters(pending.callback, {
    'hub.mode': pending.mode,
    'hub.topic': pending.topic,
    'hub.challenge': challenge,
    'hub.lease_seconds': pending.mode === 'subscribe' ? String(pending.leaseSeconds) : undefined,
    'hub.verify_token': pending.verifyToken,
  });
  return await exchanged(async () => {
    const maxBodyBytes = challenge.length + SURPLUS_BYTES;
    const answer = await get(http, { url, signal, maxBodyBytes });
    const { status } = answer;
    if (status < 200 || status > 299) {
      await answer.discard();
      return { isConfirmed: false, outcome: String(status), again: status >= 500 || status === 429 };
    }
    const body = await bodyOf(answer, maxBodyBytes);
    if (body === challenge) return { isConfirmed: true, outcome: String(status) };
    const isSpaced = body.trim() === challenge;
    return { isConfirmed: false, outcome: isSpaced ? 'white space around the challenge' : 'not the challenge' };
  });
}

/** Tells a subscriber that its subscription is denied or has ended. Its answer does not count. */
export async function tellDenied(
  http: HttpClient,
  { pending, signal }: Omit<CallbackQuestion, 'challenge'>,
): Promise<CallbackAnswer> {
  const { callback, topic, reason } = pending;
  const url = withHubParameters(callback, { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.reason': reason });
  return await exchanged(async () => {
    const answer = await get(http, { url, signal, maxBodyBytes: SURPLUS_BYTES });
    await answer.discard();
    return { isConfirmed: true, outcome: String(answer.status) };
  });
}

interface Asked {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly maxBodyBytes: number;
}

/** A redirect is an answer like any other: its target was not asked for. */
async function get(http: HttpClient, { url: text, signal, maxBodyBytes }: Asked): Promise<HttpResponse> {
  const url = new URL(text);
  let hops = 0;
  return await http.get({
    url,
    signal,
    maxBodyBytes,
    deadlineMs: DEADLINE_MS,
    headers: { 'accept-encoding': 'identity', accept: 'text/plain, */*;q=0.1' },
    beforeHop: async () => {
      hops += 1;
      if (hops > 1) throw new RedirectRefusedError(url, 'a callback must answer itself');
    },
  });
}

/** As text, byte for byte: only ASCII can equal a challenge. */
async function bodyOf(answer: HttpResponse, maxBodyBytes: number): Promise<string> {
  let body = EMPTY;
  for await (const piece of answer.body) {
    const whole = new Uint8Array(body.length + piece.length);
    whole.set(body);
    whole.set(piece, body.length);
    body = whole;
    if (body.length > maxBodyBytes) break;
  }
  return String.fromCharCode(...body.subarray(0, maxBodyBytes + 1));
}

async function exchanged(exchange: () => Promise<CallbackAnswer>): Promise<CallbackAnswer> {
  try {
    return await exchange();
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { isConfirmed: false, outcome: error.name, again: error.recovery === 'retry-later' };
  }
}
