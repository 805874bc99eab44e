import { readAgentFeed, tryAgentFeed } from '../../dialects/agent-feed/read/agent-feed.ts';
import type { ReaderState } from '../../dialects/agent-feed/read/reader-state.ts';
import { readAicfFeed, tryAicfFeed } from '../../dialects/aicf/read/aicf-feed.ts';
import { readAtomFeed, tryAtomFeed } from '../../dialects/atom/read/atom-feed.ts';
import { readDiffDeltaFeed, tryDiffDeltaFeed } from '../../dialects/diffdelta/read/diffdelta-feed.ts';
import { readResourceSyncFeed, tryResourceSyncFeed } from '../../dialects/resourcesync/read/resourcesync-feed.ts';
import type { FollowState } from '../../follow/follow-state.ts';
import type { PatienceLimits } from './feed-patience.ts';
import type { VisitPorts } from './visit-ports.ts';

/** One look at a feed. */
export interface FeedVisit {
  readonly url: URL;
  /** The id of the source, for what an operator is told to type. */
  readonly source?: string;
  /** Our key for it, where the dialect has such. For the origin of `url` alone. */
  readonly apiKey?: string | undefined;
  /** Its `commit` is where changes go. */
  readonly state: FollowState;
  /** Where the reader of an agent-feed keeps what it knows of feeds. */
  readonly readerState?: ReaderState;
  /** An operator asked for it: what only a person may hasten need not be waited for. */
  readonly isAsked?: boolean;
  /** An operator said that much may be gone: counts where a feed is compared with what it held. */
  readonly allowDeletes?: boolean;
  readonly ports: Pick<VisitPorts, 'http' | 'pages' | 'gunzip' | 'now' | 'signal'>;
  /** Something that a person should know and that stops nothing. */
  readonly note: (message: string) => void;
}

export interface FeedReading {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs?: number;
  /** Nobody may ask sooner, whatever an operator gave. */
  readonly isBound?: true;
  /** Nobody was asked: it was too early. */
  readonly isUnasked?: true;
  /** It says what it said at the last visit, and what was noted then still holds. */
  readonly isSame?: boolean;
  /** How many feeds of a service could not be read, where the others were. */
  readonly unread?: number;
}

/** Reads the feeds of one dialect. Both throw a {@link TidingsError} when there is no feed that can be read, or too few of several. */
export interface FeedReader {
  /** How long a visit may take, where that differs from other feeds. */
  readonly patience?: PatienceLimits;
  /** Hands on everything that is new, to the end. */
  read(visit: FeedVisit): Promise<FeedReading>;
  /** Reads as little as tells whether there is a feed, and says what was found. */
  try(visit: Omit<FeedVisit, 'state'>): Promise<string>;
}

/** Its lists are long, a collection is told as a whole, and the next visit is a day away. */
const DAILY_PATIENCE: PatienceLimits = { idleMs: 5 * 60_000, totalMs: 10 * 60_000 };

const WEB_FEED: FeedReader = { read: readAtomFeed, try: tryAtomFeed };

const READERS: Readonly<Record<string, FeedReader>> = {
  aicf: { read: readAicfFeed, try: tryAicfFeed },
  'agent-feed': { read: readAgentFeed, try: tryAgentFeed },
  diffdelta: { read: readDiffDeltaFeed, try: tryDiffDeltaFeed },
  resourcesync: { read: readResourceSyncFeed, try: tryResourceSyncFeed, patience: DAILY_PATIENCE },
  // Which of them a feed is shows in the feed; the words are for people.
  atom: WEB_FEED,
  rss: WEB_FEED,
  'json-feed': WEB_FEED,
};

/** The names by which a source can ask for a dialect. */
export function feedDialects(): readonly string[] {
  return Object.keys(READERS);
}

export function feedReaderOf(dialect: string): FeedReader | undefined {
  return Object.hasOwn(READERS, dialect) ? READERS[dialect] : undefined;
}
