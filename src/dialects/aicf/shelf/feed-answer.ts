import { FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import { acceptableEncodings } from '../../../hub/http/accept-encoding.ts';
import { byteRange } from '../../../hub/http/byte-range.ts';
import { checkPreconditions, isRangeCurrent } from '../../../hub/http/preconditions.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse } from '../../../hub/http/route.ts';
import { EMPTY_FEED } from './empty-feed.ts';
import type { EncodedFeed, FeedEncoding, FeedVersion } from './feed-shelf.ts';

export interface FeedAnswerOptions {
  readonly cacheControl: string;
  readonly now: () => number;
}

export type AnswerFeed = (request: HubRequest, version: FeedVersion) => HubResponse | Promise<HubResponse>;

type Headers = Readonly<Record<string, string>>;

/** What is the same for all who ask for a version. */
interface ReadyFeed {
  readonly version: FeedVersion;
  readonly date: FeedDate;
  readonly etags: Readonly<Record<FeedEncoding, string>>;
  readonly headers: Readonly<Record<FeedEncoding, Headers>>;
  readonly notModified: Readonly<Record<FeedEncoding, HubResponse>>;
}

const FORMS: readonly FeedEncoding[] = ['identity', 'gzip', 'br'];
const PLAIN: readonly FeedEncoding[] = ['identity'];
const SECOND_MS = 1000;
/** A change is in its feed a moment after the time that it carries. */
const RECENT_MS = 2 * SECOND_MS;

/**
 * Answers for versions of feeds: whole or a part, plain or compressed, or that nothing is new.
 *
 * "Nothing new" is the answer that is given most, so all that it needs is made once per version; it touches no disk and is
 * no promise. The objects that come back are shared: whoever sends them must not change them.
 */
export function createFeedAnswers(options: FeedAnswerOptions): AnswerFeed {
  const readied = new WeakMap<FeedVersion, ReadyFeed>();

  return (request, version) => {
    const known = readied.get(version);
    if (known?.date.isSettled) return answer(request, known);
    const date = dateOf(version.lastModifiedMs, options.now());
    const isAsKnown = known?.date.shownMs === date.shownMs && known?.date.isSettled === date.isSettled;
    const ready = known !== undefined && isAsKnown ? known : makeReady(version, date, options.cacheControl);
    readied.set(version, ready);
    return answer(request, ready);
  };
}

function answer({ headers, method }: HubRequest, ready: ReadyFeed): HubResponse | Promise<HubResponse> {
  const { version, date, etags } = ready;
  const range = method === 'GET' ? headers.range : undefined;
  const accepted = acceptableEncodings(headers['accept-encoding']);
  // Who asks for a part has the beginning in whatever form it came: the bytes behind it are the same.
  const forms = range === undefined ? accepted : FORMS;

  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined && headers['if-match'] === undefined && headers['if-unmodified-since'] === undefined) {
    for (const form of forms) if (etags[form] === ifNoneMatch) return ready.notModified[form];
  }
  const condition = checkPreconditions(headers, {
    etags: forms.map((form) => etags[form]),
    lastModifiedMs: date.ms,
    isRecent: !date.isSettled,
  });
  if (condition.kind === 'failed')
    return problem({ status: 412, detail: 'The feed is not as the request wants it to be.' });
  if (condition.kind === 'not-modified') {
    const form = forms.find((each) => etags[each] === condition.etag) ?? accepted[0] ?? 'identity';
    return ready.notModified[form];
  }

  if (range === undefined) return whole(ready, version === EMPTY_FEED ? PLAIN : accepted, method);
  const part = isRangeCurrent(headers['if-range'], etags.identity, date.isSettled ? date.ms : undefined)
    ? byteRange(range, version.bytes)
    : undefined;
  if (part === undefined) return whole(ready, PLAIN, method);
  if (part === 'unsatisfiable') {
    const detail = `The feed has ${version.bytes} bytes.`;
    return problem({ status: 416, detail }, { 'content-range': `bytes */${version.bytes}`, 'accept-ranges': 'bytes' });
  }
  const partHeaders = {
    ...ready.headers.identity,
    'content-length': String(part.end - part.start),
    'content-range': `bytes ${part.start}-${part.end - 1}/${version.bytes}`,
  };
  return withBody(206, partHeaders, version.read(part.start, part.end));
}

