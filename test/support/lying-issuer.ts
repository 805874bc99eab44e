import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What an issuer states wrongly. */
export interface Lies {
  /** In the discovery document. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** In the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Sign with another key than the published one. */
  readonly foreignKey?: boolean;
  /** Instead of the document at a path. */
  readonly at?: Readonly<Record<string, (response: ServerResponse) => void>>;
}

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const OWN = keys();
const FOREIGN = keys();

/** An issuer that signs whatever it is told. It has an address, and learns the nonce to repeat. */
export async function startLyingIssuer(lies: Lies = {}) {
  const said = { nonce: '' };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', issuer).pathname;
    const lie = lies.at?.[path];
    if (lie !== undefined) lie(response);
    else sendJson(response, documentAt(path));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const documentAt = (path: string): object => {
    if (path === '/jwks') return { keys: [{ ...OWN.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] };
    if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: idToken() };
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...lies.metadata,
    };
  };
  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'tidings',
      sub: 's',
      iat: now,
      exp: now + 60,
      nonce: said.nonce,
      groups: ['ops'],
    };
    const text = [
      { alg: 'RS256', kid: 'k', ...lies.header },
      { ...claims, ...lies.claims },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const { privateKey } = lies.foreignKey ? FOREIGN : OWN;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  };
  return { issuer, said };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
