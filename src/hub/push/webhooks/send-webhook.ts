import { decodeWebhookSecret } from '../../../codecs/webhooks/secret.ts';
import { signWebhook, type WebhookToSign } from '../../../codecs/webhooks/sign.ts';
import { FetchAbortedError } from '../../../errors/fetch-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { HttpPoster, HttpResponse } from '../../../fetch/http-client.ts';
import { retryAfterMs } from '../../../fetch/response-headers.ts';
import type { AttemptOutcome, StoredSecret } from './subscription.ts';

export interface WebhookToSend {
  readonly url: string;
  /** `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly contentType: string;
  readonly secrets: readonly StoredSecret[];
  readonly signal: AbortSignal;
}

/** The result of an attempt. */
export interface WebhookAnswer {
  readonly outcome: AttemptOutcome;
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number;
  /** The first bytes of the answer; absent where there was no answer. */
  readonly bytes?: Uint8Array;
  readonly error?: { readonly code: string; readonly message: string };
  readonly retryAfterMs?: number;
}

export interface WebhookWay {
  /** The guarded HTTP client. */
  readonly http: HttpPoster;
  now(): number;
}

/** For a whole attempt (SW-D6). */
const ATTEMPT_MS = 20_000;
/** No more of an answer is read. */
const MOST_ANSWER_BYTES = 1024;

/**
 * One attempt: signed anew, sent once. Only 200 to 299 is success; redirects are not followed. Undefined if the signal ended it: then it does not count, and
 * is sent again.
 */
export async function sendWebhook(message: WebhookToSend, ports: WebhookWay): Promise<WebhookAnswer | undefined> {
  const { id, body, contentType, signal } = message;
  const atMs = ports.now();
  const took = () => ({ atMs, tookMs: Math.max(0, ports.now() - atMs) });
  const timestampSeconds = Math.floor(atMs / 1000);
  const secrets = signingSecrets(message.secrets, atMs);
  const headers = {
    'content-type': contentType,
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signWebhook({ id, timestampSeconds, body, secrets }),
    'accept-encoding': 'identity',
  };
  try {
    const url = new URL(message.url);
    const answer = await ports.http.post({ url, headers, body, deadlineMs: ATTEMPT_MS, signal });
    const { status } = answer;
    const bytes = await firstBytes(answer);
    if (status >= 200 && status <= 299) return { outcome: 'delivered', status, bytes, ...took() };
    const pauseMs = retryAfterMs(answer.headers, ports.now());
    return {
      outcome: status === 410 ? 'gone' : 'failed',
      status,
      bytes,
      error: { code: 'StatusError', message: statusMessage(status) },
      ...took(),
      ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    };
  } catch (error) {
    if (error instanceof FetchAbortedError) return undefined;
    if (!(error instanceof TidingsError)) throw error;
    return { outcome: 'failed', error: { code: error.name, message: error.message }, ...took() };
  }
}

/** The current secret, and a rotated one while it is still valid. */
function signingSecrets(secrets: readonly StoredSecret[], nowMs: number): WebhookToSign['secrets'] {
  return secrets
    .filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > nowMs)
    .flatMap(({ secret }) => {
      const decoded = decodeWebhookSecret(secret);
      return decoded.ok ? [decoded.value] : [];
    });
}

/** The status alone decides: an answer that breaks off after it changes nothing. */
async function firstBytes(answer: HttpResponse): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of answer.body) {
      pieces.push(piece);
      length += piece.length;
      if (length > MOST_ANSWER_BYTES) break;
    }
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
  }
  return Buffer.concat(pieces).subarray(0, MOST_ANSWER_BYTES + 1);
}

function statusMessage(status: number): string {
  if (status >= 300 && status <= 399)
    return `It answered ${status}. Redirects are not followed: give the address itself.`;
  return status === 410 ? 'It answered 410: it is gone for good.' : `It answered ${status}.`;
}
