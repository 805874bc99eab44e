import { expect, test } from 'vitest';
import { type SignedRequest, s3Path, signRequest } from './sign-request.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html#example-signature-calculations */
const SIGNER = {
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
  region: 'us-east-1',
  nowMs: Date.UTC(2013, 4, 24),
};
const HOST = 'https://examplebucket.s3.amazonaws.com/';
const NOTHING = new Uint8Array();

test.each<[string, SignedRequest, string]>([
  [
    'GET of an object',
    { method: 'GET', url: new URL('test.txt', HOST), headers: { range: 'bytes=0-9' }, body: NOTHING },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'PUT of an object',
    {
      method: 'PUT',
      url: new URL(s3Path('test$file.text'), HOST),
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: Buffer.from('Welcome to Amazon S3.'),
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'GET of the lifecycle of a bucket',
    { method: 'GET', url: new URL('?lifecycle', HOST), headers: {}, body: NOTHING },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list of objects',
    { method: 'GET', url: new URL('?max-keys=2&prefix=J', HOST), headers: {}, body: NOTHING },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('the example of the specification: %s', (_, request, signature) => {
  const { authorization } = signRequest(request, SIGNER);
  expect(authorization?.split('Signature=')[1]).toBe(signature);
  expect(authorization).not.toContain(SIGNER.credentials.secretAccessKey);
});

test('a session token is sent and signed', () => {
  const credentials = { ...SIGNER.credentials, sessionToken: 'token' };
  const request = { method: 'GET', url: new URL(HOST), headers: {}, body: NOTHING } as const;
  const headers = signRequest(request, { ...SIGNER, credentials });
  expect(headers).toMatchObject({ 'x-amz-security-token': 'token' });
  expect(headers.authorization).toContain('x-amz-security-token, Signature=');
});
