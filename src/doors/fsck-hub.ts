import { encodeHex } from '../codecs/primitives/hex.ts';
import { LOG_PREFIX } from '../codecs/tlog/log-origin.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { ExportWorld, ShelfSource } from '../dialects/shelf.ts';
import type { ExportedDocument, ShelfExport } from '../dialects/shelf-export.ts';
import type { FsckFinding } from '../dialects/tlog/fsck/fsck-finding.ts';
import { fsckLog } from '../dialects/tlog/shelf/fsck-store.ts';
import { TLOG_PLACE, type TlogRecord } from '../dialects/tlog/shelf/tlog-store.ts';
import { LogMissingError } from '../errors/log-error.ts';
import type { HubConfig } from '../hub/config/hub-config.ts';
import { WEBSUB_HUB_PATH } from '../hub/push/websub/endpoint.ts';
import { shelfSource } from '../hub/shelves/shelf-source.ts';
import { holdView } from '../io/sqlite/held-view.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { gzipDocument } from '../io/zlib/document.ts';
import { sha256 } from '../tlog/sha256.ts';
import type { FsckReport } from './fsck-folder.ts';
import { readableStorage } from './shelf-storage.ts';

export interface FsckHubOptions {
  /** Where readers find the hub; else it is taken from the name of its log. */
  readonly baseUrl?: string | undefined;
  readonly dialects?: readonly Dialect[];
  readonly extensions?: HubConfig['extensions'];
}

/**
 * Grows the provable log of a hub again from its entries, and holds its tiles, its changes with their texts, the feeds and the archives in its data folder
 * against them. Reads only, also beside a hub that runs. Throws a {@link LogMissingError} where there is no provable log.
 */
export async function fsckHub(data: string, options: FsckHubOptions = {}): Promise<FsckReport> {
  await using store = await openSqliteHubStore({ folder: data, readonly: true });
  using _ = store.openTables(holdView);
  const storage = readableStorage({ data }, store);
  const place = TLOG_PLACE.open(storage);
  const logs = place?.store.logs() ?? [];
  const newest = logs.at(-1);
  if (place === undefined || newest === undefined) throw new LogMissingError(data);
  const findings: FsckFinding[] = [];
  const hashes = new Map<string, string>();
  const parts = {
    ...place,
    changesAt: (seqs: readonly number[]) => store.changesAt(seqs),
    readChanges: (after: number) => store.changes({ after }),
    cutSeq: store.logStart()?.seq ?? 0,
  };
  for (const record of logs) for await (const finding of fsckLog(record, parts, hashes)) findings.push(finding);
  const worlds = await worldsOf(store, storage, { options, newest });
  for await (const finding of documentFindings(worlds, { hashes, newest, store, options })) findings.push(finding);
  return { ok: findings.length === 0, size: signedSize(newest), findings };
}

interface DocumentParts {
  readonly hashes: ReadonlyMap<string, string>;
  readonly newest: TlogRecord;
  readonly store: SqliteHubStore;
  readonly options: FsckHubOptions;
}

/** Documents that are not what the log gives, not what they say of themselves, or not what the provable log has the hash of. */
async function* documentFindings(
  worlds: readonly ExportWorld[],
  { hashes, newest, store, options }: DocumentParts,
): AsyncGenerator<FsckFinding, void, undefined> {
  const isTold = ((await store.lastChange())?.seq ?? 0) <= newest.documentsSeq;
  const missing = new Set(hashes.keys());
  const ended: ((path: string) => boolean)[] = [];
  for (const { shelf } of options.dialects ?? DIALECTS) {
    const kind = await shelf?.();
    if (kind === undefined) continue;
    const [world, ...others] = worlds;
    if (world === undefined) continue;
    for await (const { path, what } of kind.faults?.(world) ?? []) yield { what, where: path };
    const exported = kind.exported(world);
    if (exported === undefined) continue;
    if (exported.hasEnded !== undefined) ended.push((path) => exported.hasEnded?.(path) === true);
    const elsewhere = others.flatMap((other) => kind.exported(other) ?? []);
    for await (const document of documentsIn(exported)) {
      const expected = hashes.get(document.path);
      if (expected === undefined) continue;
      missing.delete(document.path);
      // What others made of changes that are not told yet is told by the next round.
      if (document.kind !== 'lasting' && !isTold) continue;
      if (!(await hasHash(document, expected, elsewhere)))
        yield { what: 'It has other bytes than its newest entry in the provable log says.', where: document.path };
    }
  }
  for (const path of missing) {
    if (!ended.some((hasEnded) => hasEnded(path)))
      yield { what: 'It is missing, and the provable log has it.', where: path };
  }
}

/** Links in a document follow the address of the hub, which may have been another one. */
async function hasHash(
  document: ExportedDocument,
  expected: string,
  elsewhere: readonly ShelfExport[],
): Promise<boolean> {
  if ((await hashOf(document)) === expected) return true;
  for (const exported of elsewhere) {
    for await (const other of documentsIn(exported)) {
      if (other.path === document.path && (await hashOf(other)) === expected) return true;
    }
  }
  return false;
}

/** Undefined where it cannot be read. */
async function hashOf(document: ExportedDocument): Promise<string | undefined> {
  const bytes = await Promise.resolve()
    .then(() => document.read())
    .catch(() => undefined);
  return bytes && encodeHex(sha256(bytes));
}

async function* documentsIn(exported: ShelfExport): AsyncGenerator<ExportedDocument, void, undefined> {
  yield* exported.lasting();
  yield* exported.heads();
}

/** The hub as it may be reached: at the address of its settings, else where its log began; with and without a place to subscribe. */
async function worldsOf(
  store: SqliteHubStore,
  storage: ExportWorld['storage'],
  { options, newest }: { readonly options: FsckHubOptions; readonly newest: TlogRecord },
): Promise<readonly ExportWorld[]> {
  const sources = new Map<string, ShelfSource>();
  for (const source of await store.sources()) if (!source.dropped) sources.set(source.config.id, shelfSource(source));
  const named = newest.origin.slice(0, -LOG_PREFIX.length);
  const bases = [...new Set([options.baseUrl, `https://${named}`, `http://${named}`].flatMap((base) => base ?? []))];
  return bases.flatMap((base) => {
    const world: ExportWorld = {
      readChanges: (after) => store.changes({ after }),
      logStart: () => store.logStart(),
      sources: () => [...sources.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
      sourceOf: (id) => sources.get(id),
      baseUrl: () => base,
      root: new URL(base).pathname,
      settings: { extensions: options.extensions ?? {} },
      storage,
      now: Date.now,
      gzip: gzipDocument,
    };
    return [{ ...world, hubUrl: () => new URL(WEBSUB_HUB_PATH, base).href }, world];
  });
}

function signedSize({ checkpoint }: TlogRecord): number {
  return Number(checkpoint?.split('\n')[1] ?? 0);
}
