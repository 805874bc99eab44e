import { createPublicKey, generateKeyPairSync, sign, verify as verifyBytes } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { expect, test } from 'vitest';
import { verify as verifyBot } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';
import { AGENT_FORMS, type AgentForm } from '../codecs/message-signatures/signature-agent.ts';
import { type BotSignerOptions, createBotSigner } from './bot-signer.ts';
import type { UnsignedRequest } from './request-signer.ts';

const DIRECTORY = new URL('https://hub.example/.well-known/http-message-signatures-directory');
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = publicKey.export({ format: 'jwk' });

function signerOf(options: Partial<BotSignerOptions> = {}) {
  return createBotSigner({
    publicKey: Buffer.from(jwk.x ?? '', 'base64url'),
    sign: (bytes) => sign(null, bytes, privateKey),
    directory: DIRECTORY,
    form: 'key-set',
    when: 'always',
    now: Date.now,
    nonce: () => 'a-nonce-of-the-test',
    ...options,
  });
}

const GET: UnsignedRequest = { method: 'GET', url: new URL('https://docs.example:8443/a%2fb?c=d') };

async function isVerified(request: UnsignedRequest, headers: Readonly<Record<string, string>>): Promise<boolean> {
  const { method, url } = request;
  const lookup = async () => ({
    id: 'test',
    algs: ['ed25519' as const],
    verify: async (data: Buffer, signature: Buffer) =>
      verifyBytes(null, data, createPublicKey({ key: jwk, format: 'jwk' }), signature),
  });
  const answer = await httpbis.verifyMessage({ keyLookup: lookup }, { method, url: url.href, headers: { ...headers } });
  return answer === true;
}

test.each(AGENT_FORMS.map((form) => [form] as const))(
  'somebody else verifies what is signed: %s',
  async (form: AgentForm) => {
    const fields = signerOf({ form }).fieldsFor(GET);
    expect(await isVerified(GET, fields)).toBe(true);
    for (const url of ['https://other.example:8443/a%2fb?c=d', 'https://docs.example:8443/b?c=d']) {
      expect(await isVerified({ method: 'GET', url: new URL(url) }, fields), url).toBe(false);
    }
    expect(await isVerified({ ...GET, method: 'POST' }, fields)).toBe(false);
    const agent = fields['signature-agent']?.replace('hub.example', 'evil.example') ?? '';
    expect(await isVerified(GET, { ...fields, 'signature-agent': agent })).toBe(false);
  },
);

test('a library for Web Bot Auth takes it for a crawler that says who it is, until it expires', async () => {
  const verifier = await verifierFromJWK({ ...jwk, kty: 'OKP' });
  const { url, method } = GET;
  const fields = signerOf({ form: 'bare' }).fieldsFor(GET);
  await expect(verifyBot({ method, url: url.href, headers: fields }, verifier)).resolves.toBeUndefined();
  const old = signerOf({ form: 'bare', now: () => Date.now() - 120_000 }).fieldsFor(GET);
  await expect(verifyBot({ method, url: url.href, headers: old }, verifier)).rejects.toThrow(/expire/i);
});

test('where the keys are is said in the form that is set', () => {
  const agentOf = (form: AgentForm) => signerOf({ form }).fieldsFor(GET)['signature-agent'];
  expect(agentOf('key-set')).toBe(`sig1="${DIRECTORY.href}"`);
  expect(agentOf('origin')).toBe('sig1="https://hub.example"');
  expect(agentOf('bare')).toBe('"https://hub.example"');
});

test('nothing is signed over plain http', () => {
  expect(signerOf().fieldsFor({ ...GET, url: new URL('http://docs.example/') })).toEqual({});
});

const CHALLENGE = 'sig9=("@authority" "@query");created;expires;nonce="theirs";tag="web-bot-auth"';

test('a challenge is answered with its label, its nonce and what it wants covered; its host is signed for from then on', async () => {
  const signer = signerOf({ when: 'challenged' });
  expect(signer.fieldsFor(GET)).toEqual({});
  const fields = signer.answerTo(GET, { status: 403, acceptSignature: CHALLENGE }) ?? {};
  expect(fields['signature-input']).toMatch(/^sig9=\("@authority" "@query" .*;nonce="theirs";tag="web-bot-auth"$/);
  expect(await isVerified(GET, fields)).toBe(true);
  expect(signer.fieldsFor(GET)).toHaveProperty('signature');
  expect(signer.fieldsFor({ ...GET, url: new URL('https://other.example/') })).toEqual({});
});

test.each([
  ['another tag', 403, 'sig1=("@authority");tag="else"', undefined],
  ['an answer that refuses nothing', 200, CHALLENGE, undefined],
  ['a cookie', 403, 'sig1=("cookie");tag="web-bot-auth"', '"cookie" is never signed'],
  ['a key that is not ours', 403, 'sig1=();keyid="x";tag="web-bot-auth"', 'it asks for the key "x"'],
])('%s is not answered', (_, status, acceptSignature, reason) => {
  const refused: string[] = [];
  const signer = signerOf({ when: 'challenged', onRefused: (__, why) => refused.push(why) });
  expect(signer.answerTo(GET, { status, acceptSignature })).toBeUndefined();
  expect(refused).toEqual(reason === undefined ? [] : [reason]);
});
