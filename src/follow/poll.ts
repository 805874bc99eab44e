import { readAicf } from '../dialects/aicf/read/aicf.ts';
import type { Entry } from '../dialects/aicf/read/discover.ts';
import { pollService } from '../dialects/diffdelta/read/poll-service.ts';
import type { EventsWithheldError } from '../errors/follow-error.ts';
import type { TidingsError } from '../errors/tidings-error.ts';
import { sourceIdOf } from '../model/source.ts';
import type { FollowedEvent } from './followed-event.ts';
import type { FeedItem } from './read/feed-item.ts';
import { type Dialect, findFeeds } from './read/find-feeds.ts';
import type { Pauses } from './read/pauses.ts';
import type { Reading } from './read/reading.ts';
import { type OpenFeed, type VisitOptions, visit } from './visit.ts';

export interface PollOptions extends VisitOptions {
  readonly url: URL;
  /** The only one that is looked for. */
  readonly dialect?: Dialect | undefined;
  /** Of a DiffDelta service: the only sources that are read. */
  readonly sources?: readonly string[] | undefined;
  /** Of a DiffDelta service. Sent to the origin of `url` and to no other. */
  readonly apiKey?: string | undefined;
  /** Of a DiffDelta service: waits out short pauses. Without it each pause that is asked for ends the poll. */
  readonly pauses?: Pauses | undefined;
}

export interface PollOutcome {
  /** How long the publisher says that the feed stays fresh. */
  readonly freshMs: number | undefined;
  /** Some events wait for their pages. */
  readonly withheld?: EventsWithheldError;
  /** Some feeds of a service could not be read; the others were. */
  readonly incomplete?: TidingsError;
  /** How many feeds the service has, and how many of them could not be read. */
  readonly feeds?: { readonly all: number; readonly failed: number };
}

/** One poll of one URL: what it offers is found out, and read on from where it was left. */
export async function* poll(options: PollOptions, reading: Reading): AsyncGenerator<FollowedEvent, PollOutcome> {
  const { url, dialect, sources, apiKey, pauses } = options;
  const access = { reading, pauses, ...(apiKey !== undefined && { key: { value: apiKey, origin: url.origin } }) };
  const found = await findFeeds({ given: url, dialect, sources }, access);
  if (found.dialect === 'diffdelta') return yield* pollService(found.service, options, access);
  return yield* visit(aicfFeed(found.entry, reading), options, reading);
}

function aicfFeed(entry: Entry, reading: Reading): OpenFeed {
  const { ttl_seconds: ttlSeconds } = entry.discovery;
  return {
    entry: entry.url,
    id: sourceIdOf(new URL(entry.url)),
    known: entry.known,
    ...(entry.kept !== undefined && { discovery: entry.kept }),
    ...(ttlSeconds !== undefined && { freshMs: ttlSeconds * 1000 }),
    read: ({ lastId }, since) => readAicfAfter(entry, lastId ?? since.id, reading),
  };
}

/** An id that the user named is kept until an event has another. */
async function* readAicfAfter(entry: Entry, startId: string | undefined, reading: Reading): AsyncGenerator<FeedItem> {
  let lastId = startId;
  for await (const item of readAicf(entry, startId, reading)) {
    if (item.kind === 'events') lastId = undefined;
    yield item.kind === 'end' && lastId !== undefined ? { ...item, progress: { lastId, ...item.progress } } : item;
  }
}
