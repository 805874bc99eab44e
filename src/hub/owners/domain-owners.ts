import { ownerActRefusedError, sourceHeldError, sourceUnknownError } from '../../errors/refusals.ts';
import { domainName } from '../../verify/domain-name.ts';
import { type Publication, publicationOf } from '../../verify/verification-token.ts';
import type { DomainReport } from '../../verify/verify-domain.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import type { Watch } from '../watch/watch-port.ts';
import type { ClosedDomains } from './closed-domains.ts';
import { coveringDomain } from './covered-sources.ts';
import type { DomainClaims } from './domain-claims.ts';

/** An action of the owner of a domain. For the operator. */
export interface OwnerAct {
  readonly domain: string;
  readonly act: 'proved' | 'paused' | 'resumed' | 'removed' | 'changed the interval of';
  readonly source?: string;
}

export interface DomainOwnersParts {
  readonly watch: Watch;
  readonly claims: DomainClaims;
  readonly closed: ClosedDomains;
  /** Looks for a token in DNS and at the domain's web server. */
  check(domain: string, token: string, signal: AbortSignal): Promise<DomainReport>;
  onAct(act: OwnerAct): void;
  now(): number;
}

/** What a visitor with a proven domain may do with the sources on it. Other sources do not exist for them. */
export class DomainOwners {
  readonly #parts: DomainOwnersParts;

  constructor(parts: DomainOwnersParts) {
    this.#parts = parts;
  }

  /** Throws a DomainRefusedError for what nobody can own. */
  publicationFor(visitor: string, text: string): Publication & { readonly domain: string } {
    const domain = domainName(text);
    return { domain, ...publicationOf(domain, this.#parts.claims.tokenFor(visitor, domain)) };
  }

  async prove(visitor: string, text: string, signal: AbortSignal): Promise<DomainReport> {
    const { claims, check, onAct } = this.#parts;
    const domain = domainName(text);
    const report = await check(domain, claims.tokenFor(visitor, domain), signal);
    if (!report.verified) {
      claims.disproven(visitor, domain);
      return report;
    }
    if (!claims.domainsOf(visitor).includes(domain)) onAct({ domain, act: 'proved' });
    claims.proven(visitor, domain);
    return report;
  }

  async pause(visitor: string, id: string): Promise<WatchedSource> {
    const { domain, source } = this.#own(visitor, id);
    if (source.paused !== undefined && source.pausedBy !== 'domain') throw sourceHeldError(id, source.paused);
    const paused = await this.#parts.watch.pause(id, `the owner of ${domain} wants it so`, 'domain');
    this.#parts.onAct({ domain, act: 'paused', source: id });
    return paused;
  }

  /** Ends a pause of its owner's own, and no other. */
  async resume(visitor: string, id: string): Promise<WatchedSource> {
    const { domain, source } = this.#own(visitor, id);
    if (source.paused === undefined) return source;
    if (source.pausedBy !== 'domain') throw sourceHeldError(id, source.paused);
    const resumed = await this.#parts.watch.resume(id, { allowDeletes: false, keepsHostPauses: true });
    this.#parts.onAct({ domain, act: 'resumed', source: id });
    return resumed;
  }

  async quicken(visitor: string, id: string, intervalSeconds: number): Promise<WatchedSource> {
    const { domain, source } = this.#own(visitor, id);
    const changed = await this.#parts.watch.change({ ...source.config, intervalSeconds });
    this.#parts.onAct({ domain, act: 'changed the interval of', source: id });
    return changed;
  }

  /** The proof is checked again. A source of the config file is paused, and no visitor may ask for the domain again. */
  async remove(visitor: string, id: string, signal: AbortSignal): Promise<void> {
    const { domain, source } = this.#own(visitor, id);
    const { watch, closed, onAct, now } = this.#parts;
    const { verified, remedy } = await this.prove(visitor, domain, signal);
    if (!verified) throw ownerActRefusedError(domain, remedy ?? 'Prove it again.');
    await closed.close(domain, now());
    if (source.origin === 'config') await watch.pause(id, `the owner of ${domain} wants it removed`, 'domain');
    else await watch.remove(id);
    onAct({ domain, act: 'removed', source: id });
  }

  #own(visitor: string, id: string): { readonly domain: string; readonly source: WatchedSource } {
    const { watch, claims } = this.#parts;
    const source = watch.source(id);
    const domain = source === undefined ? undefined : coveringDomain(claims.domainsOf(visitor), source);
    if (source === undefined || domain === undefined) throw sourceUnknownError(id.slice(0, 100));
    return { domain, source };
  }
}