/** In the first of these forms that the feed is kept in. */
function whole(ready: ReadyFeed, forms: readonly FeedEncoding[], method: string): HubResponse | Promise<HubResponse> {
  const [form, ...others] = forms;
  if (form === undefined) {
    return problem({ status: 406, detail: 'The feed can be had as it is, in gzip, or, while it is small, in br.' });
  }
  const { version } = ready;
  if (form === 'identity') {
    const headers = { ...ready.headers.identity, 'content-length': String(version.bytes) };
    return method === 'HEAD' ? { status: 200, headers } : withBody(200, headers, version.read(0, version.bytes));
  }
  const asEncoded = (encoded: EncodedFeed | undefined) => {
    if (encoded === undefined) return whole(ready, others, method);
    const headers = { ...ready.headers[form], 'content-length': String(encoded.bytes) };
    return method === 'HEAD' ? { status: 200, headers } : { status: 200, headers, body: encoded.body };
  };
  const encoded = version.encoded(form);
  return encoded instanceof Promise ? encoded.then(asEncoded) : asEncoded(encoded);
}

function withBody(
  status: number,
  headers: Headers,
  body: ReturnType<FeedVersion['read']>,
): HubResponse | Promise<HubResponse> {
  return body instanceof Promise ? body.then((bytes) => ({ status, headers, body: bytes })) : { status, headers, body };
}

/** The date of a version, in whole seconds. */
interface FeedDate {
  readonly ms: number | undefined;
  /** What readers are told. */
  readonly shownMs: number | undefined;
  /** Whether no other version will have this date. Until then it answers no condition. */
  readonly isSettled: boolean;
}

/**
 * What can honestly be said about the date of a version.
 *
 * Another version may come within the same second. Until that is over the second before is shown, so that whoever asks
 * with this date learns of it later (RFC 9110 §8.8.2.2). Of a date that is still to come nothing is said (§8.8.2.1).
 */
export function dateOf(ms: number | undefined, nowMs: number): FeedDate {
  if (ms === undefined) return { ms, shownMs: undefined, isSettled: true };
  const second = Math.floor(ms / SECOND_MS) * SECOND_MS;
  if (nowMs < second) return { ms: undefined, shownMs: undefined, isSettled: false };
  const isSettled = nowMs >= ms + RECENT_MS;
  return { ms: second, shownMs: isSettled ? second : second - SECOND_MS, isSettled };
}

function makeReady(version: FeedVersion, date: FeedDate, cacheControl: string): ReadyFeed {
  const etags = { identity: version.etagOf('identity'), gzip: version.etagOf('gzip'), br: version.etagOf('br') };
  const caching = (form: FeedEncoding): Headers => ({
    etag: etags[form],
    'cache-control': cacheControl,
    vary: 'accept-encoding',
    ...(date.shownMs !== undefined && { 'last-modified': new Date(date.shownMs).toUTCString() }),
  });
  const headersOf = (form: FeedEncoding): Headers => ({
    ...caching(form),
    'content-type': FEED_MEDIA_TYPE,
    'accept-ranges': 'bytes',
    ...(form !== 'identity' && { 'content-encoding': form }),
  });
  const notModified = (form: FeedEncoding): HubResponse => ({ status: 304, headers: caching(form) });
  return {
    version,
    date,
    etags,
    headers: { identity: headersOf('identity'), gzip: headersOf('gzip'), br: headersOf('br') },
    notModified: { identity: notModified('identity'), gzip: notModified('gzip'), br: notModified('br') },
  };
}
