import { NOT_FROM_THE_LOG, type ShelfKind, shelfOf } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';
import type { ReaderState } from '../read/reader-state.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { exportSurface } from './surface-export.ts';
import { type ServedSurface, surfaceRoutes } from './surface-routes.ts';

/** The folder with the signed surface of the hub itself. */
export const SURFACE_FILES = new StorageKey<ServedSurface>();

/** What the readers of watched feeds know. Opened when it is first needed. */
export const KNOWN_SURFACES = new StorageKey<ReaderState>();

/**
 * What a hub says about its own endpoints, as written by `tidings surface`, and what it knows about the endpoints of the origins
 * that it watches. None of it comes from the log.
 */
export const AGENT_FEED_SHELF: ShelfKind = {
  async open({ storage, sources, now }) {
    const files = SURFACE_FILES.open(storage);
    return shelfOf(NOT_FROM_THE_LOG, {
      routes: () => [
        ...surfaceRoutes({ files, now }),
        ...endpointRoutes({ state: () => KNOWN_SURFACES.open(storage), sources, now }),
      ],
    });
  },

  exported({ storage, now }) {
    const files = SURFACE_FILES.open(storage);
    return files && exportSurface(files, now);
  },
};
