import { strictHttpUrl } from '../../../codecs/atom/http-url.ts';
import type { ShelfTopic } from '../../shelf.ts';
import { atomPath } from './atom-documents.ts';
import { ALL_ATOM, type AtomFeedRecord } from './atom-store.ts';

const FEED_PATH = /^(?:changes|atom\/([a-z0-9][a-z0-9_]*)(\/[a-z0-9][a-z0-9-]*)?)\.atom$/;

/** The feed at a path, if there is one. `find` returns what a served feed describes; an empty object if it has no entry yet. */
export function atomTopic(
  path: string,
  find: (name: string) => Partial<Pick<AtomFeedRecord, 'describes'>> | undefined,
): ShelfTopic | undefined {
  const [found, source, collection = ''] = FEED_PATH.exec(path) ?? [];
  if (found === undefined) return undefined;
  const name = source === undefined ? ALL_ATOM : source + collection;
  const feed = find(name);
  if (feed === undefined) return undefined;
  const { describes } = feed;
  return {
    path: atomPath(name),
    ...(source !== undefined && { source }),
    tells: ({ provenance }) =>
      describes === undefined ||
      (typeof provenance.collection === 'string' && strictHttpUrl(provenance.collection) === describes),
  };
}
