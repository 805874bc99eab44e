import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { CookieBrowser } from './cookie-browser.ts';

/** What the provider states about each user, by the login that is typed. */
export type TeamMembers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const CLIENT_SECRET = 'secret-of-the-client-at-the-provider';
const CLIENT_ID = 'tidings';
const MOST_STEPS = 20;

/** A real OpenID provider on this machine, with its own sign-in pages. */
export interface TeamProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly settings: object;
  /** It answers from now on: the address of the hub must be known first. */
  serve(redirectUri: string): void;
  /** Signs somebody in on its pages, and returns the address to which it redirects the browser. */
  signIn(authorizationUrl: string, login: string): Promise<string>;
}

/** `isPublic`: the hub has no secret there. */
export async function startTeamProvider(members: TeamMembers, isPublic = false): Promise<TeamProvider> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    settings: {
      issuer,
      clientId: CLIENT_ID,
      roleClaim: 'groups',
      scopes: ['profile', 'groups'],
      roles: { admin: ['ops'], operate: ['editors'], read: ['staff'] },
      name: 'Acme',
      allowPrivate: true,
    },
    serve(redirectUri) {
      listener = new Provider(issuer, configurationOf(members, redirectUri, isPublic)).callback();
    },
    signIn: (authorizationUrl, login) => walk(issuer, authorizationUrl, login),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function configurationOf(members: TeamMembers, redirectUri: string, isPublic: boolean): object {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        ...(isPublic ? { token_endpoint_auth_method: 'none' } : { client_secret: CLIENT_SECRET }),
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'name'], groups: ['groups'] },
    cookies: { keys: ['key-of-the-cookies'] },
    pkce: { required: () => true },
    findAccount: async (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...members[id] }),
    }),
  };
}

/** Goes through the provider's pages like a browser without scripts. */
async function walk(issuer: string, authorizationUrl: string, login: string): Promise<string> {
  const browser = new CookieBrowser(`${issuer}/`);
  let answer = await browser.get(authorizationUrl);
  for (let step = 0; step < MOST_STEPS; step++) {
    const location = answer.headers.get('location');
    if (location !== null) {
      const url = new URL(location, issuer);
      if (url.origin !== issuer) return url.href;
      answer = await browser.get(url.href);
      continue;
    }
    const html = await answer.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`No form at the provider: ${html.slice(0, 500)}`);
    answer = await browser.post(action, { prompt, login, password: 'any' });
  }
  throw new Error('The provider sends the browser round and round.');
}
