import { encodeHex } from '../codecs/primitives/hex.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';
import type { ExportWorld } from '../dialects/shelf.ts';
import type { ExportedDocument, ShelfExport } from '../dialects/shelf-export.ts';
import type { FsckFinding } from '../dialects/tlog/fsck/fsck-finding.ts';
import { fsckLog } from '../dialects/tlog/shelf/fsck-store.ts';
import { TLOG_PLACE, type TlogRecord } from '../dialects/tlog/shelf/tlog-store.ts';
import { LogMissingError } from '../errors/log-error.ts';
import { holdView } from '../io/sqlite/held-view.ts';
import { openSqliteHubStore, type SqliteHubStore } from '../io/sqlite/hub-store.ts';
import { sha256 } from '../tlog/sha256.ts';
import type { FsckReport } from './fsck-folder.ts';
import { documentsIn, type HubWorldOptions, hubWorlds } from './hub-worlds.ts';
import { readableStorage } from './shelf-storage.ts';

export interface FsckHubOptions extends HubWorldOptions {
  readonly dialects?: readonly Dialect[];
  /** Whether the folder has the feeds that are served from files: true unless it is said otherwise. Without them they are held against nothing. */
  readonly hasFeeds?: boolean;
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
  const worlds = await hubWorlds(store, storage, { options, newest });
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

function signedSize({ checkpoint }: TlogRecord): number {
  return Number(checkpoint?.split('\n')[1] ?? 0);
}
