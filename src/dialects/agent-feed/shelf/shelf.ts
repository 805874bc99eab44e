import { NOT_FROM_THE_LOG, type ShelfKind, shelfOf } from '../../shelf.ts';
import { StorageKey } from '../../shelf-storage.ts';
import { type ServedSurface, surfaceRoutes } from './surface-routes.ts';

/** The folder in which the operator of a hub signs what it says of itself. */
export const SURFACE_FILES = new StorageKey<ServedSurface>();

/** What a hub says of its own endpoints, as `tidings surface` left it. Nothing of it comes from the log. */
export const AGENT_FEED_SHELF: ShelfKind = {
  async open({ storage, now }) {
    const files = SURFACE_FILES.open(storage);
    return shelfOf(NOT_FROM_THE_LOG, { routes: () => surfaceRoutes({ files, now }) });
  },
};
