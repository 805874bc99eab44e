export interface IssuedToken {
  /** As `domainName` gives it. */
  readonly domain: string;
  readonly token: string;
  /** RFC 3339. */
  readonly issuedAt: string;
}

/**
 * Remembers which token was issued for which domain.
 *
 * A domain has one token, the last. One that was ever issued is never issued again, for that domain or another
 * (AIWebIndex 2.0 §7), which the store can tell without keeping it readable.
 */
export interface TokenStore {
  /** Where it is, for a message. */
  readonly name: string;
  current(domain: string): Promise<IssuedToken | undefined>;
  /**
   * Replaces the token of the domain; durable on return, and safe beside other processes. False, with nothing
   * written, when the token was issued before.
   */
  issue(issued: IssuedToken): Promise<boolean>;
}
