import { AICF_DISCOVERY_PATH, DISCOVERY_MEDIA_TYPE, FEED_MEDIA_TYPE } from '../../../codecs/aicf/wire.ts';
import type { ExportWorld } from '../../shelf.ts';
import type { ExportedDocument, ShelfExport } from '../../shelf-export.ts';
import { capabilitiesOf } from '../events/capabilities.ts';
import { growingGeneration } from './feed-generations.ts';
import { type DiscoveryFacts, feedCacheControl, feedDiscovery } from './feed-routes.ts';
import { ALL_FEED, type FeedStores, type MarkedFeed } from './feed-store.ts';
import { feedsOfLog, type LogFeed } from './feeds-of-log.ts';
import { hubFeedPath } from './hub-feed-path.ts';

/**
 * The feeds of a hub as files, followed by the documents that say where they are.
 *
 * A growing feed consists of what its marks guarantee, followed by what the log has in addition: a concurrent writer cannot leave half a line in it.
 * Feeds from before the log was truncated stay as they were finished.
 */
export function exportFeeds(stores: FeedStores, world: ExportWorld): ShelfExport {
  const { extensions, ...settings } = world.settings;
  const hub = { ...settings, baseUrl: world.baseUrl, capabilities: capabilitiesOf(extensions) };
  const feed = { mediaType: FEED_MEDIA_TYPE, cacheControl: feedCacheControl(settings) };
  const { mediaType, cacheControl } = feedDiscovery(hub, '');
  const discovery = { mediaType, cacheControl };
  return {
    rules: [
      { path: 'ai-changes.ndjson', ...feed },
      { path: 'aicf/*.ndjson', ...feed },
      { path: AICF_DISCOVERY_PATH.slice(1), ...discovery },
      { path: `aicf/*${AICF_DISCOVERY_PATH}`, ...discovery },
    ],
    lasting: () => [],
    async *heads() {
      const begun = await stores.generations();
      const growing = growingGeneration(begun, world.logStart()?.seq ?? 0);
      for (const { generation } of begun) {
        if (generation === growing) continue;
        const { feeds = [] } = (await stores.marked(generation)) ?? {};
        for (const closed of feeds) yield { ...feed, ...closedFeed(closed, generation) };
      }
      const feeds = await feedsOfLog(stores, growing, world);
      for (const found of feeds.values()) yield { ...feed, ...growingFeed(found, growing) };
      for (const name of feeds.keys()) if (name !== ALL_FEED) yield discoveryOf(name, growing, hub);
      yield discoveryOf(ALL_FEED, growing, hub);
    },
  };
}

type FeedFile = Pick<ExportedDocument, 'path' | 'kind' | 'version' | 'read'>;

function closedFeed(feed: MarkedFeed, generation: number): FeedFile {
  const { name, lastId, bytes, read } = feed;
  return { path: hubFeedPath(name, generation), kind: 'growing', version: { tag: lastId, bytes }, read };
}

function growingFeed({ name, version, read }: LogFeed, generation: number): FeedFile {
  return { path: hubFeedPath(name, generation), kind: 'growing', version, read };
}

function discoveryOf(name: string, generation: number, hub: DiscoveryFacts): ExportedDocument {
  const { bytes, cacheControl } = feedDiscovery(hub, hubFeedPath(name, generation));
  const path = name === ALL_FEED ? AICF_DISCOVERY_PATH.slice(1) : `aicf/${name}${AICF_DISCOVERY_PATH}`;
  return { path, kind: 'moving', mediaType: DISCOVERY_MEDIA_TYPE, cacheControl, read: () => bytes };
}
