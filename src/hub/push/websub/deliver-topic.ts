import { encodeHubLinks } from '../../../codecs/websub/links.ts';
import { HUB_SIGNATURE_HEADER, hubSignature } from '../../../codecs/websub/signature.ts';
import { FetchError } from '../../../errors/fetch-error.ts';
import type { HttpPoster } from '../../../fetch/http-client.ts';
import { retryAfterMs } from '../../../fetch/response-headers.ts';
import type { TopicDocument } from './topic-document.ts';
import type { ActiveSubscription } from './websub-store.ts';

/** The result of a delivery. 410 is the only answer that ends a subscription. */
export interface TopicDelivered {
  readonly is: 'delivered' | 'failed' | 'gone';
  /** A status, or the name of an error. */
  readonly outcome: string;
  readonly retryAfterMs?: number;
}

export interface TopicDelivery {
  readonly to: ActiveSubscription;
  readonly document: TopicDocument;
  readonly links: { readonly hub: string; readonly self: string };
  readonly signal: AbortSignal;
  readonly nowMs: number;
}

const DEADLINE_MS = 10_000;
/** More of the answer is not read; its content does not matter. */
const ANSWER_BYTES = 64 * 1024;

/** Sends a document to one subscriber, once. */
export async function deliverTopic(
  http: HttpPoster,
  { to, document, links, signal, nowMs }: TopicDelivery,
): Promise<TopicDelivered> {
  const { bytes, mediaType } = document;
  const { callback, secret, method } = to;
  try {
    const answer = await http.post({
      url: new URL(callback),
      body: bytes,
      signal,
      deadlineMs: DEADLINE_MS,
      maxBodyBytes: ANSWER_BYTES,
      headers: {
        'content-type': mediaType,
        link: encodeHubLinks(links),
        ...(secret !== undefined && { [HUB_SIGNATURE_HEADER]: hubSignature(method, secret, bytes) }),
      },
    });
    // Not awaited: the status has already arrived, however long the body takes.
    void answer.discard();
    const { status, headers } = answer;
    const outcome = String(status);
    if (status >= 200 && status < 300) return { is: 'delivered', outcome };
    if (status === 410) return { is: 'gone', outcome };
    const afterMs = retryAfterMs(headers, nowMs);
    return { is: 'failed', outcome, ...(afterMs !== undefined && { retryAfterMs: afterMs }) };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { is: 'failed', outcome: error.name };
  }
}
