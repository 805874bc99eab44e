import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Lies, startLyingIssuer } from '../../../test/support/lying-issuer.ts';
import { SignInError } from '../../errors/sign-in-error.ts';
import { createUndiciHttpClient } from '../undici/http-client.ts';
import { createOpenIdProvider } from './provider.ts';

const VISIT = { state: 'the-state', nonce: 'the-nonce', verifier: 'v'.repeat(43) };
const REDIRECT = 'https://hub.example/sign-in/callback';

interface Settings {
  readonly isPrivateAllowed?: boolean;
  readonly issuer?: string;
}

async function lab(lies: Lies = {}, { isPrivateAllowed = true, issuer }: Settings = {}) {
  const lying = await startLyingIssuer(lies);
  const clientOf = (allowPrivate: boolean) => {
    const client = createUndiciHttpClient({ allowPrivate, userAgent: 'tidings' });
    onTestFinished(() => client[Symbol.asyncDispose]());
    return client;
  };
  const provider = createOpenIdProvider({
    issuer: issuer ?? lying.issuer,
    clientId: 'tidings',
    clientSecret: 'secret',
    scopes: ['openid'],
    roleClaim: 'groups',
    issuerHttp: clientOf(isPrivateAllowed),
    http: clientOf(false),
    now: Date.now,
  });
  return { provider, lying };
}

/** Signs in, with an answer of the provider that is as it should be. */
async function finish(lies: Lies, settings: Settings = {}, query = '') {
  const { provider, lying } = await lab(lies, settings);
  lying.said.nonce = VISIT.nonce;
  return provider.finish(VISIT, new URL(`${REDIRECT}?code=c&state=${VISIT.state}${query}`));
}

const failure = async (work: Promise<unknown>): Promise<SignInError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SignInError)) throw new Error('It did not fail as it should.', { cause: error });
  return error;
};

test('the browser is sent with state, nonce and the challenge of PKCE', async () => {
  const { provider, lying } = await lab();
  const url = await provider.begin(VISIT, REDIRECT);
  expect(url.href.startsWith(`${lying.issuer}/authorize?`)).toBe(true);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'tidings',
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
    state: VISIT.state,
    nonce: VISIT.nonce,
    code_challenge_method: 'S256',
  });
  expect(url.href).not.toContain(VISIT.verifier);
});

test('what an honest issuer says is believed', async () => {
  expect(await finish({})).toMatchObject({ sub: 's', groups: ['ops'] });
});

const now = Math.floor(Date.now() / 1000);

test.each<[string, Lies, RegExp]>([
  ['is of another issuer', { claims: { iss: 'https://evil.example' } }, /not for this sign-in/],
  ['is for another client', { claims: { aud: 'another' } }, /not for this sign-in/],
  ['has another nonce', { claims: { nonce: 'another' } }, /not for this sign-in/],
  ['has no nonce', { claims: { nonce: undefined } }, /not for this sign-in/],
  ['has expired', { claims: { iat: now - 7200, exp: now - 3600 } }, /expired/],
  ['has no subject', { claims: { sub: undefined } }, /not for this sign-in/],
  ['is signed by another key', { foreignKey: true }, /not for this sign-in/],
  [
    'is signed by a key that it does not show',
    { header: { kid: 'other' } },
    /not for this sign-in|none that can be used/,
  ],
  ['says that it needs no signature', { header: { alg: 'none' } }, /none that can be used|not for this sign-in/],
])('an ID token that %s is not believed', async (_what, lies, words) => {
  expect((await failure(finish(lies))).message).toMatch(words);
});

const answer = (status: number, type: string, body: string) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': type, location: 'http://127.0.0.1:1/' }).end(body);
};
const DISCOVERY = '/.well-known/openid-configuration';

test.each<[string, Lies]>([
  ['another issuer', { metadata: { issuer: 'https://evil.example' } }],
  ['no issuer', { metadata: { issuer: undefined } }],
  ['a page', { at: { [DISCOVERY]: answer(200, 'text/html', '<title>Sign in</title>') } }],
  ['nothing', { at: { [DISCOVERY]: answer(200, 'application/json', '') } }],
  ['too much', { at: { [DISCOVERY]: answer(200, 'application/json', JSON.stringify({ x: 'x'.repeat(300_000) })) } }],
  ['an error', { at: { [DISCOVERY]: answer(500, 'text/plain', 'no') } }],
  ['another place', { at: { [DISCOVERY]: answer(302, 'text/plain', '') } }],
  ['that the line is dead', { at: { [DISCOVERY]: (response) => response.destroy() } }],
  ['a token of nothing', { at: { '/token': answer(200, 'application/json', '{}') } }],
  ['an error of its own', { at: { '/token': answer(400, 'application/json', '{"error":"invalid_client"}') } }],
  ['keys that are none', { at: { '/jwks': answer(200, 'application/json', '{"keys":5}') } }],
  ['a place for tokens in a private network', { metadata: { token_endpoint: 'http://127.0.0.2:9/token' } }],
  ['a place for keys in a private network', { metadata: { jwks_uri: 'http://169.254.169.254/latest' } }],
])('an issuer that says %s signs nobody in', async (_what, lies) => {
  const { message } = await failure(finish(lies));
  expect(message).toMatch(/(?:again|later|Tell who runs|allowPrivate)/);
  expect(message).not.toMatch(/secret(?!.*(?:its|of this hub))|code=c/);
});

test('an issuer at a private address is not asked unless that is allowed', async () => {
  const { message, recovery } = await failure(finish({}, { isPrivateAllowed: false }));
  expect([message, recovery]).toEqual([expect.stringContaining('signIn.oidc.allowPrivate'), 'fix-config']);
});

test('an answer that names another issuer is not taken', async () => {
  expect((await failure(finish({}, {}, '&iss=https%3A%2F%2Fevil.example'))).message).toMatch(/not for this sign-in/);
});
