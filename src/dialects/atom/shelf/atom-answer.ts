import { acceptableEncodings } from '../../../hub/http/accept-encoding.ts';
import { checkPreconditions } from '../../../hub/http/preconditions.ts';
import { problem } from '../../../hub/http/problem.ts';
import type { HubRequest, HubResponse } from '../../../hub/http/route.ts';
import { dateOf } from '../../aicf/shelf/feed-answer.ts';

/** A feed or an archive as it is served now. */
export interface AtomDocument {
  /** Strong, quoted, of the plain bytes. */
  readonly etag: string;
  /** When its newest entry or its head came; absent while it has no entry. */
  readonly lastModifiedMs?: number;
  /** Whether it can be had in gzip: not where it is small. */
  readonly isCompressed: boolean;
  /** Its entries stay as they are. */
  readonly isArchive: boolean;
  read(): Uint8Array;
  /** The same in gzip, where `isCompressed`; at once where it is in memory. */
  gzip(): Uint8Array | Promise<Uint8Array>;
}

export interface AtomAnswerOptions {
  readonly cacheControl: string;
  readonly now: () => number;
}

type Form = 'identity' | 'gzip';

export const ATOM_MEDIA_TYPE = 'application/atom+xml; charset=utf-8';
/** Links in it follow the address of the hub, which may change. */
const ARCHIVE_CACHE = 'public, max-age=86400';

/** The document in the form that the client likes best, or 304 or 412 as its conditions say. HEAD gets all but the body. */
export function answerAtom(
  { headers, method }: HubRequest,
  document: AtomDocument,
  { cacheControl, now }: AtomAnswerOptions,
): HubResponse | Promise<HubResponse> {
  const { etag, isCompressed, isArchive } = document;
  const etags: Readonly<Record<Form, string>> = { identity: etag, gzip: `${etag.slice(0, -1)}.gz"` };
  const forms = formsFor(headers['accept-encoding'], isCompressed);
  const [best = 'identity'] = forms;
  const date = dateOf(document.lastModifiedMs, now());
  const caching = (form: Form) => ({
    etag: etags[form],
    'cache-control': isArchive ? ARCHIVE_CACHE : cacheControl,
    ...(isCompressed && { vary: 'accept-encoding' }),
    ...(date.shownMs !== undefined && { 'last-modified': new Date(date.shownMs).toUTCString() }),
  });

  const condition = checkPreconditions(headers, {
    etags: forms.map((form) => etags[form]),
    lastModifiedMs: date.ms,
    isRecent: !date.isSettled,
  });
  if (condition.kind === 'failed') {
    return problem({ status: 412, detail: 'The feed is not as the request wants it to be.' });
  }
  if (condition.kind === 'not-modified') {
    return { status: 304, headers: caching(forms.find((form) => etags[form] === condition.etag) ?? best) };
  }
  const whole = (bytes: Uint8Array): HubResponse => ({
    status: 200,
    headers: {
      ...caching(best),
      'content-type': ATOM_MEDIA_TYPE,
      'content-length': String(bytes.length),
      ...(best === 'gzip' && { 'content-encoding': 'gzip' }),
    },
    ...(method !== 'HEAD' && { body: bytes }),
  });
  const body = best === 'gzip' ? document.gzip() : document.read();
  return body instanceof Promise ? body.then(whole) : whole(body);
}

/** The best one first. Who refuses all of them gets the plain bytes all the same. */
function formsFor(acceptEncoding: string | undefined, isCompressed: boolean): readonly Form[] {
  if (!isCompressed) return ['identity'];
  const forms = acceptableEncodings(acceptEncoding).filter((encoding) => encoding !== 'br');
  return forms.length === 0 ? ['identity'] : forms;
}
