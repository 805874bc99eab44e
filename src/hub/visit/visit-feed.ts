import { FeedUnreadableError } from '../../errors/feed-error.ts';
import { FeedDeadlineError } from '../../errors/fetch-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { FollowState, SourceState } from '../../follow/follow-state.ts';
import { createPathFilter, type PathFilter } from '../config/path-filter.ts';
import type { FeedConfig } from '../config/source-config.ts';
import type { WatchedSource } from '../store/hub-store.ts';
import { createFeedPatience, type PatienceLimits } from './feed-patience.ts';
import { type FeedReader, type FeedReading, feedDialects, feedReaderOf } from './feed-readers.ts';
import { foreignDrafts } from './foreign-drafts.ts';
import { shunning } from './own-addresses.ts';
import { type SourceReading, shortNotes } from './source-reading.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A feed that trickles must not hold its place while others wait. */
const PATIENCE: PatienceLimits = { idleMs: 30_000, totalMs: 60_000 };

/**
 * What a feed says since the last visit. Where it cannot be read, its fallbacks are asked; what one has told, the others do not
 * tell again. A feed that its origin ended can be read, and that is its answer.
 */
export async function visitFeed(
  { id, url, dialect, fallbacks = [], include, exclude, apiKeyFile }: FeedConfig,
  { health, allowDeletes }: Pick<WatchedSource, 'health' | 'allowDeletes'>,
  ports: VisitPorts,
): Promise<SourceReading> {
  const reader = readerOf(dialect);
  const hadEvents = fallbacks.length > 0 && health.lastChangeMs !== undefined;
  const accepts = createPathFilter({ include, exclude });
  const places = [url, ...fallbacks];
  const { idleMs, totalMs } = reader.patience ?? PATIENCE;
  const limits = { idleMs: idleMs / places.length, totalMs };
  const secret = apiKeyFile === undefined ? undefined : await ports.readSecret?.(apiKeyFile);
  let own: TidingsError | undefined;
  for (const [index, address] of places.entries()) {
    const notes = new Set<string>();
    const note = (message: string) => void notes.add(message);
    const state = oneSource(ports.store.followStateOf(id), {
      id,
      accepts,
      hadEvents,
      note,
      riskRules: ports.riskRules,
    });
    try {
      // The key is for whoever the source itself is, not for its stand-ins elsewhere.
      const apiKey = new URL(address).origin === new URL(url).origin ? secret : undefined;
      const { freshMs, unread, isBound, isUnasked, isSame } = await readInTime(
        reader,
        { source: id, url: new URL(address), apiKey, allowDeletes: allowDeletes ?? false, state, ports, note },
        limits,
      );
      return {
        ...(index > 0 && { fallback: index - 1 }),
        ...(freshMs !== undefined && { freshMs }),
        ...(unread !== undefined && { unread }),
        ...(isBound && { isBound }),
        ...(isUnasked && { isUnasked }),
        notes: shortNotes([...new Set([...(isSame ? (health.notes ?? []) : []), ...notes])]),
      };
    } catch (error) {
      const isOurs = error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
      // A feed that was ended is answered for: nobody else speaks in its place.
      if (!isOurs || error.recovery === 'stop') throw error;
      own ??= error;
    }
  }
  throw own;
}

export function readerOf(dialect: string): FeedReader {
  const reader = feedReaderOf(dialect);
  if (reader !== undefined) return reader;
  throw new SettingRefusedError('dialect', dialect, `Give one of these: ${feedDialects().join(', ')}.`);
}

interface Place {
  readonly source: string;
  readonly url: URL;
  readonly apiKey: string | undefined;
  readonly allowDeletes: boolean;
  readonly state: FollowState;
  readonly ports: VisitPorts;
  readonly note: (message: string) => void;
}

/** A feed that is too long or too slow for one visit is read on in the next one, as long as it tells something. */
async function readInTime(
  reader: FeedReader,
  { source, url, apiKey, allowDeletes, state, ports, note }: Place,
  limits: PatienceLimits,
): Promise<FeedReading> {
  using patience = createFeedPatience(ports, limits);
  const http = shunning(patience.http, ports.ownAddresses);
  try {
    return await reader.read({
      source,
      url,
      apiKey,
      allowDeletes,
      state: overheard(state, patience.heard),
      readerState: ports.store.readerState,
      isAsked: ports.isAsked ?? false,
      ports: { ...ports, http },
      note,
    });
  } catch (error) {
    const isLate = patience.isOver && error instanceof TidingsError && !isOfTheStore(error);
    if (!isLate || ports.signal.aborted) throw error;
    if (patience.news === 0) throw new FeedDeadlineError(url, limits.idleMs);
    note(`${url.href} was not read to its end in time. The next check goes on from there.`);
    return {};
  }
}

/** The state must be a plain object of functions. */
function overheard(state: FollowState, heard: (events: number) => void): FollowState {
  return {
    ...state,
    async commit(commit) {
      await state.commit(commit);
      heard(commit.seenIds.length + commit.items.length + commit.settledIds.length);
    },
  };
}

interface OneSource {
  readonly id: string;
  readonly accepts: PathFilter;
  /** Whether the source has told of changes before, by this feed or another. */
  readonly hadEvents: boolean;
  readonly note: (message: string) => void;
  readonly riskRules: VisitPorts['riskRules'];
}

/** A state in which all feeds of a source are one: the same ids are known to each, and checksums are those of the newest. */
function oneSource(state: FollowState, { id, accepts, hadEvents, note, riskRules }: OneSource): FollowState {
  return {
    async find(entry) {
      const found = await state.find(entry);
      return found?.source === id ? found : undefined;
    },
    isTaken: async () => false,
    seenAmong: (_, ids) => state.seenAmong(id, ids),
    checksumsOf: (_, pages) => state.checksumsOf(id, pages),
    itemsAmong: (_, keys) => state.itemsAmong(id, keys),
    liveItemsOn: (_, page, most) => state.liveItemsOn(id, page, most),
    pendingOf: () => state.pendingOf(id),
    async commit(commit) {
      // Past lines of a feed stay, so one without any is one that was not served.
      if (hadEvents && isEmpty(commit.state)) {
        throw new FeedUnreadableError(commit.state.entry, 'holds no event, where earlier there were some.');
      }
      const drafts = foreignDrafts([...commit.changes], note, riskRules).filter(({ url }) => accepts(url));
      const changes = drafts.map((change) => ({ ...change, source: id }));
      await state.commit({ ...commit, state: { ...commit.state, source: id }, changes });
    },
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

function isEmpty({ lastId, diffdelta, agentFeed, resourcesync, webFeed }: SourceState): boolean {
  const said = [lastId, diffdelta, agentFeed, resourcesync, (webFeed?.count ?? 0) === 0 ? undefined : webFeed];
  return said.every((one) => one === undefined);
}
