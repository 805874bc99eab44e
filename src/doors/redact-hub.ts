import { DIALECTS } from '../dialects/registry.ts';
import { createLogSigner } from '../dialects/tlog/shelf/tlog-key.ts';
import { openTlogShelf } from '../dialects/tlog/shelf/tlog-shelf.ts';
import { TLOG_PLACE } from '../dialects/tlog/shelf/tlog-store.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { logEpoch } from '../hub/log-epoch.ts';
import type { RedactedChange } from '../hub/routes/redact-routes.ts';
import { wait } from '../io/node/timer-wait.ts';
import { removeCatalogue } from '../io/sqlite/catalogue-file.ts';
import { writeAnew } from '../io/sqlite/erase-texts.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import type { HubClient } from '../io/undici/hub-client.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import { hubAnswer } from './hub-answer.ts';
import { documentsTelling, hubWorlds } from './hub-worlds.ts';
import { redactChange } from './redact-change.ts';
import { shelfStorage } from './shelf-storage.ts';

/**
 * Removes the texts of a change from the data folder of a hub that is not running, and records this in its provable log. Fails with `LogLockedError` beside a
 * running hub: use its API instead.
 */
export async function redactHub(data: string, id: string): Promise<RedactedChange> {
  await using store = await openSqliteHubStore({ folder: data, mayCreate: false });
  const storage = shelfStorage({ data }, store, { error() {} });
  const place = TLOG_PLACE.open(storage);
  const epoch = await logEpoch(store);
  const newest = place?.store.logs().at(-1);
  if (place === undefined || newest === undefined || newest.epoch !== epoch) throw new LogMissingError(data);
  await using tlog = await openTlogShelf({
    ...place,
    epoch,
    signer: createLogSigner(),
    readChanges: (after) => store.changes({ after }),
    sources: () => [],
    sourceOf: () => undefined,
    // The hub itself records its documents.
    documentsSince: async function* () {},
    documentsNaming: async function* () {},
    documentsSeq: () => 0,
    baseUrl: () => '',
    gzip: gzipDocument,
    now: Date.now,
    wait,
  });
  const [world] = await hubWorlds(store, storage, { options: {}, newest });
  if (world === undefined) throw new LogMissingError(data);
  const redacted = await redactChange(id, {
    store,
    documentsTelling: async ({ url }, texts) => await documentsTelling({ url, texts }, world, DIALECTS),
    tell: async (redaction) => tlog.redact(redaction),
  });
  if (redacted === undefined)
    throw new SettingRefusedError('<change-id>', id, 'No change of this log has it: see "tidings log".');
  if (redacted.fields.length === 0) return redacted;
  // The catalogue is rebuilt from the log. The old one would still find the change by the removed words.
  await removeCatalogue(data);
  // Free pages of the database may still contain earlier copies of rows.
  store.openTables(writeAnew);
  return redacted;
}

/** The same through the API of a running hub. */
export async function redactByHub(client: HubClient, id: string, hub: string): Promise<RedactedChange> {
  const path = `api/v1/changes/${encodeURIComponent(id)}/redact`;
  return hubAnswer<RedactedChange>(await client.ask({ method: 'POST', path, body: {} }), 'fields', hub);
}
