import { TidingsError } from '../errors/tidings-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import type { MakeLimiter } from '../hub/keys/rate-limiter.ts';
import { ClosedDomains } from '../hub/owners/closed-domains.ts';
import { DomainClaims } from '../hub/owners/domain-claims.ts';
import { DomainOwners, type DomainOwnersParts } from '../hub/owners/domain-owners.ts';
import type { OwnerRoutesParts } from '../hub/routes/owner-routes.ts';
import type { AdminLog } from '../hub/sign-in/admin-log.ts';
import { HubCookie } from '../hub/sign-in/hub-cookie.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { randomEpoch, randomNonce, randomToken } from '../io/node/random-token.ts';
import { type CheckTokenOptions, checkToken } from './verify-domain.ts';

export interface HubOwnersParts {
  readonly config: Pick<HubConfig, 'botUrl' | 'ca' | 'keySources'>;
  readonly store: Pick<HubStore, 'fact' | 'putFact'>;
  readonly watch: Watch;
  readonly hubId: string;
  readonly baseUrl: () => string;
  readonly logger: HubLogger;
  readonly makeLimiter: MakeLimiter;
  /** The log in which operators read who did what. */
  readonly log?: Pick<AdminLog, 'record'>;
  /** For tests. */
  readonly verifying?: CheckTokenOptions;
  readonly now?: () => number;
}

/** What owners of domains may do, without the parts that only routes need. */
export type HubOwners = Omit<OwnerRoutesParts, 'baseUrl'>;

const SECRET_FACT = 'owners-secret';
const HOUR_MS = 60 * 60_000;

export async function openHubOwners(parts: HubOwnersParts): Promise<HubOwners> {
  const { config, store, watch, logger, now = Date.now } = parts;
  const { minIntervalSeconds } = config.keySources;
  const closed = await ClosedDomains.load(store);
  const claims = new DomainClaims({
    secret: await keptSecret(parts),
    hubId: parts.hubId,
    cookie: new HubCookie('owner', parts),
    now,
    newVisitor: () => randomNonce() + randomNonce(),
  });
  const owners = new DomainOwners({
    watch,
    claims,
    closed,
    check: checker(parts),
    onAct(done) {
      const { domain, act, source } = done;
      logger.warn({ ...done }, 'The owner of a domain acted on what is watched of it');
      void parts.log?.record({
        who: `owner of ${domain}`,
        action: act,
        on: { domain, ...(source && { source }) },
        from: domain,
      });
    },
    now,
  });
  return {
    owners,
    claims,
    closed,
    minIntervalSeconds,
    limiter: parts.makeLimiter('owners', { now, windowMs: HOUR_MS }),
  };
}

/** Published tokens must stay valid after a restart. */
async function keptSecret({ store, logger }: HubOwnersParts): Promise<string> {
  const known = await store.fact(SECRET_FACT);
  if (known !== undefined) return known;
  const secret = randomToken();
  try {
    await store.putFact(SECRET_FACT, secret);
  } catch (error) {
    if (!(error instanceof TidingsError)) throw error;
    logger.warn({ error }, 'A secret could not be stored; what owners of domains publish counts until the hub ends');
  }
  return secret;
}

/** Strangers name the domain, so private networks are never contacted. */
function checker({ config, verifying = {} }: HubOwnersParts): DomainOwnersParts['check'] {
  const { botUrl, ca } = config;
  return (domain, token, signal) =>
    checkToken(domain, token, {
      ...(botUrl !== undefined && { botUrl }),
      ...(ca !== undefined && { ca }),
      ...verifying,
      signal,
      probe: randomEpoch,
    });
}
