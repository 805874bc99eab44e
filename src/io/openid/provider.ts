import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
} from 'openid-client';
import type { OidcClaims, OidcProvider, OidcVisit } from '../../hub/sign-in/oidc-provider.ts';
import { type ApiClient, createGuardedFetch } from '../undici/guarded-fetch.ts';
import { signInErrorOf } from './sign-in-error-of.ts';

export interface OpenIdProviderParts {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a client without one, which PKCE alone protects. */
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
  /** What has to be known of people. */
  readonly roleClaim: string;
  /** The way to the issuer itself. */
  readonly issuerHttp: ApiClient;
  /** The way to whatever else the provider names: never into private networks. */
  readonly http: ApiClient;
  now(): number;
}

const KNOWN_MS = 3_600_000;
const TOLERANCE_SECONDS = 30;
const MAX_BODY_BYTES = 256 * 1024;
const DEADLINE_MS = 10_000;

/** Asks an OpenID provider by the code flow, with PKCE, state and nonce; the signature of what it says is checked. */
export function createOpenIdProvider(parts: OpenIdProviderParts): OidcProvider {
  const { scopes, now } = parts;
  let known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined;

  const configured = async (): Promise<Configuration> => {
    if (known === undefined || known.untilMs <= now()) {
      known = { configuration: discover(parts), untilMs: now() + KNOWN_MS };
    }
    try {
      return await known.configuration;
    } catch (error) {
      // The next sign-in asks it again.
      known = undefined;
      throw error;
    }
  };

  return {
    begin: (visit, redirectUri) =>
      explained(async () =>
        buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          scope: scopes.join(' '),
          state: visit.state,
          nonce: visit.nonce,
          code_challenge: await calculatePKCECodeChallenge(visit.verifier),
          code_challenge_method: 'S256',
        }),
      ),
    finish: (visit, url) => explained(async () => claimsOf(await configured(), { visit, url, ...parts })),
  };
}

async function discover(parts: OpenIdProviderParts): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = parts;
  const isPlain = new URL(issuer).protocol === 'http:';
  const found = await discovery(new URL(issuer), clientId, undefined, None(), {
    [customFetch]: guardedFetch(parts),
    ...(isPlain && { execute: [allowInsecureRequests] }),
  });
  const server = found.serverMetadata();
  const configuration = new Configuration(
    server,
    clientId,
    { [clockTolerance]: TOLERANCE_SECONDS },
    authenticationOf(clientSecret, server.token_endpoint_auth_methods_supported),
  );
  configuration[customFetch] = guardedFetch(parts);
  if (isPlain) allowInsecureRequests(configuration);
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/** In the way that the provider announces (OpenID Connect Discovery §3: Basic by default). */
function authenticationOf(secret: string | undefined, methods: readonly string[] = ['client_secret_basic']) {
  if (secret === undefined) return None();
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

interface Finished extends Pick<OpenIdProviderParts, 'roleClaim'> {
  readonly visit: OidcVisit;
  readonly url: URL;
}

async function claimsOf(configuration: Configuration, { visit, url, roleClaim }: Finished): Promise<OidcClaims> {
  const tokens = await authorizationCodeGrant(configuration, url, {
    pkceCodeVerifier: visit.verifier,
    expectedState: visit.state,
    expectedNonce: visit.nonce,
    idTokenExpected: true,
  });
  const claims: OidcClaims = { ...tokens.claims() };
  const [first = ''] = roleClaim.split('.');
  const hasRole = Object.hasOwn(claims, roleClaim) || Object.hasOwn(claims, first);
  if (hasRole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
  // Some providers say it there only.
  const told = await fetchUserInfo(configuration, tokens.access_token, String(claims.sub));
  return { ...told, ...claims };
}

function guardedFetch({ issuer, issuerHttp, http }: OpenIdProviderParts): CustomFetch {
  const { origin: ofIssuer } = new URL(issuer);
  return (asked, { body, headers, method, signal }) => {
    const { origin } = new URL(asked);
    const guarded = createGuardedFetch({
      http: origin === ofIssuer ? issuerHttp : http,
      origin,
      requestHeaders: ['accept', 'content-type'],
      responseHeaders: ['content-type', 'www-authenticate'],
      maxBodyBytes: MAX_BODY_BYTES,
      deadlineMs: DEADLINE_MS,
    });
    const sent = body === null || body === undefined ? undefined : String(body);
    return guarded(asked, { headers, method, ...(sent !== undefined && { body: sent }), ...(signal && { signal }) });
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw signInErrorOf(error);
  }
}
