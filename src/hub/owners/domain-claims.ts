import { createHmac } from 'node:crypto';
import type { HubRequest } from '../http/route.ts';
import type { HubCookie } from '../sign-in/hub-cookie.ts';

export interface DomainClaimsParts {
  /** Known to this hub alone, over restarts. */
  readonly secret: string;
  readonly hubId: string;
  readonly cookie: HubCookie;
  now(): number;
  /** A text that nobody has had before. */
  newVisitor(): string;
}

const DAY_MS = 86_400_000;
/** How long somebody may take to publish a token and return. */
const CLAIM_MS = 30 * DAY_MS;
/** How long a proof is valid. Then the token is looked for again. */
export const PROOF_MS = 60 * 60_000;
const MOST_PROOFS = 10_000;
const VISITOR = /^([0-9a-z]{6,10})\.[\w-]{16,64}$/;

/**
 * Who claims which domain, and who has proven it.
 *
 * A browser has one secret in its cookie. The token of a domain is derived from it, the name of the domain, and a secret of the hub: it is valid for this
 * browser, domain and hub only, nobody can end the token of somebody else by requesting one, and nothing needs to be stored. Proofs are kept in memory: after
 * a restart they are looked for again.
 */
export class DomainClaims {
  readonly #parts: DomainClaimsParts;
  /** By visitor and domain: until when. The one that was proven longest ago comes first. */
  readonly #proofs = new Map<string, number>();

  constructor(parts: DomainClaimsParts) {
    this.#parts = parts;
  }

  /** The visitor of the cookie. Several valid cookies count as none: somebody else set one of them. */
  visitorOf({ headers }: Pick<HubRequest, 'headers'>): string | undefined {
    const found = this.#parts.cookie.valuesIn(headers.cookie).filter((value) => this.#counts(value));
    return found.length === 1 ? found[0] : undefined;
  }

  /** Somebody new, and the cookie that says so. */
  begin(): { readonly visitor: string; readonly cookie: string } {
    const { now, newVisitor, cookie } = this.#parts;
    const visitor = `${Math.floor(now() / 1000).toString(36)}.${newVisitor()}`;
    return { visitor, cookie: cookie.set(visitor, CLAIM_MS / 1000) };
  }

  /** What the owner of a domain publishes for this visitor: 256 bits. */
  tokenFor(visitor: string, domain: string): string {
    const { secret, hubId } = this.#parts;
    return createHmac('sha256', secret)
      .update(JSON.stringify([hubId, domain, visitor]))
      .digest('hex');
  }

  proven(visitor: string, domain: string): void {
    const key = keyOf(visitor, domain);
    this.#proofs.delete(key);
    this.#proofs.set(key, this.#parts.now() + PROOF_MS);
    const [oldest] = this.#proofs.keys();
    if (this.#proofs.size > MOST_PROOFS && oldest !== undefined) this.#proofs.delete(oldest);
  }

  disproven(visitor: string, domain: string): void {
    this.#proofs.delete(keyOf(visitor, domain));
  }

  /** Ends the proofs of a domain for all visitors. */
  endProofs(domain: string): void {
    for (const key of this.#proofs.keys()) if (key.endsWith(` ${domain}`)) this.#proofs.delete(key);
  }

  /** What a visitor has proven recently. */
  domainsOf(visitor: string | undefined): readonly string[] {
    if (visitor === undefined) return [];
    const nowMs = this.#parts.now();
    const own = [...this.#proofs].filter(([key, untilMs]) => key.startsWith(`${visitor} `) && untilMs > nowMs);
    return own.map(([key]) => key.slice(visitor.length + 1)).sort();
  }

  #counts(value: string): boolean {
    const begunMs = Number.parseInt(VISITOR.exec(value)?.[1] ?? '', 36) * 1000;
    const ageMs = this.#parts.now() - begunMs;
    return ageMs > -DAY_MS && ageMs < CLAIM_MS;
  }
}

/** Neither has a space in it. */
function keyOf(visitor: string, domain: string): string {
  return `${visitor} ${domain}`;
}
