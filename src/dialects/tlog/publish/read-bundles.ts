import { decodeEntryBundle } from '../../../codecs/tlog/entry-bundle.ts';
import { encodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { newBundles } from '../../../codecs/tlog/tiles-of-size.ts';
import { StateCorruptError } from '../../../errors/state-corrupt-error.ts';
import type { Place } from '../../../model/folder.ts';

/** How many bundles of a live site are requested at once. */
const AT_ONCE = 8;
const REMEDY = 'Put the files of the log back as they were published, or name the live site with --previous.';

/**
 * All entries of a log of this size, from its bundles. `known` are the last entries from the start of a bundle on, if known.
 * Nothing is proven until they are hashed up to a root.
 */
export async function readAllEntries(
  place: Place,
  size: number,
  known: readonly Uint8Array[] = [],
): Promise<readonly Uint8Array[]> {
  const bundles = [...newBundles(0, size)].filter(({ index }) => index * TILE_WIDTH < size - known.length);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundles.length; at += AT_ONCE) {
    const some = await Promise.all(bundles.slice(at, at + AT_ONCE).map((bundle) => readBundle(place, bundle)));
    for (const each of some) for (const entry of each) entries.push(entry);
  }
  return [...entries, ...known];
}

/** A partial bundle may have been replaced by the full one, which has its entries, too. */
async function readBundle(place: Place, tile: Tile): Promise<readonly Uint8Array[]> {
  const path = encodeTilePath(tile);
  const bytes = await place.read(path);
  const name = `${place.name}/${path}`;
  if (bytes === undefined) throw new StateCorruptError(name, 'it is not there, but the checkpoint covers it.', REMEDY);
  const entries = decodeEntryBundle(bytes, tile.width);
  if (!entries.ok) throw new StateCorruptError(name, entries.issues[0].message, REMEDY);
  return entries.value;
}
