import { AICF_DISCOVERY_PATH, FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import { type ShelfKind, type ShelfLinks, shelfOf } from '../../shelf.ts';
import { capabilitiesOf } from '../events/capabilities.ts';
import { feedRoutes } from './feed-routes.ts';
import { openFeedShelf } from './feed-shelf.ts';
import { FEED_STORE } from './feed-store.ts';
import { publishedChanges } from './published-changes.ts';

const LINKS: ShelfLinks = {
  alternate: { mediaType: FEED_MEDIA_TYPE, path: 'ai-changes.ndjson' },
  feeds: [
    [{ words: 'All changes', path: 'ai-changes.ndjson' }],
    [{ words: 'Of one source', path: 'aicf/{source}.ndjson' }],
  ],
  discovery: { words: 'AICF discovery', path: AICF_DISCOVERY_PATH.slice(1) },
};

/** The feed of all changes, one of each source, and where they are announced. */
export const AICF_SHELF: ShelfKind = {
  published(storage) {
    const store = FEED_STORE.open(storage);
    return store && publishedChanges(store);
  },

  async open({ readChanges, sourceOf, baseUrl, settings, storage, now }) {
    const { extensions, ...rest } = settings;
    const store = FEED_STORE.open(storage);
    if (store === undefined) throw new Error('There is no place for the feeds of AICF.');
    const feeds = await openFeedShelf({ store, readChanges });
    // One that was watched, and has changes in the log, keeps its feed.
    const isSource = (id: string) => sourceOf(id) !== undefined || feeds.find(id) !== undefined;
    return shelfOf(feeds, {
      links: LINKS,
      feedsOf: ({ id, health }) =>
        health.lastChangeMs === undefined ? [] : [{ words: 'feed', path: `aicf/${encodeURIComponent(id)}.ndjson` }],
      routes: () =>
        feedRoutes({
          shelf: feeds,
          hub: { baseUrl, isSource, ...rest, capabilities: capabilitiesOf(extensions) },
          now,
        }),
    });
  },
};
