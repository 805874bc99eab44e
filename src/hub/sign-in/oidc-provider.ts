/** What belongs to one sign-in at a provider, from when the browser is sent there until it is back. */
export interface OidcVisit {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** What the provider says of somebody: text from outside. */
export type OidcClaims = Readonly<Record<string, unknown>>;

/**
 * The OpenID provider of a team.
 *
 * Fails with a {@link SignInError} that says what happened and what to do: the provider is down, lies, refuses, or the answer is of
 * another sign-in.
 */
export interface OidcProvider {
  /** Where the browser is sent. */
  begin(visit: OidcVisit, redirectUri: string): Promise<URL>;
  /** Who came back. `url`: the redirect URI with what the provider has put behind it. */
  finish(visit: OidcVisit, url: URL): Promise<OidcClaims>;
}
