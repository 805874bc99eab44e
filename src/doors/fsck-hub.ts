import { encodeHex } from '../codecs/primitives/hex.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { ExportWorld } from '../dialects/shelf.ts';
import type { ExportedDocument, ShelfExport } from '../dialects/shelf-export.ts';
import type { FsckFinding } from '../dialects/tlog/fsck/fsck-finding.ts';
import { fsckLog } from '../dialects/tlog/shelf/fsck-store.ts';
import { signedSizeOf, TLOG_PLACE, type TlogRecord } from '../dialects/tlog/shelf/tlog-store.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { holdView } from '../io/sqlite/held-view.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { sha256 } from '../tlog/sha256.ts';
import type { FsckReport } from './fsck-folder.ts';
import { documentsIn, type HubWorldOptions, hubWorlds } from './hub-worlds.ts';
import { readableStorage } from './shelf-storage.ts';

export interface FsckHubOptions extends HubWorldOptions {
  readonly dialects?: readonly Dialect[];
  /** Whether the folder has the feeds that are served from files. Default: true. If not, the feeds are not checked. */
  readonly hasFeeds?: boolean;
}

/**
 * Rebuilds the provable log of a hub from its entries, and compares its tiles, its changes with their texts, the feeds and the archives in its data folder with
 * them. Only reads, even beside a running hub. Throws a {@link LogMissingError} if there is no provable log.
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
  const worlds = await hubWorlds(store, storage, { options, newest });
  for await (const finding of documentFindings(worlds, { hashes, newest, store, options })) findings.push(finding);
  return { ok: findings.length === 0, size: signedSizeOf(newest), findings };
}

interface DocumentParts {
  readonly hashes: ReadonlyMap<string, string>;
  readonly newest: TlogRecord;
  readonly store: SqliteHubStore;
  readonly options: FsckHubOptions;
}

/** Documents that differ from what the log gives, from what they say about themselves, or from their hash in the provable log. */
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
    const isHere = options.hasFeeds !== false || kind.published === undefined;
    for await (const { path, what } of (isHere && kind.faults?.(world)) || []) yield { what, where: path };
    const exported = kind.exported(world);
    if (exported === undefined) continue;
    if (exported.hasEnded !== undefined) ended.push((path) => exported.hasEnded?.(path) === true);
    const elsewhere = others.flatMap((other) => kind.exported(other) ?? []);
    for await (const document of documentsIn(exported)) {
      const expected = hashes.get(document.path);
      if (expected === undefined) continue;
      missing.delete(document.path);
      // A document with changes that are not in the provable log yet gets its entry in the next round.
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

/** Links in a document use the address of the hub, which may have changed. */
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

/** Undefined if it cannot be read. */
async function hashOf(document: ExportedDocument): Promise<string | undefined> {
  const bytes = await Promise.resolve()
    .then(() => document.read())
    .catch(() => undefined);
  return bytes && encodeHex(sha256(bytes));
}
