import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEntry } from '../../src/codecs/tlog/decode-entry.ts';
import type { LogEntry } from '../../src/codecs/tlog/entry.ts';
import { decodeEntryBundle } from '../../src/codecs/tlog/entry-bundle.ts';
import { openCheckpoint } from '../../src/codecs/tlog/open-checkpoint.ts';
import { encodeTilePath } from '../../src/codecs/tlog/tile-path.ts';
import { newBundles } from '../../src/codecs/tlog/tiles-of-size.ts';
import { decodeVerifierKey } from '../../src/codecs/tlog/verifier-key.ts';
import { encodeLogKey, newLogKey } from '../../src/dialects/tlog/log-key.ts';
import { verifySignature } from '../../src/surface/ed25519.ts';
import { EMPTY_EDGE, growTree } from '../../src/tlog/grow-tree.ts';
import { sha256 } from '../../src/tlog/sha256.ts';

/** The key of a test: it protects nothing. */
export const TEST_LOG_KEY = encodeLogKey(newLogKey(new Uint8Array(32).fill(9), '2026-11-18T00:00:00Z'));

/** The log of a published folder, with descriptions of its faults. */
export interface SeenLog {
  readonly size: number;
  readonly root: string;
  readonly note: string;
  readonly entries: readonly LogEntry[];
  readonly bytes: readonly Uint8Array[];
  readonly faults: readonly string[];
}

/** Reads the log that a folder serves like a stranger would, including every tile. */
export function readTestLog(folder: string): SeenLog {
  const prefix = join(folder, '.well-known/tidings');
  const read = (path: string) => readFileSync(join(prefix, path));
  const key = decodeVerifierKey(read('vkey').toString().trimEnd(), sha256);
  if (!key.ok) throw new Error(key.issues[0].message);
  const note = read('checkpoint');
  const opened = openCheckpoint(note, {
    origin: key.value.name,
    logKeys: [key.value],
    verifySignature: ({ publicKey, message, signature }) => verifySignature(publicKey, message, signature),
  });
  if (!opened.ok) throw new Error(opened.issues[0].message);
  const { treeSize, rootHash } = opened.value.checkpoint;
  const faults: string[] = [];
  const bytes: Uint8Array[] = [];
  for (const bundle of newBundles(0, treeSize)) {
    const path = encodeTilePath(bundle);
    const entries = existsSync(join(prefix, path)) ? decodeEntryBundle(read(path), bundle.width) : undefined;
    if (entries?.ok) bytes.push(...entries.value);
    else faults.push(`${path} is missing or broken`);
  }
  const grown = growTree(EMPTY_EDGE, bytes, sha256);
  if (Buffer.compare(grown.root, rootHash) !== 0) faults.push('the entries give another root');
  for (const tile of grown.tiles) {
    const path = encodeTilePath(tile);
    if (!existsSync(join(prefix, path)) || Buffer.compare(read(path), tile.bytes) !== 0) faults.push(`${path} differs`);
  }
  const entries = bytes.map((entry) => {
    const decoded = decodeEntry(entry);
    if (!decoded.ok || !decoded.value.isCanonical) throw new Error(`${Buffer.from(entry).toString()} is no entry.`);
    return decoded.value.entry;
  });
  return { size: treeSize, root: Buffer.from(rootHash).toString('hex'), note: note.toString(), entries, bytes, faults };
}

/** The root of the first entries of a log. */
export function rootOf(bytes: readonly Uint8Array[]): string {
  return Buffer.from(growTree(EMPTY_EDGE, bytes, sha256).root).toString('hex');
}
