import { FEED_PATH } from '../../../codecs/agent-feed/wire.ts';
import type { Checker } from '../../checker.ts';
import { hasDocument } from '../../document-source.ts';
import { AGENT_FEED_HINTS } from './agent-feed-hints.ts';
import { checkAgentFeed } from './gather-agent-feed.ts';

export const AGENT_FEED_CHECKER: Checker = {
  hints: AGENT_FEED_HINTS,

  /** Only the feed decides, because the other two documents have other uses, too. */
  holds: (source) => hasDocument(source, [FEED_PATH]),

  names: ({ pathname }) => pathname === FEED_PATH,

  check: checkAgentFeed,
};
