import type { Batch, FeedQuestion, FeedReader, ReadingEnd, VisitLimits } from '../../dialects/reader.ts';
import { FeedDeadlineError } from '../../errors/fetch-error.ts';
import { halfReadError } from '../../errors/source-trouble.ts';
import { TidingsError } from '../../errors/tidings-error.ts';
import { rememberedIn } from '../../follow/remembered.ts';
import { createFeedDeadline, type FeedDeadline } from './feed-deadline.ts';
import { shunning } from './own-addresses.ts';
import type { Sender } from './sender.ts';
import { isHalfRead } from './source-reading.ts';
import { isOfTheStore } from './visit-end.ts';
import type { VisitPorts } from './visit-ports.ts';

/** A slow feed must not hold its slot while others wait. */
export const FEED_LIMITS: VisitLimits = { idleMs: 30_000, totalMs: 60_000 };

/** One place at which a feed of a source is read. */
export interface TimedPlace {
  /** The id of the source. */
  readonly id: string;
  readonly dialect: string;
  readonly question: FeedQuestion;
  readonly limits: VisitLimits;
  readonly sender: Sender;
  readonly note: (message: string) => void;
  /** Takes what the feed reports, and informs the deadline. */
  readonly take: (batches: AsyncGenerator<Batch, ReadingEnd>, deadline: FeedDeadline) => Promise<ReadingEnd>;
}

/** A feed that is too long or too slow for one visit continues in the next one, as long as it reports something. */
export async function readOneFeed(reader: FeedReader, place: TimedPlace, ports: VisitPorts): Promise<ReadingEnd> {
  const { id, dialect, question, limits, sender, note, take } = place;
  using deadline = createFeedDeadline(ports, limits);
  const http = sender.over(shunning(deadline.http, ports.ownAddresses));
  const remembered = rememberedIn(ports.store.followStateOf(id), { dialect, source: id });
  const { gunzip, now, signal, wait, store } = ports;
  try {
    const found = await reader.discover(question, {
      ...{ http, gunzip, now, signal, wait, remembered, remembersPauses: true },
      storage: (kind) => store.storage(kind),
      report: ({ message }) => note(message),
    });
    if ('nothing' in found) throw found.nothing;
    const end = await take(found.read(), deadline);
    for (const { message } of end.unread?.errors ?? []) note(message);
    stopIfHalfFailed(end);
    return end;
  } catch (error) {
    const isLate = deadline.isOver && error instanceof TidingsError && !isOfTheStore(error);
    if (!isLate || ports.signal.aborted) throw error;
    if (deadline.news === 0) throw new FeedDeadlineError(question.url, limits.idleMs);
    note(`${question.url.href} was not read to its end in time. The next check goes on from there.`);
    return {};
  }
}

/** Throws a `HalfReadError` if at least half of the feeds of a service could not be read. */
function stopIfHalfFailed({ unread }: ReadingEnd): void {
  if (unread?.of === undefined || !isHalfRead({ unread: unread.errors.length, pages: unread.of })) return;
  const { errors } = unread;
  // A pause ends a reading, so only the last error can ask for one.
  const last = errors.at(-1);
  const retryAfterMs = last !== undefined && 'retryAfterMs' in last ? last.retryAfterMs : undefined;
  throw halfReadError(errors.length, unread.of, errors[0]?.message ?? '', {
    what: 'feeds',
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
  });
}
