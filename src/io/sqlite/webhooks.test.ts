import { temporaryFolder } from '../../../test/support/site.ts';
import { describeWebhookStore } from '../../hub/push/webhooks/webhook-store.contract.ts';
import { openSqliteHubStore } from './hub-store.ts';
import { openSqliteWebhooks } from './webhooks.ts';

describeWebhookStore('SQLite', async () => {
  const folder = temporaryFolder();
  return {
    async use(work) {
      await using store = await openSqliteHubStore({ folder: folder.path });
      return await work(store.openTables(openSqliteWebhooks));
    },
    async [Symbol.asyncDispose]() {
      folder[Symbol.dispose]();
    },
  };
});
