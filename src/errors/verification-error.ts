import { TidingsError } from './tidings-error.ts';

/** What was given is no domain that somebody can own. Nothing was done. */
export class DomainRefusedError extends TidingsError {
  override readonly name = 'DomainRefusedError';
  readonly recovery = 'fix-config';
  readonly domain: string;

  constructor(domain: string, reason: string) {
    super(`"${domain}" cannot be verified: ${reason}`);
    this.domain = domain;
  }
}

/** There is nothing to look for yet: no token was issued for the domain. */
export class NoTokenError extends TidingsError {
  override readonly name = 'NoTokenError';
  readonly recovery = 'fix-config';
  readonly domain: string;

  constructor(domain: string, store: string) {
    super(
      `No token was issued for ${domain} yet. Run first: tidings verify-domain ${domain} --issue ` +
        `(tokens are kept in ${store}; --state names another folder).`,
    );
    this.domain = domain;
  }
}
