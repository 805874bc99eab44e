import { AICF_DISCOVERY_PATH, FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import { type ChangeLists, type ShelfKind, type ShelfLinks, shelfOf } from '../../shelf.ts';
import { aicfLine } from '../events/aicf-line.ts';
import { capabilitiesOf } from '../events/capabilities.ts';
import { exportFeeds } from './feed-export.ts';
import { feedFaults } from './feed-faults.ts';
import { openFeedGenerations } from './feed-generations.ts';
import { feedRoutes } from './feed-routes.ts';
import { ALL_FEED, FEED_STORE } from './feed-store.ts';
import { feedTopic } from './feed-topic.ts';
import { hubFeedPath } from './hub-feed-path.ts';
import { publishedChanges } from './published-changes.ts';

function linksOf(generation: number): ShelfLinks {
  const ofAll = hubFeedPath(ALL_FEED, generation);
  return {
    alternate: { mediaType: FEED_MEDIA_TYPE, path: ofAll },
    feeds: [
      [{ words: 'All changes', path: ofAll }],
      [{ words: 'AICF of one source', path: hubFeedPath('{source}', generation) }],
    ],
    discovery: { words: 'AICF discovery', path: AICF_DISCOVERY_PATH.slice(1) },
  };
}

/** Events as in every feed, oldest first. */
const LISTS: ChangeLists = {
  ending: '.ndjson',
  mediaType: FEED_MEDIA_TYPE,
  words: 'AICF',
  write: ({ changes }) => changes.toReversed().map(aicfLine).join(''),
};

/** The feed of all changes, one of each source, and where they are announced. */
export const AICF_SHELF: ShelfKind = {
  published(storage) {
    const stores = FEED_STORE.open(storage);
    return stores && publishedChanges(stores);
  },

  exported(world) {
    const stores = FEED_STORE.open(world.storage);
    return stores && exportFeeds(stores, world);
  },

  async *faults(world) {
    const stores = FEED_STORE.open(world.storage);
    if (stores !== undefined) yield* feedFaults(stores, world);
  },

  async open({ readChanges, logStart, sourceOf, baseUrl, hubUrl, settings, storage, stopping, now }) {
    const { extensions, ...rest } = settings;
    const stores = FEED_STORE.open(storage);
    if (stores === undefined) throw new Error('There is no place for the feeds of AICF.');
    const feeds = await openFeedGenerations({ stores, readChanges, logStart, stopping });
    // A former source with changes in the log keeps its feed.
    const isSource = (id: string) => sourceOf(id) !== undefined || feeds.find(id) !== undefined;
    return shelfOf(feeds, {
      changeLists: LISTS,
      secure: () => feeds.secure(),
      rebegin: () => feeds.rebegin(),
      get links() {
        return linksOf(feeds.generation);
      },
      feedsOf: ({ id, health }) =>
        health.lastChangeMs === undefined
          ? []
          : [{ words: 'AICF', path: hubFeedPath(encodeURIComponent(id), feeds.generation) }],
      // A line depends only on its change, so this is the line in the feed.
      eventOf(change) {
        const text = aicfLine(change);
        const path = hubFeedPath(encodeURIComponent(change.source), feeds.generation);
        return text === undefined ? undefined : { words: 'AICF line', path, mediaType: FEED_MEDIA_TYPE, text };
      },
      topicAt: (path) => feedTopic(path, { generation: feeds.generation, isSource }),
      routes: () =>
        feedRoutes({
          shelf: feeds,
          hub: { baseUrl, hubUrl, isSource, ...rest, capabilities: capabilitiesOf(extensions) },
          now,
        }),
    });
  },
};
