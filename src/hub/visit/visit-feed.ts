import { FeedUnreadableError } from '../../errors/feed-error.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import type { FollowState } from '../../follow/follow-state.ts';
import type { WatchedSource } from '../hub-store.ts';
import { createPathFilter, type PathFilter } from '../path-filter.ts';
import type { FeedConfig } from '../source-config.ts';
import { type FeedReader, feedDialects, feedReaderOf } from './feed-readers.ts';
import { type SourceReading, shortNotes } from './source-reading.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

/** What a feed says since the last visit. Where it cannot be read, its fallbacks are asked; what one has told, the others do not tell again. */
export async function visitFeed(
  { id, url, dialect, fallbacks = [], include, exclude }: FeedConfig,
  { health }: Pick<WatchedSource, 'health'>,
  ports: VisitPorts,
): Promise<SourceReading> {
  const reader = readerOf(dialect);
  const hadEvents = fallbacks.length > 0 && health.lastChangeMs !== undefined;
  const accepts = createPathFilter({ include, exclude });
  const state = oneSource(ports.store.followStateOf(id), { id, accepts, hadEvents });
  let own: TidingsError | undefined;
  for (const [index, address] of [url, ...fallbacks].entries()) {
    const notes: string[] = [];
    try {
      const note = (message: string) => notes.push(message);
      const { freshMs } = await reader.read({ url: new URL(address), state, ports, note });
      return {
        ...(index > 0 && { fallback: index - 1 }),
        ...(freshMs !== undefined && { freshMs }),
        notes: shortNotes(notes),
      };
    } catch (error) {
      const isPassing = error instanceof TidingsError && !isOfTheStore(error) && !ports.signal.aborted;
      if (!isPassing) throw error;
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

interface OneSource {
  readonly id: string;
  readonly accepts: PathFilter;
  /** Whether the source has told of changes before, by this feed or another. */
  readonly hadEvents: boolean;
}

/** A state in which all feeds of a source are one: the same ids are known to each, and checksums are those of the newest. */
function oneSource(state: FollowState, { id, accepts, hadEvents }: OneSource): FollowState {
  return {
    async find(entry) {
      const found = await state.find(entry);
      return found?.source === id ? found : undefined;
    },
    isTaken: async () => false,
    seenAmong: (_, ids) => state.seenAmong(id, ids),
    checksumsOf: (_, pages) => state.checksumsOf(id, pages),
    pendingOf: () => state.pendingOf(id),
    async commit(commit) {
      // Past lines of a feed stay, so one without any is one that was not served.
      if (hadEvents && commit.state.lastId === undefined) {
        throw new FeedUnreadableError(commit.state.entry, 'holds no event, where earlier there were some.');
      }
      const changes = commit.changes.filter(({ url }) => accepts(url)).map((change) => ({ ...change, source: id }));
      await state.commit({ ...commit, state: { ...commit.state, source: id }, changes });
    },
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}
