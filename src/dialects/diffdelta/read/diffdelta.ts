import type { DecodedDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { followRefusedError } from '../../../errors/refusals.ts';
import type { KnownRun, SourceState } from '../../../follow/follow-state.ts';
import type { FeedItem } from '../../../follow/read/feed-item.ts';
import { warn } from '../../../follow/read/reading.ts';
import type { Since } from '../../../follow/since.ts';
import { createWalk, type FoundFeed, warnOfGap } from './archive-walk.ts';
import type { Access } from './diffdelta-access.ts';
import { type FeedPlace, lookForNews, runOf } from './diffdelta-news.ts';
import { itemEvents } from './item-events.ts';

const MAX_SHOWN = 20;
const SINCE_MISSING = 'The run that --since names was not found, so that all runs are told which can be read.';
const CURSOR = /^sha256:[0-9a-f]{64}$/;

/**
 * What a feed has told since the cursor that is known, oldest run first; the cursor alone decides (DD-T5, T-DD-6).
 *
 * Runs that were missed are read from the archives. A reader that knows nothing yet begins with the first archive there is,
 * or with the first run since a time: that of the run counts, whatever its items say of themselves.
 */
export async function* readDiffDelta(
  place: FeedPlace,
  { start, since }: { readonly start: SourceState; readonly since: Since },
  access: Access,
): AsyncGenerator<FeedItem> {
  const known = start.diffdelta ?? {};
  const cursor = known.cursor ?? since.id;
  const news = await lookForNews(place, { known, cursor }, access);
  if (news.kind === 'none') {
    return yield { kind: 'end', progress: { diffdelta: same(known, news.run) }, freshMs: freshMs(news.run) };
  }

  const { latest, run } = news;
  if (known.cursor === undefined) ensureCursor(since.id, latest);
  const { state, now } = access.reading;
  const isBeginning = cursor === undefined && since.timeMs === undefined;
  const context = { source: start.source, siblings: access.siblings ?? [], state, now, isBeginning };
  const walk = createWalk({ cursor, sinceMs: since.timeMs, before: known.walk }, access);
  let handedOn: string | undefined = known.cursor;
  try {
    const { gap, tooOld } = await walk.back(latest);
    if (gap !== undefined) warnOfGap(latest.url.href, since.id === undefined ? gap : `${SINCE_MISSING} ${gap}`, access);
    if (tooOld !== undefined) yield* passedOver(tooOld.feed, context);
    if (tooOld === latest) return yield { kind: 'end', progress: { diffdelta: run }, freshMs: freshMs(run) };
    for await (const { feed, url } of walk.forward()) {
      reportItems(feed, url, access);
      yield* itemEvents(feed, context);
      handedOn = feed.cursor ?? handedOn;
      yield { kind: 'end', progress: { diffdelta: runOf(handedOn, known.ttlSec) } };
    }
  } catch (error) {
    yield { kind: 'end', progress: { diffdelta: { ...runOf(handedOn, known.ttlSec), walk: walk.left } } };
    throw error;
  }
  reportItems(latest.feed, latest.url, access);
  reportStatus(latest, access);
  yield* itemEvents(latest.feed, context);
  yield { kind: 'end', progress: { diffdelta: run }, freshMs: freshMs(run) };
}

/** The items of the run before those that are wanted: known from now on, and untold. */
async function* passedOver(
  feed: DecodedDiffDeltaFeed,
  context: Parameters<typeof itemEvents>[1],
): AsyncGenerator<FeedItem> {
  for await (const item of itemEvents(feed, context)) {
    if (item.kind !== 'events') continue;
    yield { kind: 'known', items: item.events.flatMap(({ event }) => event.item?.known ?? []) };
  }
}

/** Cursors are opaque, but where a service has those of the specification, what is none cannot be one of its own. */
function ensureCursor(id: string | undefined, { url, feed }: FoundFeed): void {
  if (id === undefined || CURSOR.test(id) || !CURSOR.test(feed.cursor ?? '')) return;
  throw followRefusedError(
    `${JSON.stringify(id.slice(0, 100))} is no place to begin at with ${url.href}: --since takes an RFC 3339 time ` +
      '(2026-02-05T12:00:00Z), a date (2026-02-05) or a cursor (sha256: and 64 hexadecimal digits).',
  );
}

/** The known object itself where nothing differs: then nothing needs to be written. */
function same(known: KnownRun, run: KnownRun): KnownRun {
  const inOrder = ({ cursor, validators, latestValidators, ttlSec, walk }: KnownRun) =>
    JSON.stringify([cursor, validators?.etag, validators?.lastModified, latestValidators, ttlSec, walk]);
  return inOrder(known) === inOrder(run) ? known : run;
}

function freshMs({ ttlSec }: KnownRun): number | undefined {
  return ttlSec === undefined ? undefined : ttlSec * 1000;
}

/** Items that cannot be used do not hide the others. */
function reportItems({ issues }: DecodedDiffDeltaFeed, url: URL, { reading }: Access): void {
  const bad = issues.filter(({ clause }) => clause.startsWith('DD-I'));
  for (const { clause, message } of bad.slice(0, MAX_SHOWN)) {
    warn(reading, 'bad-item', `${url.href}: ${clause}: ${message}`);
  }
  if (bad.length > MAX_SHOWN) {
    warn(reading, 'bad-item', `${url.href}: ${bad.length - MAX_SHOWN} more findings about its items.`);
  }
}

/** What is degraded is read all the same (DD-F6, DD-F7). */
function reportStatus({ feed, url }: FoundFeed, { reading }: Access): void {
  for (const status of ['degraded', 'error', 'disabled']) {
    const ids = Object.keys(feed.sources).filter((id) => feed.sources[id]?.status === status);
    if (ids.length === 0) continue;
    const shown = ids.slice(0, MAX_SHOWN).join(', ');
    const more = ids.length > MAX_SHOWN ? ` and ${ids.length - MAX_SHOWN} more` : '';
    const [first = ''] = ids;
    const { degraded_reason: degraded, disabled_reason: disabled, error } = feed.sources[first] ?? {};
    const why = degraded ?? disabled ?? error?.code;
    const reason = why === undefined || ids.length > 1 ? '' : ` (${why.slice(0, 200)})`;
    warn(
      reading,
      'source-status',
      `${url.href}: ${shown}${more}: ${status}${reason}. ${ids.length > 1 ? 'Their' : 'Its'} items are read all the same.`,
    );
  }
}
