import { isPublicName } from '../hub/config/bot-url.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createRateLimiter } from '../hub/keys/rate-limiter.ts';
import { SELF_SERVICE } from '../hub/keys/self-service-owner.ts';
import { type SourceAccessParts, sourceAccess } from '../hub/keys/source-access.ts';
import { FollowRequests } from '../hub/self-service/follow-requests.ts';
import { RequestBook } from '../hub/self-service/request-book.ts';
import { readConsent } from '../hub/self-service/site-consent.ts';
import type { HubStore } from '../hub/store/hub-store.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import type { Watch } from '../hub/watch/watch-port.ts';
import { isPrivateName } from '../io/dns/private-host.ts';
import type { PoliteWays } from './open-http.ts';

export interface SelfServiceParts extends Pick<SourceAccessParts, 'decodeSource'> {
  readonly config: Pick<HubConfig, 'selfService' | 'keySources'>;
  readonly store: Pick<HubStore, 'fact' | 'putFact'>;
  readonly watch: Watch;
  /** Never into private networks. */
  readonly publicWays: PoliteWays;
  readonly logger: HubLogger;
}

/** What strangers ask of a hub. */
export interface SelfService {
  /** Absent: the operator takes no requests. */
  readonly requests: FollowRequests | undefined;
  readonly book: RequestBook;
}

const DAY_MS = 86_400_000;

export async function openSelfService(parts: SelfServiceParts): Promise<SelfService> {
  const { config, store, watch, publicWays, logger, decodeSource } = parts;
  const { selfService: settings, keySources } = config;
  const book = await RequestBook.open(store);
  if (!settings.enabled) return { requests: undefined, book };
  const { most, everyMinutes } = settings;
  const rules = { most, minIntervalSeconds: everyMinutes * 60, maxPages: keySources.maxPages };
  const accessOf = sourceAccess({ watch, rules, isPrivateName, decodeSource });
  // What a host says to one stranger keeps no source from it.
  const asker = { name: SELF_SERVICE, isOwn: () => false };
  const requests = new FollowRequests({
    watch,
    access: accessOf({ is: 'owner', owner: SELF_SERVICE }),
    settings,
    limiter: createRateLimiter({ now: Date.now, windowMs: DAY_MS }),
    book,
    lookAt: (url, signal) => readConsent(url, publicWays.of(asker), signal),
    isPublicName: (hostname) => isPublicName(hostname, isPrivateName),
    closedFor: () => undefined,
    onOutcome: ({ atMs: _, ...request }) => logger.info(request, 'A visitor asked for a site to be followed'),
    now: Date.now,
  });
  return { requests, book };
}
