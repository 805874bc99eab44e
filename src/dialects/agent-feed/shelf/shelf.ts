import { NOT_FROM_THE_LOG, type ShelfKind, shelfOf } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';
import type { ReaderState } from '../read/reader-state.ts';
import { endpointRoutes } from './endpoint-routes.ts';
import { exportSurface } from './surface-export.ts';
import { type ServedSurface, surfaceRoutes } from './surface-routes.ts';

/** The folder in which the operator of a hub signs what it says of itself. */
export const SURFACE_FILES = new StorageKey<ServedSurface>();

/** What the readers of watched feeds know. Opened when it is first asked for. */
export const KNOWN_SURFACES = new StorageKey<ReaderState>();

/**
 * What a hub says of its own endpoints, as `tidings surface` left it, and what it knows of those of the origins that it watches. Nothing of it
 * comes from the log.
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
