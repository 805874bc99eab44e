/**
 * tree.json, beside log.ndjson and beside the checkpoint: the state of the provable log of a published site, with all that the next publish needs.
 *
 *     {"tidings":"tree/1","origin":"docs.example/.well-known/tidings","key":"…","size":7,"open":[["…"]],"entries":["{…}"],
 *      "changes":3,"last":"01ARZ3NDEKTSV4RRFFQ69G5FAV","chain":"…","partials":["tile/0/000.p/7"],"files":{"ai-changes.ndjson":"…"}}
 *
 * It is written before its head is signed, so that the next run continues one that was cut off and never contradicts it. If the file is lost,
 * it is rebuilt from the entries.
 */
import { decodeBase64, encodeBase64 } from '../../../codecs/primitives/base64.ts';
import { isRecord } from '../../../codecs/primitives/json-record.ts';
import { TILE_WIDTH } from '../../../codecs/tlog/tile-path.ts';
import type { TreeEdge } from '../../../tlog/grow-tree.ts';

export const TREE_FILE = 'tree.json';
const FORMAT = 'tree/1';

export interface TreeFile {
  /** Fixed when the log began. */
  readonly origin: string;
  /** The public key of the log, the 32 raw bytes. */
  readonly publicKey: Uint8Array;
  readonly edge: TreeEdge;
  /** The entries of the bundles that the last publish filled. Until those are written, they are stored only here. */
  readonly filled: readonly Uint8Array[];
  /** How many changes of log.ndjson are in the log, or before its beginning. */
  readonly changes: number;
  /** The id of the last of them. */
  readonly last?: string;
  /** The digest over their lines in log.ndjson, see {@link chainLines}. */
  readonly chain: string;
  /** The paths of partial tiles that a published checkpoint needed. They must stay. */
  readonly partials: readonly string[];
  /** SHA-256 in hex of each file that the log has an entry for, according to the newest entry. */
  readonly files: ReadonlyMap<string, string>;
}

/** Always writes its keys in the same order, so that one state of a log has exactly one file. */
export function encodeTreeFile(tree: TreeFile): Uint8Array {
  const { origin, publicKey, edge, filled, changes, last, chain, partials, files } = tree;
  const { size } = edge;
  const open = edge.open.map((hashes) => hashes.map(encodeBase64));
  const entries = [...filled, ...edge.entries].map((entry) => Buffer.from(entry).toString());
  const key = encodeBase64(publicKey);
  const head = { tidings: FORMAT, origin, key, size, open, entries, changes, last, chain, partials };
  return Buffer.from(`${JSON.stringify({ ...head, files: Object.fromEntries(files) })}\n`);
}

/** Undefined for a file of another version, or an invalid one. Only the root of a checkpoint can prove it true. */
export function decodeTreeFile(bytes: Uint8Array | undefined): TreeFile | undefined {
  if (bytes === undefined) return undefined;
  try {
    const file: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isRecord(file) && file.tidings === FORMAT ? treeOf(file) : undefined;
  } catch {
    return undefined;
  }
}

function treeOf(file: Readonly<Record<string, unknown>>): TreeFile | undefined {
  const { origin, key, size, open, entries, changes, last, chain, partials, files } = file;
  if (typeof origin !== 'string' || typeof key !== 'string' || typeof chain !== 'string' || !isRecord(files))
    return undefined;
  if (!isCount(size) || !isCount(changes) || !isListOfTexts(entries) || !isListOfTexts(partials)) return undefined;
  if (!Array.isArray(open) || !open.every(isListOfTexts)) return undefined;
  const publicKey = decodeBase64(key);
  const hashes = open.map((level) => level.map(decodeBase64).filter((hash) => hash?.length === 32));
  const digests = Object.entries(files).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  if (publicKey === undefined) return undefined;
  const all = entries.map((entry) => Buffer.from(entry));
  const start = Math.max(0, all.length - (size % TILE_WIDTH));
  return {
    origin,
    publicKey,
    edge: {
      size,
      open: hashes.map((level) => level.flatMap((hash) => (hash === undefined ? [] : [hash]))),
      entries: all.slice(start),
    },
    filled: all.slice(0, start),
    changes,
    ...(typeof last === 'string' && { last }),
    chain,
    partials,
    files: new Map(digests),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
