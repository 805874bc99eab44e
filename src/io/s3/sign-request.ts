/**
 * AWS Signature Version 4 for requests to S3, in headers.
 *
 *     Authorization: AWS4-HMAC-SHA256 Credential=AKIA…/20130524/us-east-1/s3/aws4_request,
 *       SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8…
 *
 * Spec: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */

import { createHmac, hash } from 'node:crypto';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined;
}

export interface SignedRequest {
  readonly method: 'GET' | 'PUT';
  /** As it is sent: {@link s3Path} for its path. */
  readonly url: URL;
  /** The signed headers, besides those that signing adds. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface Signer {
  readonly credentials: S3Credentials;
  readonly region: string;
  readonly nowMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** What encodeURIComponent leaves as it is, and the specification does not. */
const NOT_UNRESERVED = /[!'()*]/g;

/** All headers to be sent: those of the request, and its signature. */
export function signRequest(request: SignedRequest, { credentials, region, nowMs }: Signer): Record<string, string> {
  const { method, url, body } = request;
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': hash('sha256', body, 'hex'),
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const signed = Object.entries({ ...headers, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonical = [method, url.pathname, queryOf(url), lines, names, headers['x-amz-content-sha256']].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [ALGORITHM, time, scope, hash('sha256', canonical, 'hex')].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, text).toString('hex');
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

/** The key of an object as the path of its address, encoded as it is signed. */
export function s3Path(key: string): string {
  return key.split('/').map(encoded).join('/');
}

function queryOf({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

function encoded(text: string): string {
  const hexOf = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(NOT_UNRESERVED, hexOf);
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
