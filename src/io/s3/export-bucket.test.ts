import { expect, onTestFinished, test } from 'vitest';
import { BUCKET, S3_KEY, startS3Server } from '../../../test/support/s3-server.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { HttpClient } from '../../fetch/http-client.ts';
import { createUndiciHttpClient } from '../undici/http-client.ts';
import { createExportBucket, type ExportBucketOptions } from './export-bucket.ts';

const ABOUT = { mediaType: 'application/json', cacheControl: 'public, max-age=60' };
const artifact = (path: string, text: string) => ({ ...ABOUT, path, bytes: Buffer.from(text) });

async function lab(options: Partial<ExportBucketOptions> = {}) {
  const folder = temporaryFolder();
  const server = await startS3Server(folder.path);
  const http = createUndiciHttpClient({ allowPrivate: true, userAgent: 'test' });
  onTestFinished(async () => {
    await http[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });
  const waits: number[] = [];
  const target = createExportBucket({
    ...{ bucket: BUCKET, prefix: 'hub/', region: 'us-east-1', credentials: S3_KEY, endpoint: server.url },
    ...{ http, now: Date.now, wait: async (ms) => void waits.push(ms) },
    ...options,
  });
  return { target, server, waits };
}

test('objects are written with their media type and cache rule, listed, compared and read back', async () => {
  const { target, server } = await lab();
  expect(await target.list()).toEqual(new Map());
  const odd = "a b/ü(1)'!*~$.json";
  const first = await target.add(artifact(odd, '{}'));
  const empty = await target.replace(artifact('.well-known/empty', ''));
  expect(await target.list()).toEqual(
    new Map([
      ['.well-known/empty', empty],
      [odd, first],
    ]),
  );
  expect(Buffer.from((await target.read(odd)) ?? []).toString()).toBe('{}');
  expect(await target.read('nothing')).toBeUndefined();
  const answer = await fetch(new URL(`${BUCKET}/hub/.well-known/empty`, server.url));
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    ABOUT.mediaType,
    ABOUT.cacheControl,
  ]);
  const holds = (text: string, file = first ?? empty) => target.holds(odd, file, Buffer.from(text));
  expect([await holds('{}'), await holds('[]'), await holds('{ }')]).toEqual([true, false, false]);
  // A server that stores it otherwise has an ETag of its own.
  expect(await holds('{}', { bytes: 2, stamp: 'other-2' })).toBe(true);
});

test('what must never change is written once, whoever comes first; a head is replaced', async () => {
  const { target, server } = await lab();
  expect(await target.add(artifact('archive.json', '1'))).toBeDefined();
  expect(await target.add(artifact('archive.json', '2'))).toBeUndefined();
  expect(Buffer.from((await target.read('archive.json')) ?? []).toString()).toBe('1');
  await target.replace(artifact('head.json', '1'));
  await target.replace(artifact('head.json', '2'));
  expect(Buffer.from((await target.read('head.json')) ?? []).toString()).toBe('2');
  expect(server.log.filter((line) => line.startsWith('PUT')).map((line) => line.slice(-3))).toEqual([
    '200',
    '412',
    '200',
    '200',
  ]);
});

test('a long list is read to its end', async () => {
  const asked: string[] = [];
  const pageOf = (key: string, next = '') =>
    `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${next}<Contents><Key>hub/${key}</Key><ETag>&quot;e1&quot;</ETag><Size>7</Size></Contents></ListBucketResult>`;
  const pages = [pageOf('a+b', '<NextContinuationToken>1/+=</NextContinuationToken>'), pageOf('c%2Fd')];
  const get: HttpClient['get'] = async ({ url }) => {
    asked.push(url.searchParams.get('continuation-token') ?? '');
    const body = (async function* () {
      yield Buffer.from(pages[asked.length - 1] ?? '');
    })();
    return { url, status: 200, headers: {}, body, discard: async () => {} };
  };
  const http = { get, post: () => Promise.reject(new Error('nothing is sent')), [Symbol.asyncDispose]: async () => {} };
  const { target } = await lab({ http });
  expect(await target.list()).toEqual(
    new Map([
      ['a b', { bytes: 7, stamp: 'e1' }],
      ['c/d', { bytes: 7, stamp: 'e1' }],
    ]),
  );
  expect(asked).toEqual(['', '1/+=']);
});

test('what may pass is tried again, with longer pauses; then it is said', async () => {
  const { target, server, waits } = await lab();
  let left = 2;
  server.intercept = () => (left-- > 0 ? 503 : undefined);
  await target.replace(artifact('head.json', '1'));
  expect(waits).toEqual([500, 1000]);
  server.intercept = () => 500;
  await expect(target.list()).rejects.toMatchObject({ recovery: 'retry-later', status: 500 });
});

test.each([
  [
    { credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'wrong-secret' } },
    'SignatureDoesNotMatch',
    'AWS_SECRET_ACCESS_KEY',
  ],
  [
    { credentials: { accessKeyId: 'NOBODY', secretAccessKey: 'wrong-secret' } },
    'InvalidAccessKeyId',
    'AWS_ACCESS_KEY_ID',
  ],
  [{ bucket: 'nobodys' }, 'NoSuchBucket', 'Make the bucket'],
])('%o is refused by its name, with what to do and without a secret', async (options, code, remedy) => {
  const { target } = await lab(options);
  const error = await target.list().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ recovery: 'fix-input', code, message: expect.stringContaining(remedy) });
  expect(JSON.stringify(error) + String(error)).not.toContain('wrong-secret');
});
