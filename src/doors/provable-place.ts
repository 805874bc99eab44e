import { join, resolve } from 'node:path';
import { findLog, tileSourceOf } from '../audit/audited-place.ts';
import { createFolderSource } from '../check/folder-source.ts';
import { createHttpSource } from '../check/http-source.ts';
import type { SaltedTexts } from '../codecs/tlog/hashed-text.ts';
import { decodeReceipt } from '../codecs/tlog/receipt.ts';
import { unpackSalts } from '../dialects/tlog/shelf/packed-salts.ts';
import { storeTiles } from '../dialects/tlog/shelf/store-tiles.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { readBodyText } from '../fetch/read-text.ts';
import { createFileFolder, openFileFolder } from '../io/files/folder.ts';
import { kindOfFile } from '../io/files/kind.ts';
import { openSqliteHubStore } from '../io/sqlite/hub-store.ts';
import { DATABASE_FILE } from '../io/sqlite/log.ts';
import { readSqliteTlogStore } from '../io/sqlite/tlog-store.ts';
import { gunzipDocument } from '../io/zlib/document.ts';
import { decodeLogParts, readLogParts } from '../log/log-parts.ts';
import type { Change } from '../model/change.ts';
import { textsOf } from '../tlog/entry-of-change.ts';
import type { FoundChange } from '../tlog/provable-log.ts';
import type { TileSource } from '../tlog/tile-source.ts';
import { Endings } from './endings.ts';
import { type HttpOptions, openHttp } from './open-http.ts';
import { STATE_PATH } from './publish.ts';

/** What receipts are made from: the files of a log, and the texts beside it. */
export interface ProvablePlace extends AsyncDisposable {
  /** All logs found, the newest first. */
  readonly logs: readonly TileSource[];
  /** The texts of a change that still exist, with their salts. */
  textsOf(found: FoundChange): Promise<SaltedTexts>;
}

const MAX_LOG_BYTES = 200_000_000;
const MAX_RECEIPT_BYTES = 16 * 1024 * 1024;

/** A published folder, the data folder of a hub (which may run), or the address of either. */
export async function openProvablePlace(
  place: string,
  options: HttpOptions & { readonly state?: string },
): Promise<ProvablePlace> {
  if (/^https?:\/\//i.test(place)) return await openLive(new URL(place), options);
  if ((await kindOfFile(join(place, DATABASE_FILE))) === 'sqlite') return await openHubFolder(place);
  const source = await createFolderSource(openFileFolder(place));
  const tiles = tileSourceOf(source);
  if ((await tiles.read('checkpoint', MAX_LOG_BYTES)) === undefined) throw new LogMissingError(place);
  const state = createFileFolder(resolve(options.state ?? join(place, STATE_PATH)));
  let changes: Promise<readonly Change[]> | undefined;
  return {
    logs: [tiles],
    async textsOf({ entry }) {
      changes ??= readLogParts(state).then((parts) =>
        parts.length === 0 ? [] : decodeLogParts(parts, state.name).changes,
      );
      const change = (await changes).find(({ id }) => id === entry.id);
      return change === undefined ? {} : textsOf(change);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openHubFolder(folder: string): Promise<ProvablePlace> {
  const store = await openSqliteHubStore({ folder, readonly: true });
  const tlog = store.openTables(readSqliteTlogStore);
  if (tlog === undefined) {
    await store[Symbol.asyncDispose]();
    throw new LogMissingError(folder);
  }
  const logs = tlog.logs().map(({ log }) => storeTiles({ store: tlog, log, gunzip: gunzipDocument }));
  return {
    logs: logs.toReversed(),
    async textsOf({ entry }) {
      const change = await store.changeById(entry.id);
      const salts = unpackSalts(tlog.place(entry.seq)?.salts ?? new Uint8Array());
      return change === undefined || salts === undefined ? {} : textsOf({ ...change, salts });
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function openLive(url: URL, options: HttpOptions): Promise<ProvablePlace> {
  const endings = new Endings();
  const http = endings.use(await openHttp(options));
  try {
    const { tiles, documents } = await findLog(createHttpSource(http, url, new AbortController().signal));
    const base = documents.url ?? url;
    const read = async (path: string, maxBytes: number) => {
      const response = await http.get({ url: new URL(path, base), maxBodyBytes: maxBytes });
      if (response.status === 200) return await readBodyText(response, { maxBytes });
      await response.discard();
      return undefined;
    };
    return {
      logs: [tiles],
      async textsOf({ entry }) {
        const receipt = await read(`api/v1/changes/${encodeURIComponent(entry.id)}/receipt`, MAX_RECEIPT_BYTES);
        const decoded = receipt === undefined ? undefined : decodeReceipt(receipt);
        if (decoded?.ok) return decoded.value.texts;
        const log = await read(`${STATE_PATH}/log.ndjson`, MAX_LOG_BYTES);
        return log === undefined ? {} : textsInLines(log, entry.id);
      },
      [Symbol.asyncDispose]: () => endings.run(),
    };
  } catch (error) {
    await endings.run();
    throw error;
  }
}

/** A published log has one record per line. */
function textsInLines(log: string, id: string): SaltedTexts {
  const line = log.split('\n').find((each) => each.includes(`"${id}"`));
  try {
    const change = line === undefined ? undefined : (JSON.parse(line) as Change);
    return change?.id === id ? textsOf(change) : {};
  } catch {
    return {};
  }
}
