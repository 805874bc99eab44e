export interface IssuedToken {
  /** As `domainName` returns it. */
  readonly domain: string;
  readonly token: string;
  /** RFC 3339. */
  readonly issuedAt: string;
}

/**
 * Stores which token was issued for which domain.
 *
 * A domain has one token, the last one. A token is never issued twice, for the same domain or another (AIWebIndex 2.0 §7); the store can check that
 * without keeping old tokens readable.
 */
export interface TokenStore {
  /** Its location, for messages. */
  readonly name: string;
  current(domain: string): Promise<IssuedToken | undefined>;
  /**
   * Replaces the token of the domain; durable on return, and safe with concurrent processes. Returns false and writes nothing if the token was issued
   * before.
   */
  issue(issued: IssuedToken): Promise<boolean>;
}
