import { DIFF_SCHEMA } from '../../../codecs/diffdelta/schema.ts';
import { DIFFDELTA_DISCOVERY_PATH } from '../../../codecs/diffdelta/wire.ts';
import { type ShelfKind, type ShelfLinks, type ShelfSettings, type ShelfSource, shelfOf } from '../../shelf.ts';
import { diffDeltaDocumentRoutes, diffDeltaFeedRoutes } from './diffdelta-routes.ts';
import { itemOfChange } from './item-of-change.ts';
import { exportRuns } from './run-export.ts';
import { runFaults } from './run-faults.ts';
import { openRunShelf } from './run-shelf.ts';
import { RUN_STORE } from './run-store.ts';

/** How often clients of DiffDelta should ask, by default. */
const TTL_SEC = 300;

const SCHEMA = `${JSON.stringify(DIFF_SCHEMA, null, 2)}\n`;

const LINKS: ShelfLinks = {
  feeds: [
    [
      { words: 'DiffDelta', path: 'diff/head.json' },
      { words: 'DiffDelta, every source', path: 'diff/sources.json' },
    ],
  ],
  discovery: { words: 'DiffDelta discovery', path: DIFFDELTA_DISCOVERY_PATH.slice(1) },
};

/** Heads, feeds and archives of every source and of all of them, and the list in `/diff/sources.json`. */
export const DIFFDELTA_SHELF: ShelfKind = {
  async open(world) {
    const { settings, sources, sourceOf, baseUrl, storage, now } = world;
    const store = RUN_STORE.open(storage);
    if (store === undefined) throw new Error('There is no place for the files of DiffDelta.');
    const { ttlSec, ttlSecOf } = rhythmsOf(settings);
    const runs = await openRunShelf({
      ...world,
      store,
      sources: () => sources().map(({ id }) => id),
      ttlSec,
      ttlSecOf: (id) => ttlSecOf(sourceOf(id)),
      relay: world.steps?.('diffdelta'),
    });
    const hub = { baseUrl, sources, isSource: (id: string) => sourceOf(id) !== undefined, ttlSec, ttlSecOf };
    const parts = { runs, hub, schema: SCHEMA, now };
    return shelfOf(runs, {
      restate: (ids) => runs.restate(ids),
      standingOf: (source) => runs.standingOf(source),
      links: LINKS,
      feedsOf: ({ id }) => [
        { words: 'DiffDelta head', path: `diff/${id}/head.json` },
        { words: 'DiffDelta, the newest changes', path: `diff/${id}/latest.json` },
      ],
      async eventOf(change) {
        const found = await itemOfChange(change, store);
        return found && { ...found, words: 'DiffDelta item', mediaType: 'application/json' };
      },
      endArchives: (kept) => runs.endArchives(kept),
      documentsSince: (seq) => runs.documentsSince(seq),
      routes: () => [...diffDeltaFeedRoutes(parts), ...diffDeltaDocumentRoutes(parts)],
    });
  },

  async *faults({ storage }) {
    const store = RUN_STORE.open(storage);
    if (store !== undefined) yield* runFaults(store);
  },

  exported(world) {
    const store = RUN_STORE.open(world.storage);
    return store && exportRuns(store, { ...world, ...rhythmsOf(world.settings), schema: SCHEMA });
  },
};

/** How often clients should ask. */
function rhythmsOf({ ttlSeconds }: ShelfSettings) {
  return {
    ttlSec: Math.max(1, ttlSeconds ?? TTL_SEC),
    // A source has no news more often than it is checked.
    ttlSecOf: (source: ShelfSource | undefined) => Math.max(1, ttlSeconds ?? source?.intervalSeconds ?? TTL_SEC),
  };
}
