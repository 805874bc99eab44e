import { canParseUrl } from '../../../codecs/primitives/can-parse-url.ts';
import { encodeForm } from '../../../codecs/websub/form.ts';
import { HUB_FORM_TYPE } from '../../../codecs/websub/hub-request.ts';
import { FetchError } from '../../../errors/fetch-error.ts';
import type { HttpPoster, HttpResponse } from '../../../fetch/http-client.ts';
import { readBytes } from '../../../fetch/read-text.ts';
import { WISHED_LEASE_SECONDS } from './lease.ts';

export interface HubQuestion {
  readonly mode: 'subscribe' | 'unsubscribe';
  readonly topic: string;
  readonly callback: string;
  readonly secret?: string | undefined;
}

export interface HubConsent {
  /** The address of the hub from now on: over https if that works, and after permanent redirects. */
  readonly hubUrl: string;
  /** Whether the hub that accepts was given the secret. */
  readonly knowsSecret?: true;
  /** Why it refuses; absent if it accepts. */
  readonly refusal?: string;
}

export interface HubWay {
  readonly poster: HttpPoster;
  readonly signal: AbortSignal;
  /** Secrets may go over plain http, and hubs may be on this machine: for tests. */
  readonly allowPrivate: boolean;
}

const MAX_HOPS = 5;
const DEADLINE_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const SHOWN = 200;
/** The specification names only 307 and 308; hubs use the others too, with the same meaning. */
const REDIRECTS = [301, 302, 307, 308];
const FOR_GOOD = [301, 308];

/**
 * Asks a hub to begin or end a subscription (WebSub, 5.1). Redirects are followed by hand with the same form. A hub with an http address is asked over https
 * first; it gets no secret over http. Errors of the hub are returned, not thrown.
 */
export async function askHub(hubUrl: string, question: HubQuestion, way: HubWay): Promise<HubConsent> {
  if (hubUrl.startsWith('http:')) {
    const secured = await hops(`https:${hubUrl.slice('http:'.length)}`, question, way);
    if (secured.refusal === undefined) return secured;
  }
  return await hops(hubUrl, question, way);
}

async function hops(start: string, question: HubQuestion, way: HubWay): Promise<HubConsent> {
  let url = new URL(start);
  let hubUrl = start;
  let isForGood = true;
  for (let hop = 0; hop <= MAX_HOPS; hop += 1) {
    const response = await post(url, question, way);
    if (typeof response === 'string') return { hubUrl: start, refusal: response };
    const { status, headers } = response;
    if (status >= 200 && status < 300) {
      await response.discard();
      return { hubUrl, ...(maySendSecret(url, question, way) && { knowsSecret: true }) };
    }
    const location = headers.location ?? '';
    if (!REDIRECTS.includes(status) || !canParseUrl(location, url.href)) {
      return { hubUrl: start, refusal: await refusalIn(response) };
    }
    await response.discard();
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:' && !way.allowPrivate) {
      return { hubUrl: start, refusal: `The hub redirects from https to ${next.href.slice(0, SHOWN)}.` };
    }
    url = next;
    isForGood &&= FOR_GOOD.includes(status);
    if (isForGood) hubUrl = url.href;
  }
  return { hubUrl: start, refusal: `The hub redirects more than ${MAX_HOPS} times.` };
}

/** A text says why there is no answer. */
async function post(url: URL, question: HubQuestion, way: HubWay): Promise<HttpResponse | string> {
  const { mode, topic, callback, secret = '' } = question;
  const { poster, signal } = way;
  const body = encodeForm([
    ['hub.mode', mode],
    ['hub.topic', topic],
    ['hub.callback', callback],
    ...(mode === 'subscribe' ? [['hub.lease_seconds', String(WISHED_LEASE_SECONDS)] as const] : []),
    ...(maySendSecret(url, question, way) ? [['hub.secret', secret] as const] : []),
  ]);
  try {
    return await poster.post({
      url,
      headers: { 'content-type': HUB_FORM_TYPE },
      body,
      maxBodyBytes: MAX_ANSWER_BYTES,
      deadlineMs: DEADLINE_MS,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof FetchError) return error.message;
    throw error;
  }
}

function maySendSecret({ protocol }: URL, { mode, secret }: HubQuestion, { allowPrivate }: HubWay): boolean {
  return secret !== undefined && mode === 'subscribe' && (protocol === 'https:' || allowPrivate);
}

async function refusalIn(response: HttpResponse): Promise<string> {
  const { status } = response;
  const words = await readBytes(response, { maxBytes: MAX_ANSWER_BYTES }).then(
    (bytes) => new TextDecoder().decode(bytes.subarray(0, SHOWN)),
    () => '',
  );
  const shown = words.replace(/[\p{C}\s]+/gu, ' ').trim();
  return `The hub answered with status ${status}${shown === '' ? '.' : `: ${shown}`}`;
}
