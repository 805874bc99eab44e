import { encodeHex } from '../../../codecs/primitives/hex.ts';
import { decodeEntry } from '../../../codecs/tlog/decode-entry.ts';
import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import { othersFirst } from '../../../log/others-first.ts';
import { sha256 } from '../../../tlog/sha256.ts';
import type { FsckFinding } from '../fsck/fsck-finding.ts';
import { type FsckEntry, type FsckStoreParts, fsckTable } from './fsck-parts.ts';
import { fsckPlaces } from './fsck-places.ts';
import { FsckTree } from './fsck-tree.ts';
import { storedBundle } from './store-entries.ts';
import type { TlogRecord } from './tlog-store.ts';

const REDACTED = Buffer.from('"type":"redacted"');

/**
 * Compares the tables of a provable log with each other, and the changes of the hub with its entries. Puts the newest hash of each
 * document in the entries into `hashes`, as hex.
 */
export async function* fsckLog(
  record: TlogRecord,
  parts: FsckStoreParts,
  hashes: Map<string, string>,
): AsyncGenerator<FsckFinding, void, undefined> {
  const { log, size } = record;
  const tree = new FsckTree(record, parts.store);
  yield* tree.checkSigner();
  const redacted = await redactedFields(record, parts);
  let last = { seq: 0 };
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH);
    const entries = await readBundle(log, index, parts);
    if (entries?.length !== width) {
      const what =
        entries === undefined ? 'cannot be read' : `has ${entries.length} entries, where ${width} are signed`;
      yield { what: `Bundle ${index} ${what}.`, where: fsckTable(record, 'bundles') };
      tree.lose();
      continue;
    }
    yield* tree.add(entries);
    const decoded: FsckEntry[] = [];
    for (const [at, bytes] of entries.entries()) {
      const read = decodeEntry(bytes);
      const where = `entry ${index * TILE_WIDTH + at} of log ${log}`;
      if (!read.ok) yield { what: read.issues[0].message, where };
      else if (!read.value.isCanonical) yield { what: 'It is not canonical JSON.', where };
      if (read.ok) decoded.push({ entry: read.value.entry, bytes, index: index * TILE_WIDTH + at });
    }
    for (const { entry } of decoded) {
      if (entry.type === 'artifact' && typeof entry.path === 'string') hashes.set(entry.path, entry.sha256);
      if (entry.type !== 'redacted') continue;
      for (const { path, after } of entry.artifacts)
        if (after !== undefined) hashes.set(path, after.slice('sha256:'.length));
    }
    yield* fsckLists(decoded, record, parts);
    const places = fsckPlaces(decoded, { record, parts, redacted, after: last.seq });
    for await (const step of places) {
      if ('finding' in step) yield step.finding;
      else last = step.last;
    }
    await othersFirst();
  }
  yield* tree.finish();
  // If the log was cut and has no entry of a change yet, this cannot be checked.
  if (last.seq !== record.seq && (last.seq > 0 || parts.cutSeq === 0)) {
    yield {
      what: `It says that it has the changes up to ${record.seq}, and its entries end with ${last.seq}.`,
      where: fsckTable(record),
    };
  }
}

/** Undefined for a damaged row, whose bytes cannot be recovered. */
async function readBundle(
  log: number,
  index: number,
  parts: FsckStoreParts,
): Promise<readonly Uint8Array[] | undefined> {
  try {
    return await storedBundle(log, index, parts);
  } catch {
    return undefined;
  }
}

/** `id field` of every text that the log says was redacted. */
async function redactedFields({ log, size }: TlogRecord, parts: FsckStoreParts): Promise<ReadonlySet<string>> {
  const fields = new Set<string>();
  for (let index = 0; index * TILE_WIDTH < size; index += 1) {
    for (const bytes of (await readBundle(log, index, parts)) ?? []) {
      if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(REDACTED)) continue;
      const read = decodeEntry(bytes);
      if (!read.ok || read.value.entry.type !== 'redacted') continue;
      for (const field of read.value.entry.fields) fields.add(`${read.value.entry.id} ${field}`);
    }
    await othersFirst();
  }
  return fields;
}

/** Checks that the stored lists of checks match the hashes in their entries. */
async function* fsckLists(
  entries: readonly FsckEntry[],
  record: TlogRecord,
  { store, gunzip }: FsckStoreParts,
): AsyncGenerator<FsckFinding, void, undefined> {
  for (const { entry, index } of entries) {
    const packed = entry.type === 'checked' ? store.checkedList(record.log, index) : undefined;
    if (packed === undefined || entry.type !== 'checked') continue;
    const list = await Promise.resolve(gunzip(packed)).catch(() => undefined);
    if (list !== undefined && `sha256:${encodeHex(sha256(list))}` === entry.list) continue;
    yield {
      what: `The list of checks of entry ${index} is not the one that it has the hash of.`,
      where: fsckTable(record, 'checks'),
    };
  }
}
