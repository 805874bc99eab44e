import { acceptableEncodings } from './accept-encoding.ts';
import { checkPreconditions } from './preconditions.ts';
import { problem } from './problem.ts';
import type { HubRequest, HubResponse } from './route.ts';

/** A small document that is in memory. */
export interface ServedArtifact {
  /** Strong, quoted; other bytes have another one. */
  readonly etag: string;
  readonly bytes: Uint8Array;
  /** The same in gzip, where that is worth it. */
  readonly gzip?: Uint8Array;
  readonly mediaType: string;
  readonly cacheControl: string;
}

/** The artifact in the form that the client likes best, or 304 or 412 as its conditions say. HEAD gets all but the body. */
export function answerArtifact(request: HubRequest, artifact: ServedArtifact): HubResponse {
  const { headers, method } = request;
  const { etag, bytes, gzip, mediaType, cacheControl } = artifact;
  const wantsGzip = gzip !== undefined && prefersGzip(headers['accept-encoding']);
  const gzipEtag = `${etag.slice(0, -1)}.gz"`;
  const common = {
    'cache-control': cacheControl,
    ...(gzip !== undefined && { vary: 'accept-encoding' }),
  };

  const etags = wantsGzip ? [gzipEtag, etag] : [etag];
  const condition = checkPreconditions(headers, { etags, lastModifiedMs: undefined });
  if (condition.kind === 'failed') return problem({ status: 412, detail: 'It is not as the request wants it to be.' });
  if (condition.kind === 'not-modified') {
    return { status: 304, headers: { ...common, etag: condition.etag ?? (wantsGzip ? gzipEtag : etag) } };
  }
  const body = wantsGzip ? gzip : bytes;
  return {
    status: 200,
    headers: {
      ...common,
      etag: wantsGzip ? gzipEtag : etag,
      'content-type': mediaType,
      'content-length': String(body.length),
      ...(wantsGzip && { 'content-encoding': 'gzip' }),
    },
    ...(method !== 'HEAD' && { body }),
  };
}

function prefersGzip(acceptEncoding: string | undefined): boolean {
  return acceptableEncodings(acceptEncoding).find((encoding) => encoding !== 'br') === 'gzip';
}
