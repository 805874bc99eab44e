import { LOG_PREFIX } from '../../../codecs/tlog/log-origin.ts';
import { encodeTilePath, TILE_WIDTH, type Tile } from '../../../codecs/tlog/tile-path.ts';
import { newBundles, newTiles } from '../../../codecs/tlog/tiles-of-size.ts';
import type { ExportedDocument, ShelfExport } from '../../shelf-export.ts';
import { storeTiles } from './store-tiles.ts';
import { NOTE_CACHE, NOTE_MEDIA_TYPE, TILE_CACHE, TILE_MEDIA_TYPE } from './tlog-routes.ts';
import { signedSizeOf, type TlogStore } from './tlog-store.ts';

const TILE = { mediaType: TILE_MEDIA_TYPE, cacheControl: TILE_CACHE };
const NOTE = { mediaType: NOTE_MEDIA_TYPE, cacheControl: NOTE_CACHE };

/** The log up to its newest checkpoint as files: full tiles and bundles, then partial ones, the key, and the checkpoint last. */
export function exportTlog(store: TlogStore, gunzip: (bytes: Uint8Array) => Promise<Uint8Array>): ShelfExport {
  const files = storeTiles({ store, gunzip });
  const document = (path: string, kind: ExportedDocument['kind']) => ({
    path: `${LOG_PREFIX}/${path}`,
    kind,
    read: () => files.read(path, Number.POSITIVE_INFINITY),
  });
  /** Entries after the newest checkpoint are not public yet. */
  const signedSize = () => {
    const newest = store.logs().at(-1);
    return newest === undefined ? 0 : signedSizeOf(newest);
  };
  const tiles = function* (isWanted: (tile: Tile) => boolean): Iterable<ExportedDocument> {
    const size = signedSize();
    for (const all of [newBundles(0, size), newTiles(0, size)]) {
      for (const tile of all) if (isWanted(tile)) yield { ...TILE, ...document(encodeTilePath(tile), 'lasting') };
    }
  };
  return {
    rules: [
      { path: `${LOG_PREFIX}/tile/*`, ...TILE },
      { path: `${LOG_PREFIX}/checkpoint`, ...NOTE },
      { path: `${LOG_PREFIX}/vkey`, ...NOTE },
    ],
    lasting: () => tiles(({ width }) => width === TILE_WIDTH),
    *heads() {
      if (signedSize() === 0) return;
      for (const tile of tiles(({ width }) => width < TILE_WIDTH)) yield { ...tile, kind: 'moving' };
      yield { ...NOTE, ...document('vkey', 'moving') };
      yield { ...NOTE, ...document('checkpoint', 'moving') };
    },
  };
}
