import { AlertLog } from '../hub/alerts/alert-log.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { createKeyRing } from '../hub/keys/key-ring.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import { ChangeTail } from '../hub/push/change-tail.ts';
import type { HubLogger } from '../hub/watch/logger.ts';
import { randomSecretBytes } from '../io/node/random-token.ts';
import { openSqliteAlerts } from '../io/sqlite/alerts.ts';
import { Endings } from './endings.ts';
import { openWebhookDesk } from './hub-webhooks.ts';
import { createRouteClient } from './route-client.ts';
import { openSharedHub, type SharedHubOptions } from './shared-hub.ts';
import { createHubSubscriptions, type HubSubscriptions } from './subscription-client.ts';

export interface SubscriptionDatabaseOptions extends SharedHubOptions {
  readonly config: HubConfig;
  readonly signal: AbortSignal;
}

/** Changes here were requested by a caller, who prints them. */
const SILENT: HubLogger = { debug() {}, info() {}, warn() {}, error() {} };

/** The subscriptions of a hub in a database. Requests go to the routes in this process instead of to a server; the delivering server is notified of writes. */
export async function openSubscriptionDatabase(options: SubscriptionDatabaseOptions): Promise<HubSubscriptions> {
  const { config, signal } = options;
  const endings = new Endings();
  try {
    const { store, shown } = endings.use(await openSharedHub(options));
    const epoch = await logEpoch(store);
    const alerts = new AlertLog({ store: store.openTables(openSqliteAlerts), epoch, random: randomSecretBytes });
    const desk = await openWebhookDesk(
      {
        config,
        tail: new ChangeTail({ store, newest: await store.lastChange() }),
        epoch,
        store,
        keys: await createKeyRing(store.keys),
        logger: SILENT,
        baseUrl: () => config.baseUrl ?? '',
        onBug: throwLater,
      },
      { alerts },
    );
    endings.add(() => desk.close());
    const client = createRouteClient(desk.routes, { place: shown, signal });
    return createHubSubscriptions({ ...client, [Symbol.asyncDispose]: () => endings.run() }, shown);
  } catch (error) {
    await endings.run();
    throw error;
  }
}

/** A bug crashes the process. */
function throwLater(error: unknown): never {
  throw error;
}
