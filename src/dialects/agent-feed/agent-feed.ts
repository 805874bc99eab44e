import type { Dialect } from '../dialect.ts';

export const AGENT_FEED: Dialect = {
  name: 'agent-feed',
  clauses: async () => (await import('../../codecs/agent-feed/clauses.ts')).AGENT_FEED_CLAUSES,
};
