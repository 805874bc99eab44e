import { hash } from 'node:crypto';
import { CONTENT_DIGEST, REPR_DIGEST } from '../../codecs/http-digest/http-digest.ts';
import type { HubResponse, Route } from './route.ts';

/** Parts above this go without a digest of their own: it would be made anew for each who asks. */
const MAX_PART_BYTES = 256 * 1024;

type Fields = Readonly<Record<string, string>>;

/** By body, and by the headers that all answers with a form of a document share. */
interface KnownDigests {
  readonly ofBytes: WeakMap<Uint8Array, string>;
  readonly ofForm: WeakMap<HubResponse['headers'], string>;
}

/**
 * Routes whose documents name their digest (RFC 9530), of the bytes as they leave: those of gzip are others than the plain ones. It is
 * made once for each form of a document. What is streamed from the disk has none.
 *
 * Whoever changes the bytes on the way, as a proxy does that compresses, makes them look broken: then there is to be none.
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

/** To HEAD, which brings no content: there is none that would have a digest (RFC 9530 §2). */
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
  // The plain bytes of a feed are cut out of longer ones for each who asks; they are the same while their headers are.
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
