import { createHash, createPrivateKey, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SignedMessage } from './components.ts';
import { encodeKeyDirectory, keyThumbprint } from './key-directory.ts';
import { signatureAgent } from './signature-agent.ts';
import { type SignatureInput, signatureBase } from './signature-base.ts';

/** The test key of RFC 9421 B.1.4: known to everybody, and never used outside of tests. */
const TEST_D = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
const TEST_X = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const TEST_KEY = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d: TEST_D, x: TEST_X }, format: 'jwk' });
const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash('sha256').update(bytes).digest());

function baseOf(input: SignatureInput, message: SignedMessage): string {
  const base = signatureBase(input, message);
  if (!base.ok) throw new Error(base.issues[0].message);
  return base.value;
}

function signed(text: string): string {
  return sign(null, Buffer.from(text), TEST_KEY).toString('base64');
}

test('the example of RFC 9421 B.2.6 has the same base and the same signature', () => {
  const names = ['date', '@method', '@path', '@authority', 'content-type', 'content-length'];
  const base = baseOf(
    {
      components: names.map((name) => ({ name })),
      parameters: [
        ['created', 1618884473],
        ['keyid', 'test-key-ed25519'],
      ],
    },
    {
      method: 'POST',
      url: new URL('https://example.com/foo?param=Value&Pet=dog'),
      fields: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'content-length': '18' },
    },
  );
  expect(base).toHaveLength(284);
  expect(Buffer.from(sha256(Buffer.from(base))).toString('hex')).toMatch(/^e6402577f54303ac/);
  expect(signed(base)).toBe('wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==');
});

test('the example of the Web Bot Auth draft has the same signature', () => {
  const { value, component } = signatureAgent(new URL('https://signature-agent.test/keys'), 'sig2', 'origin');
  const base = baseOf(
    {
      components: [{ name: '@authority' }, component],
      parameters: [
        ['created', 1735689600],
        ['keyid', keyThumbprint(Buffer.from(TEST_X, 'base64url'), sha256)],
        ['alg', 'ed25519'],
        ['expires', 4889289600],
        ['nonce', 'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA=='],
        ['tag', 'web-bot-auth'],
      ],
    },
    { method: 'GET', url: new URL('https://example.com/path/to/resource'), fields: { 'signature-agent': value } },
  );
  expect(signed(base)).toBe('CGokAoY/FrPpyuzTe1Fb2kLTAH9Idw6qSFd1+D77r1firsMRCxeuLu5e6O+ek3zQgDMAzjiXtLVfqE00xnABCQ==');
});

test('the directory of the draft has the same bytes, digest and signature', () => {
  const body = encodeKeyDirectory([Buffer.from(TEST_X, 'base64url')], sha256);
  expect(body).toHaveLength(154);
  const digest = Buffer.from(sha256(Buffer.from(body))).toString('base64');
  expect(digest).toBe('CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=');
  const base = baseOf(
    {
      components: [{ name: '@authority', req: true }, { name: 'content-digest' }],
      parameters: [
        ['created', 1735689600],
        ['expires', 4889289600],
        ['keyid', keyThumbprint(Buffer.from(TEST_X, 'base64url'), sha256)],
        ['tag', 'http-message-signatures-directory'],
      ],
    },
    {
      method: 'GET',
      url: new URL('https://signature-agent.test/'),
      fields: { 'content-digest': `sha-256=:${digest}:` },
    },
  );
  expect(signed(base)).toBe('l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==');
});

test('the thumbprint is that of RFC 8037 A.3', () => {
  const publicKey = Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url');
  expect(keyThumbprint(publicKey, sha256)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test.each([
  ['HTTPS://Example.COM:443/a', '@authority', 'example.com'],
  ['https://example.com:8443', '@authority', 'example.com:8443'],
  ['https://[2001:DB8::1]:8443/', '@authority', '[2001:db8::1]:8443'],
  ['https://bücher.example/', '@authority', 'xn--bcher-kva.example'],
  ['https://example.com', '@path', '/'],
  ['https://example.com/a%2fb?c=d', '@path', '/a%2fb'],
  ['https://example.com/a', '@query', '?'],
  ['https://example.com/a?x=1#y', '@query', '?x=1'],
  ['https://example.com/a?x=1#y', '@target-uri', 'https://example.com/a?x=1'],
])('of %s, %s is %s', (url, name, value) => {
  const base = baseOf({ components: [{ name }], parameters: [] }, { method: 'GET', url: new URL(url), fields: {} });
  expect(base.split('\n')[0]).toBe(`"${name}": ${value}`);
});

test.each([
  ['what the message does not have', [{ name: 'date' }]],
  ['a derived component that there is not', [{ name: '@nothing' }]],
  ['what stands twice', [{ name: '@method' }, { name: '@method' }]],
  ['a member that the dictionary lacks', [{ name: 'agent', key: 'b' }]],
  ['text that is not ASCII', [{ name: 'umlaut' }]],
])('%s is refused', (_, components) => {
  const fields = { agent: 'a="x"', umlaut: 'ä' };
  const message = { method: 'GET', url: new URL('https://example.com/'), fields };
  expect(signatureBase({ components, parameters: [] }, message).ok).toBe(false);
});
