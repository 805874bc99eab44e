import { FRESH_CACHE, IMMUTABLE_CACHE, MEDIA_TYPE } from '../../../codecs/diffdelta/wire.ts';
import { acceptableEncodings } from '../../../hub/http/accept-encoding.ts';
import { checkPreconditions } from '../../../hub/http/preconditions.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse } from '../../../hub/http/route.ts';
import type { RunFile } from './run-shelf.ts';

type Headers = Readonly<Record<string, string>>;

/** What is the same for all who ask for a file. */
interface ReadyFile {
  readonly etags: Readonly<Record<Form, string>>;
  readonly headers: Readonly<Record<Form, Headers>>;
  readonly notModified: Readonly<Record<Form, HubResponse>>;
  readonly isCompressed: boolean;
}

type Form = 'identity' | 'gzip';

const IDENTITY: readonly Form[] = ['identity'];
const readied = new WeakMap<RunFile, ReadyFile>();

/**
 * A head or a feed, or that it is the one that the client has. One ETag stands for one body: compressed bytes have their own,
 * and there are no parts of files that are replaced as a whole (T-DD-7).
 *
 * The objects that come back are shared: whoever sends them must not change them.
 */
export function answerRunFile(request: HubRequest, file: RunFile): HubResponse | Promise<HubResponse> {
  const ready = readied.get(file) ?? makeReady(file);
  readied.set(file, ready);
  const { headers } = request;
  const forms = formsFor(headers['accept-encoding'], ready);
  const isPlain = headers['if-match'] === undefined;
  for (const form of forms)
    if (isPlain && headers['if-none-match'] === ready.etags[form]) return ready.notModified[form];
  const condition = checkPreconditions(headers, {
    etags: forms.map((form) => ready.etags[form]),
    lastModifiedMs: undefined,
  });
  if (condition.kind === 'failed') return problem({ status: 412, detail: 'It is not as the request wants it to be.' });
  const [best = 'identity'] = forms;
  if (condition.kind === 'not-modified') {
    return ready.notModified[forms.find((form) => ready.etags[form] === condition.etag) ?? best];
  }
  const body = best === 'gzip' ? file.gzip() : file.read();
  return body instanceof Promise ? body.then((bytes) => whole(ready, best, bytes)) : whole(ready, best, body);
}

/** The best one first. Who refuses all of them gets the plain bytes all the same. */
function formsFor(acceptEncoding: string | undefined, { isCompressed }: ReadyFile): readonly Form[] {
  if (!isCompressed) return IDENTITY;
  const forms = acceptableEncodings(acceptEncoding).filter((encoding) => encoding !== 'br');
  return forms.length === 0 ? IDENTITY : forms;
}

/** What never changes. */
export function answerImmutable(bytes: Uint8Array): HubResponse {
  return {
    status: 200,
    headers: { ...caching(IMMUTABLE_CACHE), 'content-type': MEDIA_TYPE, 'content-length': String(bytes.length) },
    body: bytes,
  };
}

function whole(ready: ReadyFile, form: Form, bytes: Uint8Array): HubResponse {
  return { status: 200, headers: { ...ready.headers[form], 'content-length': String(bytes.length) }, body: bytes };
}

function makeReady({ etag, isCompressed }: RunFile): ReadyFile {
  const etags = { identity: etag, gzip: `${etag.slice(0, -1)}.gz"` };
  const kept = (form: Form): Headers => ({
    etag: etags[form],
    ...caching(FRESH_CACHE),
    ...(isCompressed && { vary: 'accept-encoding' }),
  });
  const headers = (form: Form): Headers => ({
    ...kept(form),
    'content-type': MEDIA_TYPE,
    ...(form === 'gzip' && { 'content-encoding': 'gzip' }),
  });
  const notModified = (form: Form): HubResponse => ({ status: 304, headers: kept(form) });
  return {
    etags,
    headers: { identity: headers('identity'), gzip: headers('gzip') },
    notModified: { identity: notModified('identity'), gzip: notModified('gzip') },
    isCompressed,
  };
}

function caching(rule: string): Headers {
  return { 'cache-control': rule, 'cdn-cache-control': rule };
}
