import { expect, test } from 'vitest';
import { HUB_FORM_TYPE } from './hub-request.ts';
import { HUB_SIGNATURE_HEADER, HUB_SIGNATURE_METHODS, hubSignature, verifyHubSignature } from './signature.ts';

const BODY = new TextEncoder().encode('<feed>ä</feed>\n');
const SECRET = 'topsecret';

test.each([
  ['sha1', '84b16277e612fa0a4b85710fc45010f773be88cc'],
  ['sha256', 'cfc76f8acaf91032ffa97aa16097d6a3de3ff5f2e0f43da27652e44b4f907a64'],
] as const)('the vector of %s', (method, digest) => {
  expect(hubSignature(method, SECRET, BODY)).toBe(`${method}=${digest}`);
});

test.each(HUB_SIGNATURE_METHODS)(
  'a signature of %s holds in any case of its digits, and for no other body',
  (method) => {
    const header = hubSignature(method, SECRET, BODY);
    expect(verifyHubSignature(header, { secret: SECRET }, BODY)).toEqual({ ok: true, value: method });
    const [name = '', digits = ''] = header.split('=');
    expect(verifyHubSignature(`${name}=${digits.toUpperCase()}`, { secret: SECRET }, BODY).ok).toBe(true);
    expect(verifyHubSignature(header, { secret: SECRET }, BODY.subarray(1)).ok).toBe(false);
    expect(verifyHubSignature(header, { secret: 'other' }, BODY).ok).toBe(false);
  },
);

const SHA256 = hubSignature('sha256', SECRET, BODY);

test.each([
  undefined,
  '',
  'md5=84b16277e612fa0a4b85710fc45010f7',
  SHA256.replace('sha256', 'sha1'),
  SHA256.slice(0, -1),
  `${SHA256}0`,
  `${SHA256}, ${SHA256}`,
  SHA256.replace('=', ''),
])('%s is no signature of it', (header) => {
  const verified = verifyHubSignature(header, { secret: SECRET }, BODY);
  expect(verified.ok).toBe(false);
});

test('who wants more than sha1 gets it', () => {
  const weak = hubSignature('sha1', SECRET, BODY);
  expect(verifyHubSignature(weak, { secret: SECRET, weakest: 'sha256' }, BODY)).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringContaining('weaker than sha256') }],
  });
  expect(verifyHubSignature(SHA256, { secret: SECRET, weakest: 'sha256' }, BODY).ok).toBe(true);
});

test('the names on the wire', () => {
  expect([HUB_FORM_TYPE, HUB_SIGNATURE_HEADER]).toEqual(['application/x-www-form-urlencoded', 'x-hub-signature']);
});
