import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { httpbis } from 'http-message-signatures';
import { afterAll, expect, test } from 'vitest';
import { startHub } from '../src/doors/hub.ts';
import { newSigningKey, rotateSigningKey } from '../src/doors/surface.ts';
import { createTestAuthority } from './support/test-ca.ts';
import { type AskedRequest, startTlsSite } from './support/tls-site.ts';

const folder = await mkdtemp(join(tmpdir(), 'tidings-bot-auth-'));
afterAll(() => rm(folder, { recursive: true }));
const authority = createTestAuthority();
await writeFile(join(folder, 'ca.pem'), authority.cert);
const key = join(folder, 'bot-key.json');
await newSigningKey({ key });

const BASE = 'https://hub.example/';
const CHALLENGE = 'sig7=("@authority" "@method");created;expires;nonce="theirs";tag="web-bot-auth"';

interface KeySet {
  readonly keys: readonly { readonly kid: string; readonly x: string; readonly kty: string; readonly crv: string }[];
}

async function runHub(settings: object, site: { readonly port: number }) {
  const source = { id: 'docs', kind: 'page' as const, urls: [`https://127.0.0.1:${site.port}/`], intervalSeconds: 5 };
  const common = { host: '127.0.0.1', port: 0, baseUrl: BASE, allowPrivate: true, cooldownMs: 0, ca: './ca.pem' };
  const data = await mkdtemp(join(folder, 'data-'));
  return await startHub({ ...common, data, sources: [source], ...settings }, { base: folder });
}

async function readDirectory(hub: { readonly url: string }) {
  const answer = await fetch(new URL('.well-known/http-message-signatures-directory', hub.url));
  return { answer, text: await answer.text() };
}

function lookupIn({ keys }: KeySet) {
  return async ({ keyid }: { readonly keyid?: string }) => {
    const found = keys.find(({ kid }) => kid === keyid);
    if (found === undefined) return null;
    const publicKey = createPublicKey({ key: { kty: found.kty, crv: found.crv, x: found.x }, format: 'jwk' });
    const verify = async (data: Buffer, signature: Buffer) => verifyBytes(null, data, publicKey, signature);
    return { id: found.kid, algs: ['ed25519' as const], verify };
  };
}

async function isSigned({ url, headers }: AskedRequest, keys: KeySet): Promise<boolean> {
  const config = { keyLookup: lookupIn(keys), maxAge: 300 };
  const signed = Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  const verified = await httpbis.verifyMessage(config, { method: 'GET', url, headers: Object.fromEntries(signed) });
  return verified === true;
}

test('every request of a hub is signed by a key of its directory, each anew, also over redirects; the directory is signed', async () => {
  await using site = await startTlsSite(authority.issue('127.0.0.1', 'localhost'));
  site.redirect('127.0.0.1', '/', `https://localhost:${site.port}/there`);
  site.put('localhost', '/there', { headers: { 'content-type': 'text/html' }, body: '<h1>There</h1><p>Hello.</p>' });
  await using hub = await runHub({ botAuth: { key: './bot-key.json' } }, site);
  await expect.poll(() => site.asked.some(({ path }) => path === '/there'), { timeout: 20_000 }).toBe(true);
  const { answer, text } = await readDirectory(hub);
  expect(answer.headers.get('content-type')).toBe('application/http-message-signatures-directory+json');
  expect(text).not.toContain('"d"');
  const keys: KeySet = JSON.parse(text);
  const asked = [...site.asked];
  for (const request of asked) expect(await isSigned(request, keys), request.url).toBe(true);
  expect(new Set(asked.map(({ headers }) => headers.signature)).size).toBe(asked.length);
  const request = { method: 'GET', url: `${BASE}.well-known/http-message-signatures-directory`, headers: {} };
  const response = { status: 200, headers: Object.fromEntries(answer.headers) };
  expect(await httpbis.verifyMessage({ keyLookup: lookupIn(keys) }, response, request)).toBe(true);
  const elsewhere = { ...request, url: 'https://other.example/' };
  expect(await httpbis.verifyMessage({ keyLookup: lookupIn(keys) }, response, elsewhere)).toBe(false);
});

test('where signatures are for those who ask, a challenge is answered once, and its host is signed for at once later', async () => {
  await using site = await startTlsSite(authority.issue('127.0.0.1'));
  site.put('127.0.0.1', '/', { status: 403, headers: { 'accept-signature': CHALLENGE }, body: 'who are you?' });
  await using hub = await runHub(
    { botAuth: { key: './bot-key.json', sign: 'challenged', signatureAgent: 'bare' } },
    site,
  );
  const pages = () => site.asked.filter(({ path }) => path === '/');
  await expect.poll(() => pages().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  const keys: KeySet = JSON.parse((await readDirectory(hub)).text);
  const [first, second, third] = pages();
  if (first === undefined || second === undefined || third === undefined) throw new Error('Nobody asked.');
  expect(first.headers.signature).toBeUndefined();
  expect(second.headers['signature-input']).toMatch(/^sig7=.*nonce="theirs"/);
  expect(await isSigned(second, keys)).toBe(true);
  expect(third.headers.signature).toBeDefined();
});

test('behind a rotation the new key signs, and the old one stays in the directory', async () => {
  const before = await mkdtemp(join(folder, 'keys-'));
  const rotated = join(before, 'key.json');
  await newSigningKey({ key: rotated });
  await rotateSigningKey({ key: rotated });
  await using site = await startTlsSite(authority.issue('127.0.0.1'));
  site.put('127.0.0.1', '/', { headers: { 'content-type': 'text/html' }, body: '<h1>Docs</h1>' });
  await using hub = await runHub({ botAuth: { key: rotated } }, site);
  await expect.poll(() => site.asked.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const { keys }: KeySet = JSON.parse((await readDirectory(hub)).text);
  expect(keys).toHaveLength(2);
  expect(site.asked[0]?.headers['signature-input']).toContain(`keyid="${keys[0]?.kid}"`);
});

test('a hub that nobody can fetch keys from does not start', async () => {
  const settings = { botAuth: { key: './bot-key.json' }, baseUrl: 'http://hub.example/' };
  await expect(runHub(settings, { port: 1 })).rejects.toThrow(/https address/);
});
