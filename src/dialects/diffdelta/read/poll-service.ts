import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { FetchAbortedError, FetchError } from '../../../errors/fetch-error.ts';
import { EventsWithheldError, FollowIncompleteError } from '../../../errors/follow-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import type { FollowState } from '../../../follow/follow-state.ts';
import type { FollowedEvent } from '../../../follow/followed-event.ts';
import type { PollOutcome } from '../../../follow/poll.ts';
import { pollIntervalMs } from '../../../follow/poll-interval.ts';
import { type OpenFeed, type VisitOptions, visit } from '../../../follow/visit.ts';
import { readDiffDelta } from './diffdelta.ts';
import type { Access } from './diffdelta-access.ts';
import { rememberManifest, type Service, type ServiceFeed } from './diffdelta-service.ts';

/** A service that does not answer is not asked for each of its sources in turn. */
const MAX_UNANSWERED = 3;

/**
 * One poll of the feeds of a DiffDelta service, one after another. One that cannot be read does not keep the others back;
 * where none can, its error is thrown.
 */
export async function* pollService(
  service: Service,
  options: VisitOptions,
  given: Access,
): AsyncGenerator<FollowedEvent, PollOutcome> {
  const access = { ...given, siblings: service.feeds.map(({ entry }) => entry) };
  const { now, signal, state, dueAt = new Map<string, number>() } = access.reading;
  const failures: TidingsError[] = [];
  const withheld: EventsWithheldError[] = [];
  /** Until each feed that was read is due again. */
  const waits: number[] = [];
  let unanswered = 0;
  let pauseMs = 0;
  let cutAt: string | undefined;

  const feeds = inTurn(service);
  for (const [index, feed] of feeds.entries()) {
    const waitMs = (dueAt.get(feed.entry) ?? 0) - now();
    if (waitMs > TOLERANCE_MS) {
      waits.push(waitMs);
      continue;
    }
    try {
      const outcome = yield* visit(await openFeed(feed, state, access), options, access.reading);
      const freshMs = pollIntervalMs(outcome.freshMs ?? service.ttlMs, 0);
      unanswered = 0;
      waits.push(freshMs);
      dueAt.set(feed.entry, now() + freshMs);
      if (outcome.withheld !== undefined) withheld.push(outcome.withheld);
    } catch (error) {
      const isOfFeed = error instanceof TidingsError && !(error instanceof FetchAbortedError) && !signal.aborted;
      if (!isOfFeed || error.recovery === 'stop' || error.recovery === 'fix-config') throw error;
      failures.push(error);
      pauseMs = pauseOf(error) ?? 0;
      unanswered = error instanceof FetchError ? unanswered + 1 : 0;
      if (pauseMs === 0 && unanswered < MAX_UNANSWERED) continue;
      // One that is always busy must not keep the others from their turn; one that was not asked has not had it.
      cutAt = (error instanceof HostPausedError ? feed : feeds[index + 1])?.entry;
      break;
    }
  }

  await rememberTurn(service, cutAt, access);
  const incomplete = joined(failures);
  // A pause is obeyed by whoever gets the error that asks for it.
  if (incomplete !== undefined && waits.length === 0) throw pauseMs > 0 ? failures.at(-1) : incomplete;
  return {
    // What was not reached is asked for as soon as the server lets us.
    freshMs: pauseMs > 0 ? pauseMs : Math.min(...waits),
    ...(withheld[0] !== undefined && { withheld: joinedWithheld(withheld, withheld[0]) }),
    ...(incomplete !== undefined && { incomplete, feeds: { all: feeds.length, failed: failures.length } }),
  };
}

/** Beginning behind the one at which the last poll was cut short, so that each gets its turn under any limit. */
function inTurn({ feeds, manifest }: Service): readonly ServiceFeed[] {
  const first = Math.max(
    0,
    feeds.findIndex(({ entry }) => entry === manifest?.turn),
  );
  return [...feeds.slice(first), ...feeds.slice(0, first)];
}

async function rememberTurn({ manifest }: Service, turn: string | undefined, access: Access): Promise<void> {
  if (manifest === undefined || manifest.turn === turn) return;
  const { turn: _, ...rest } = manifest;
  await rememberManifest(turn === undefined ? rest : { ...rest, turn }, access);
}

/** A feed that is due within this is due. */
const TOLERANCE_MS = 500;

async function openFeed(feed: ServiceFeed, state: FollowState, access: Access): Promise<OpenFeed> {
  return {
    entry: feed.entry,
    id: feed.id,
    known: await state.find(feed.entry),
    read: (start, since) => readDiffDelta(feed, { start, since }, access),
    keepsToSince: true,
  };
}

function pauseOf(error: TidingsError): number | undefined {
  return error instanceof FeedUnreadableError || error instanceof HostPausedError ? error.retryAfterMs : undefined;
}

function joined(failures: readonly TidingsError[]): TidingsError | undefined {
  return failures.length > 1 ? new FollowIncompleteError(failures) : failures[0];
}

function joinedWithheld(withheld: readonly EventsWithheldError[], first: EventsWithheldError): EventsWithheldError {
  if (withheld.length === 1) return first;
  const total = withheld.reduce((sum, { count }) => sum + count, 0);
  return new EventsWithheldError(withheld.map(({ source }) => source).join(', '), total, first.reason);
}
