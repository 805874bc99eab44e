import { exportPlaceError } from '../../errors/export-error.ts';
import { FetchError } from '../../errors/fetch-error.ts';
import type { HttpClient, HttpPoster, HttpResponse } from '../../fetch/http-client.ts';
import { readBodyText } from '../../fetch/read-text.ts';
import { decodeErrorCode } from './list-objects.ts';
import { type S3Credentials, s3Path, signRequest } from './sign-request.ts';

export interface S3BucketOptions {
  readonly bucket: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  /** A server other than that of AWS, with or without a path; it has bucket names in paths. */
  readonly endpoint?: string | undefined;
  readonly http: HttpClient & HttpPoster;
  readonly now: () => number;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

export interface S3Request {
  readonly method: 'GET' | 'PUT';
  /** The key of an object; absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly maxBodyBytes?: number;
}

const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;
/** Asked to come again: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const PASSING = [408, 409, 429, 500, 502, 503, 504];
const LEAST_DEADLINE_MS = 60_000;
/** A line that is slower than that is none. */
const LEAST_BYTES_PER_MS = 100;
const MAX_ERROR_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();
const NEVER = new AbortController().signal;

/** One bucket of S3, or of a server that speaks as S3 does. */
export class S3Bucket {
  readonly #options: S3BucketOptions;
  readonly #base: string;

  constructor(options: S3BucketOptions) {
    this.#options = options;
    this.#base = baseOf(options);
  }

  /** An answer with one of these statuses. What may pass is tried again; all else is a TidingsError that names no secret. */
  async ask(request: S3Request, statuses: readonly number[]): Promise<HttpResponse> {
    const { wait, signal = NEVER } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#send(request).catch((error: unknown) => {
        const mayPass = error instanceof FetchError && error.recovery === 'retry-later';
        if (attempt === ATTEMPTS || !mayPass || signal.aborted) throw error;
      });
      if (answer !== undefined && statuses.includes(answer.status)) return answer;
      if (answer !== undefined && (attempt === ATTEMPTS || !PASSING.includes(answer.status)))
        throw await this.#errorOf(answer);
      await answer?.discard();
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1), signal);
    }
  }

  #send({
    method,
    key = '',
    query = {},
    headers = {},
    body = NOTHING,
    maxBodyBytes,
  }: S3Request): Promise<HttpResponse> {
    const { credentials, region, now, http, signal } = this.#options;
    const url = new URL(`${this.#base}${s3Path(key)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const secretHeaders = signRequest({ method, url, headers, body }, { credentials, region, nowMs: now() });
    const deadlineMs = LEAST_DEADLINE_MS + Math.max(body.length, maxBodyBytes ?? 0) / LEAST_BYTES_PER_MS;
    const request = {
      url,
      secretHeaders,
      deadlineMs,
      ...(maxBodyBytes !== undefined && { maxBodyBytes }),
      ...(signal !== undefined && { signal }),
    };
    return method === 'GET' ? http.get(request) : http.post({ ...request, method, body });
  }

  async #errorOf(answer: HttpResponse): Promise<Error> {
    const text = await readBodyText(answer, { maxBytes: MAX_ERROR_BYTES }).catch(() => '');
    const { bucket } = this.#options;
    return exportPlaceError(`s3://${bucket}`, { status: answer.status, code: decodeErrorCode(text) });
  }
}

/** With a final slash. A name with dots is no name of a host that a certificate of AWS is for. */
function baseOf({ bucket, region, endpoint }: S3BucketOptions): string {
  if (endpoint !== undefined) return `${endpoint.replace(/\/+$/, '')}/${bucket}/`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}/` : `https://${bucket}.${host}/`;
}
