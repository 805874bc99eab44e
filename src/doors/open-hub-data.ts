import type { Dialect } from '../dialects/dialect.ts';
import type { LogCatalogue } from '../hub/catalogue/log-catalogue.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { hubIdentity } from '../hub/hub-identity.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { randomNonce } from '../io/node/random-token.ts';
import type { Endings } from './endings.ts';
import { adminToken } from './hub-token.ts';
import { type SnapshotSearch, searchSnapshots } from './mcp-search.ts';
import { openCatalogue } from './open-catalogue.ts';
import { type HubParts, type OpenPartsOptions, openHubParts } from './open-hub-parts.ts';
import { openPayments, type StripeSecrets } from './open-payments.ts';
import { ensureLogHoldsFeeds, publishedDocuments } from './own-folder.ts';
import { shelfStorage } from './shelf-storage.ts';
import { tolerating } from './tolerating.ts';

export interface OpenDataOptions extends Pick<OpenPartsOptions, 'wall' | 'trustClock' | 'onJob' | 'cluster'> {
  /** The token of the hub's admin. Absent: the one of an earlier start, else a new one. */
  readonly token?: string;
  /** For keys that are sold with Stripe. */
  readonly stripe?: StripeSecrets;
  readonly logger: HubLogger;
  readonly dialects: readonly Dialect[];
}

/** Everything that a hub has in its data folder. */
export interface HubData extends HubParts {
  readonly catalogue: LogCatalogue;
  readonly pageTexts: SnapshotSearch;
}

/** Opens the data folder. Fails if its log lacks changes that were published from it. */
export async function openHubData(config: HubConfig, options: OpenDataOptions, endings: Endings) {
  const { token, stripe = {}, logger, dialects } = options;
  const onProblem = (message: string) => logger.warn({}, message);
  const parts = await openHubParts(config, endings, { ...options, onProblem });
  const storage = shelfStorage(config, parts.store, logger);
  await ensureLogHoldsFeeds(config.data, parts.store, await publishedDocuments(dialects, storage));
  const payments = await openPayments(config, stripe, endings);
  const admin = await adminToken(parts.store, token);
  const catalogue = endings.use(await openCatalogue({ ...parts, folder: config.data, onProblem }));
  const pageTexts = endings.use(searchSnapshots(parts.store));
  return {
    parts: { ...parts, catalogue, pageTexts },
    storage,
    payments,
    admin,
    hubId: await keptIdentity(parts.store, logger),
  };
}

async function keptIdentity(store: HubParts['store'], logger: HubLogger): Promise<string> {
  const { id, keep } = await hubIdentity(store, randomNonce);
  await tolerating('The id of the hub could not be stored; it has another one after a restart', logger, keep);
  return id;
}
