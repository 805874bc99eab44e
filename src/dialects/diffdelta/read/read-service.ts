import { HostPausedError } from '../../../errors/crawl-error.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { FetchAbortedError, FetchError } from '../../../errors/fetch-error.ts';
import { FollowIncompleteError } from '../../../errors/follow-error.ts';
import { TidingsError } from '../../../errors/tidings-error.ts';
import { pollIntervalMs } from '../../../fetch/poll-interval.ts';
import { asAsked } from '../../as-asked.ts';
import { warn } from '../../diagnostic.ts';
import type { Batch, ReadingEnd, Since } from '../../reader.ts';
import { readDiffDelta } from './diffdelta.ts';
import type { Access } from './diffdelta-access.ts';
import { decodeRun, type KnownManifest } from './diffdelta-memory.ts';
import type { Service, ServiceFeed, ServiceManifest } from './diffdelta-service.ts';

/** After this many failures in a row, the other sources of a service are not requested. */
const MAX_UNANSWERED = 3;
/** A source without a feed is requested at most this often. */
const ABSENT_FOR_MS = 60 * 60_000;
const MAX_SHOWN = 20;
/** A feed that is due within this time counts as due. */
const TOLERANCE_MS = 500;

/**
 * Reads the feeds of a DiffDelta service once, one after another. A feed that cannot be read does not stop the others; throws if
 * none can be read.
 */
export async function* readService(service: Service, since: Since, given: Access): AsyncGenerator<Batch, ReadingEnd> {
  const access = { ...given, siblings: service.feeds.map(({ entry }) => entry) };
  const { now, signal, remembered, dueAt = new Map<string, number>() } = access.ports;
  const { manifest } = service;
  const failures: TidingsError[] = [];
  const absent: string[] = [];
  /** Times until the feeds that were read are due again. */
  const waits: number[] = [];
  let unanswered = 0;
  let pauseMs = 0;
  let cutAt: string | undefined;

  if (manifest?.isNew) yield manifestBatch(manifest, manifest.known);
  const feeds = inTurn(service);
  for (const [index, feed] of feeds.entries()) {
    const waitMs = (dueAt.get(feed.entry) ?? 0) - now();
    if (waitMs > TOLERANCE_MS) {
      waits.push(waitMs);
      continue;
    }
    try {
      const known = decodeRun(await remembered.memoryOf(feed.entry));
      const end = yield* asAsked(feedOf(feed), readDiffDelta(feed, { known, since }, access));
      const freshMs = pollIntervalMs(end.freshMs ?? service.ttlMs, 0);
      unanswered = 0;
      waits.push(freshMs);
      dueAt.set(feed.entry, now() + freshMs);
    } catch (error) {
      const isOfFeed = error instanceof TidingsError && !(error instanceof FetchAbortedError) && !signal.aborted;
      if (!isOfFeed || error.recovery === 'stop' || error.recovery === 'fix-config') throw error;
      if (feed.isListedOnly && isGone(error)) {
        absent.push(feed.id);
        waits.push(ABSENT_FOR_MS);
        dueAt.set(feed.entry, now() + ABSENT_FOR_MS);
        continue;
      }
      failures.push(error);
      pauseMs = pauseOf(error) ?? 0;
      unanswered = error instanceof FetchError ? unanswered + 1 : 0;
      if (pauseMs === 0 && unanswered < MAX_UNANSWERED) continue;
      // A feed that is always busy must not block the others. A feed that was not requested has not had its turn.
      cutAt = (error instanceof HostPausedError ? feed : feeds[index + 1])?.entry;
      break;
    }
  }

  reportAbsent(absent, access);
  if (manifest !== undefined && manifest.known.turn !== cutAt) {
    const { turn: _, ...rest } = manifest.known;
    yield manifestBatch(manifest, cutAt === undefined ? rest : { ...rest, turn: cutAt });
  }
  // Whoever gets the error observes the pause that it asks for.
  if (failures.length > 0 && waits.length === 0) throw pauseMs > 0 ? failures.at(-1) : joined(failures);
  return {
    // What was not reached is requested as soon as the server allows it.
    freshMs: pauseMs > 0 ? pauseMs : Math.min(...waits),
    ...(failures.length > 0 && { unread: { errors: failures, of: feeds.length } }),
  };
}

/** Begins where the last reading was cut short, so that every feed gets its turn under any limit. */
function inTurn({ feeds, manifest }: Service): readonly ServiceFeed[] {
  const first = Math.max(
    0,
    feeds.findIndex(({ entry }) => entry === manifest?.known.turn),
  );
  return [...feeds.slice(first), ...feeds.slice(0, first)];
}

/** Sources outside of the manifest are only reported, so that nobody relies on them: they are not a failure of the service. */
function reportAbsent(ids: readonly string[], { ports }: Access): void {
  if (ids.length === 0) return;
  const more = ids.length > MAX_SHOWN ? ` and ${ids.length - MAX_SHOWN} more` : '';
  const which = `${ids.slice(0, MAX_SHOWN).join(', ')}${more}`;
  warn(ports, 'source-status', `Only the list of sources names these, and they have no feed: ${which}.`);
}

function isGone(error: TidingsError): boolean {
  return error instanceof FeedUnreadableError && (error.status === 404 || error.status === 410);
}

function manifestBatch({ entry, id }: ServiceManifest, memory: KnownManifest): Batch {
  return { entry, id, changes: [], memory };
}

function feedOf({ entry, id }: ServiceFeed): Pick<Batch, 'entry' | 'id'> {
  return { entry, id };
}

function pauseOf(error: TidingsError): number | undefined {
  return error instanceof FeedUnreadableError || error instanceof HostPausedError ? error.retryAfterMs : undefined;
}

function joined(failures: readonly TidingsError[]): TidingsError | undefined {
  return failures.length > 1 ? new FollowIncompleteError(failures) : failures[0];
}
