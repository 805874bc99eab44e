import { isPublicName } from '../hub/config/bot-url.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { SELF_SERVICE } from '../hub/keys/self-service-owner.ts';
import { type SourceAccessParts, sourceAccess } from '../hub/keys/source-access.ts';
import { FollowRequests } from '../hub/self-service/follow-requests.ts';
import { RequestBook } from '../hub/self-service/request-book.ts';
import { readConsent } from '../hub/self-service/site-consent.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import { type HubOwners, type HubOwnersParts, openHubOwners } from './hub-owners.ts';
import type { PoliteWays } from './open-http.ts';

export interface SelfServiceParts extends HubOwnersParts, Pick<SourceAccessParts, 'decodeSource'> {
  readonly config: Pick<HubConfig, 'selfService' | 'keySources' | 'botUrl' | 'ca'>;
  /** Never connects to private networks. */
  readonly publicWays: PoliteWays;
}

/** What strangers ask of a hub, and what the owners of watched sites can do. */
export interface SelfService {
  /** Absent if the operator accepts no requests. */
  readonly requests: FollowRequests | undefined;
  readonly book: RequestBook;
  readonly owners: HubOwners;
}

const DAY_MS = 86_400_000;
const MAX_SHOWN = 200;

export async function openSelfService(parts: SelfServiceParts): Promise<SelfService> {
  const { config, store, watch, publicWays, logger, decodeSource } = parts;
  const { selfService: settings, keySources } = config;
  const book = await RequestBook.open(store);
  const owners = await openHubOwners(parts);
  if (!settings.enabled) return { requests: undefined, book, owners };
  const { most, everyMinutes } = settings;
  const rules = { most, minIntervalSeconds: everyMinutes * 60, maxPages: keySources.maxPages };
  const accessOf = sourceAccess({ watch, rules, isPrivateName, decodeSource });
  // A pause that a host asks for here does not affect any source.
  const asker = { name: SELF_SERVICE, isOwn: () => false };
  const requests = new FollowRequests({
    watch,
    access: accessOf({ is: 'owner', owner: SELF_SERVICE }),
    settings,
    limiter: parts.makeLimiter('requests', { now: Date.now, windowMs: DAY_MS }),
    book,
    lookAt: (url, signal) => readConsent(url, publicWays.of(asker), signal),
    isPublicName: (hostname) => isPublicName(hostname, isPrivateName),
    closedFor(hostname) {
      const domain = owners.closed.over(hostname);
      return domain === undefined ? undefined : `The owner of ${domain} does not want it to be followed here.`;
    },
    onOutcome({ atMs: _, ...request }) {
      const { url, client, source } = request;
      logger.info(request, 'A visitor asked for a site to be followed');
      const action = source === undefined ? 'asked for a site, refused' : 'asked for a site, followed';
      const on = { url: url.slice(0, MAX_SHOWN), ...(source && { source }) };
      void parts.log?.record({ who: 'visitor', action, on, from: client });
    },
    now: Date.now,
  });
  return { requests, book, owners };
}
