import { hash } from 'node:crypto';
import { CONTENT_DIGEST, REPR_DIGEST } from '../../codecs/http-digest/http-digest.ts';
import type { HubResponse, Route } from './route.ts';

/** Larger parts have no digest, because it would be computed for each request. */
const MAX_PART_BYTES = 256 * 1024;

type Fields = Readonly<Record<string, string>>;

/** By body, and by the headers that all answers with one form of a document share. */
interface KnownDigests {
  readonly ofBytes: WeakMap<Uint8Array, string>;
  readonly ofForm: WeakMap<HubResponse['headers'], string>;
}

/**
 * Routes whose documents carry their digest (RFC 9530), of the bytes as they are sent: gzip has another one than the plain form. It is computed once per form
 * of a document. Bodies streamed from the disk have none.
 *
 * A proxy that changes the bytes on the way, for example by compressing them, makes them look broken: digests must then be switched off.
 */
export function withDigests(routes: readonly Route[]): readonly Route[] {
  const known: KnownDigests = { ofBytes: new WeakMap(), ofForm: new WeakMap() };
  return routes.map((route) => {
    if (route.method !== 'GET') return route;
    return {
      ...route,
      handle(request) {
        const answer = route.handle(request);
        return answer instanceof Promise ? answer.then((late) => digested(late, known)) : digested(answer, known);
      },
    };
  });
}

/** For HEAD: without content there is no content digest (RFC 9530 §2). */
export function withoutContentDigest(answer: HubResponse): HubResponse {
  const { headers, also } = answer;
  if (also?.[CONTENT_DIGEST] !== undefined) return { ...answer, also: without(also) };
  return headers[CONTENT_DIGEST] === undefined ? answer : { ...answer, headers: without(headers) };
}

function without({ [CONTENT_DIGEST]: _, ...others }: Fields): Fields {
  return others;
}

function digested(answer: HubResponse, known: KnownDigests): HubResponse {
  const { status, body } = answer;
  if (!(body instanceof Uint8Array)) return answer;
  if (status === 200) {
    const digest = wholeDigest(answer, body, known);
    return withFields(answer, { [CONTENT_DIGEST]: digest, [REPR_DIGEST]: digest });
  }
  if (status !== 206 || body.length > MAX_PART_BYTES) return answer;
  const whole = known.ofForm.get(answer.headers);
  return withFields(answer, { [CONTENT_DIGEST]: digestOf(body), ...(whole !== undefined && { [REPR_DIGEST]: whole }) });
}

function wholeDigest({ headers, also }: HubResponse, bytes: Uint8Array, { ofBytes, ofForm }: KnownDigests): string {
  // The plain bytes of a feed are cut out of longer ones for each request; they are the same while their headers are.
  const isPlain = also !== undefined && headers['content-encoding'] === undefined;
  const digest = (isPlain ? ofForm.get(headers) : undefined) ?? ofBytes.get(bytes) ?? digestOf(bytes);
  ofBytes.set(bytes, digest);
  ofForm.set(headers, digest);
  return digest;
}

/** Headers that many answers share stay the same object. */
function withFields(answer: HubResponse, fields: Fields): HubResponse {
  const { headers, also } = answer;
  return also === undefined
    ? { ...answer, headers: { ...headers, ...fields } }
    : { ...answer, also: { ...also, ...fields } };
}

function digestOf(bytes: Uint8Array): string {
  return `sha-256=:${hash('sha256', bytes, 'base64')}:`;
}
