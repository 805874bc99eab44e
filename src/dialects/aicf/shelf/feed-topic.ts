import type { ShelfTopic } from '../../shelf.ts';
import { HUB_FEED_FILE } from './feed-routes.ts';
import { ALL_FEED } from './feed-store.ts';
import { hubFeedPath } from './hub-feed-path.ts';

export interface FeedTopicParts {
  /** The generation of the growing feeds. */
  readonly generation: number;
  /** Whether the source has a feed. */
  readonly isSource: (id: string) => boolean;
}

/** The feed at a path, if it is a growing one. */
export function feedTopic(path: string, { generation, isSource }: FeedTopicParts): ShelfTopic | undefined {
  const [, source] = HUB_FEED_FILE.exec(path.replace(/^aicf\//, '')) ?? [];
  const isOfAll = path === hubFeedPath(ALL_FEED, generation);
  if (isOfAll) return { path, tells: () => true };
  if (source === undefined || path !== hubFeedPath(source, generation) || !isSource(source)) return undefined;
  return { path, source, tells: () => true };
}
