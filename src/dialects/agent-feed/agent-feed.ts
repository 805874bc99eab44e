import { FEED_PATH } from '../../codecs/agent-feed/wire.ts';
import type { Dialect } from '../dialect.ts';

export const AGENT_FEED: Dialect = {
  name: 'agent-feed',
  wellKnown: FEED_PATH,
  reader: async () => (await import('./read/agent-feed-reader.ts')).AGENT_FEED_READER,
  clauses: async () => (await import('../../codecs/agent-feed/clauses.ts')).AGENT_FEED_CLAUSES,
  projection: async () => (await import('./publish/projection.ts')).AGENT_FEED_PROJECTION,
  shelf: async () => (await import('./shelf/shelf.ts')).AGENT_FEED_SHELF,
  checker: async () => (await import('./check/checker.ts')).AGENT_FEED_CHECKER,
};
