import { resolve } from 'node:path';
import { canParseUrl } from '../codecs/primitives/can-parse-url.ts';
import { exportRefusedError } from '../errors/export-error.ts';
import type { ExportTarget } from '../hub/export/export-target.ts';
import { createExportFolder } from '../io/files/export-folder.ts';
import { wait } from '../io/node/timer-wait.ts';
import type { S3Credentials } from '../io/s3/sign-request.ts';
import { type HttpOptions, openGuarded } from './open-http.ts';

/** How to reach a bucket. */
export interface S3Ways extends Pick<HttpOptions, 'allowPrivate' | 'ca'> {
  /** The endpoint of a server other than AWS. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly credentials?: S3Credentials | undefined;
}

interface OpenTarget extends AsyncDisposable {
  readonly target: ExportTarget;
}

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
const REGION = 'us-east-1';

/** Opens a folder or a prefix of a bucket. Makes no request and writes nothing yet. */
export async function openExportTarget(to: string, ways: S3Ways = {}, signal?: AbortSignal): Promise<OpenTarget> {
  const [, bucket, path = ''] = BUCKET.exec(to) ?? [];
  if (bucket !== undefined) return await openBucket(bucket, path.replace(/^\/+|\/+$/g, ''), { ...ways, signal });
  if (to === '' || SCHEME.test(to)) {
    throw exportRefusedError(
      `--to ${JSON.stringify(to)} is neither a folder nor a bucket: give a path, or s3://bucket/prefix.`,
    );
  }
  return { target: createExportFolder(resolve(to)), [Symbol.asyncDispose]: async () => {} };
}

async function openBucket(
  bucket: string,
  path: string,
  { credentials, region = REGION, endpoint, signal, ...http }: S3Ways & { readonly signal: AbortSignal | undefined },
): Promise<OpenTarget> {
  if (credentials === undefined) {
    throw exportRefusedError(
      `s3://${bucket} wants credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN, AWS_REGION).`,
    );
  }
  if (endpoint !== undefined && !(canParseUrl(endpoint) && /^https?:$/.test(new URL(endpoint).protocol))) {
    throw exportRefusedError('--endpoint (or AWS_ENDPOINT_URL) must be an address such as https://s3.example/.');
  }
  const client = await openGuarded(http);
  const { createExportBucket } = await import('../io/s3/export-bucket.ts');
  const prefix = path === '' ? '' : `${path}/`;
  const target = createExportBucket({
    bucket,
    prefix,
    region,
    credentials,
    endpoint,
    http: client,
    now: Date.now,
    wait,
    signal,
  });
  return { target, [Symbol.asyncDispose]: () => client[Symbol.asyncDispose]() };
}
