/**
 * Entry bundle: up to 256 entries, each after its length as two bytes, most significant first.
 *
 *     00 07 65 6e 74 72 79 2d 30        entry-0
 *
 * Spec: https://c2sp.org/tlog-tiles#log-entries
 */

import { isSameBytes } from '../primitives/bytes.ts';
import { accept, type Result, refuse } from '../primitives/result.ts';
import type { Sha256 } from './crypto-functions.ts';
import { TILE_WIDTH } from './tile-path.ts';
import { leafHash } from './tree-hash.ts';

export const MAX_ENTRY_BYTES = 65_535;
const LENGTH_BYTES = 2;

/** The size of a full bundle of the longest entries. A reader may stop after this. */
export const MAX_BUNDLE_BYTES = TILE_WIDTH * (LENGTH_BYTES + MAX_ENTRY_BYTES);

/**
 * Throws a RangeError for an entry that is too long, and if there are none or too many.
 *
 * @example
 * const bundle = encodeEntryBundle([first, second]);
 */
export function encodeEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.length === 0 || entries.length > TILE_WIDTH)
    throw new RangeError(`A bundle has no ${entries.length} entries.`);
  const bundle = new Uint8Array(entries.reduce((bytes, entry) => bytes + LENGTH_BYTES + entry.length, 0));
  const view = new DataView(bundle.buffer);
  let offset = 0;
  for (const entry of entries) {
    if (entry.length > MAX_ENTRY_BYTES) {
      throw new RangeError(`An entry has at most ${MAX_ENTRY_BYTES} bytes, this one ${entry.length}.`);
    }
    view.setUint16(offset, entry.length);
    bundle.set(entry, offset + LENGTH_BYTES);
    offset += LENGTH_BYTES + entry.length;
  }
  return bundle;
}

/**
 * Expects exactly `count` entries and no further byte. They share the memory of the bundle.
 *
 * @example
 * const entries = decodeEntryBundle(bundle, 2);
 * if (entries.ok) entries.value[1]; // the bytes of the second
 */
export function decodeEntryBundle(bytes: Uint8Array, count: number): Result<readonly Uint8Array[]> {
  if (bytes.length > MAX_BUNDLE_BYTES) return refuse('TL-E7', `A bundle has at most ${MAX_BUNDLE_BYTES} bytes.`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Uint8Array[] = [];
  let offset = 0;
  while (entries.length < count) {
    if (offset + LENGTH_BYTES > bytes.length)
      return refuse('TL-E5', `It ends after ${entries.length} of ${count} entries.`);
    const start = offset + LENGTH_BYTES;
    offset = start + view.getUint16(offset);
    if (offset > bytes.length) return refuse('TL-E5', `It ends within entry ${entries.length + 1} of ${count}.`);
    entries.push(bytes.subarray(start, offset));
  }
  if (offset < bytes.length)
    return refuse('TL-E5', `${bytes.length - offset} bytes follow the last of ${count} entries.`);
  return accept(entries);
}

/** The position of the first entry whose hash differs from that in the level 0 tile; undefined if all match. */
export function findAlteredEntry(
  entries: readonly Uint8Array[],
  hashes: readonly Uint8Array[],
  sha256: Sha256,
): number | undefined {
  const at = entries.findIndex((entry, place) => {
    const hash = hashes[place];
    return hash === undefined || !isSameBytes(leafHash(entry, sha256), hash);
  });
  if (at !== -1) return at;
  return hashes.length > entries.length ? entries.length : undefined;
}
