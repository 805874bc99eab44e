/** The data of one sign-in at a provider, until the browser is back. */
export interface OidcVisit {
  readonly state: string;
  readonly nonce: string;
  /** For PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The provider's claims about a person: untrusted text. */
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
  /** The claims of the person who returned. `url`: the redirect URI with the parameters of the provider. */
  finish(visit: OidcVisit, url: URL): Promise<OidcClaims>;
}
