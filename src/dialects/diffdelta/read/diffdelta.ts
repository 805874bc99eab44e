import type { DecodedDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { followRefusedError } from '../../../errors/refusals.ts';
import { warn } from '../../diagnostic.ts';
import type { Batch, ReadingEnd, Since } from '../../reader.ts';
import { createWalk, type FoundFeed, warnOfGap } from './archive-walk.ts';
import type { Access } from './diffdelta-access.ts';
import type { KnownRun } from './diffdelta-memory.ts';
import { lookForNews, runOf } from './diffdelta-news.ts';
import type { ServiceFeed } from './diffdelta-service.ts';
import { itemEvents } from './item-events.ts';

const MAX_SHOWN = 20;
const SINCE_MISSING = 'The run that --since names was not found, so that all runs are told which can be read.';
const CURSOR = /^sha256:[0-9a-f]{64}$/;

/**
 * Reads what a feed has published since the known cursor, oldest run first. Only the cursor decides (DD-T5, T-DD-6).
 *
 * Missed runs are read from the archives. A reader that knows nothing yet begins with the first archive there is, or with the first
 * run since a time. The time of the run counts, not the times of its items.
 */
export async function* readDiffDelta(
  feed: ServiceFeed,
  { known = {}, since: wished }: { readonly known: KnownRun | undefined; readonly since: Since },
  access: Access,
): AsyncGenerator<Batch, ReadingEnd> {
  const { entry, id } = feed;
  const since = known.cursor === undefined ? wished : {};
  const cursor = known.cursor ?? since.id;
  const batch = (memory: KnownRun, changes: Batch['changes'] = []) => ({ entry, id, changes, memory });
  const news = await lookForNews(feed, { known, cursor }, access);
  if (news.kind === 'none') {
    if (!isSame(known, news.run)) yield batch(news.run);
    return freshness(news.run);
  }

  const { latest, run } = news;
  if (known.cursor === undefined) ensureCursor(since.id, latest);
  const { remembered, now } = access.ports;
  const isBeginning = cursor === undefined && since.timeMs === undefined;
  const context = { entry, siblings: access.siblings ?? [], remembered, now, isBeginning };
  const walk = createWalk({ cursor, sinceMs: since.timeMs, before: known.walk }, access);
  let handedOn: string | undefined = known.cursor;
  try {
    const { gap, tooOld } = await walk.back(latest);
    if (gap !== undefined) warnOfGap(latest.url.href, since.id === undefined ? gap : `${SINCE_MISSING} ${gap}`, access);
    if (tooOld !== undefined)
      for await (const items of passedOver(tooOld.feed, context)) yield { entry, id, changes: [], items };
    if (tooOld === latest) {
      yield batch(run);
      return freshness(run);
    }
    for await (const archive of walk.forward()) {
      reportItems(archive.feed, archive.url, access);
      const next = archive.feed.cursor ?? handedOn;
      yield* batchesOf(itemEvents(archive.feed, context), feed, runOf(next, known.ttlSec));
      handedOn = next;
    }
  } catch (error) {
    yield batch({ ...runOf(handedOn, known.ttlSec), walk: walk.left });
    throw error;
  }
  reportItems(latest.feed, latest.url, access);
  reportStatus(latest, access);
  yield* batchesOf(itemEvents(latest.feed, context), feed, run);
  return freshness(run);
}

/** The last batch carries the memory of the run. */
async function* batchesOf(
  chunks: AsyncGenerator<Batch['changes']>,
  { entry, id }: ServiceFeed,
  memory: KnownRun,
): AsyncGenerator<Batch, void> {
  let changes: Batch['changes'] = [];
  let isFirst = true;
  for await (const chunk of chunks) {
    if (!isFirst) yield { entry, id, changes };
    changes = chunk;
    isFirst = false;
  }
  yield { entry, id, changes, memory };
}

/** The items of the run before the wanted ones: remembered from now on, but not reported. */
async function* passedOver(feed: DecodedDiffDeltaFeed, context: Parameters<typeof itemEvents>[1]) {
  for await (const changes of itemEvents(feed, context)) yield changes.flatMap(({ known }) => known ?? []);
}

/** Cursors are opaque. But if a service uses those of the specification, an id of another form cannot be one of them. */
function ensureCursor(id: string | undefined, { url, feed }: FoundFeed): void {
  if (id === undefined || CURSOR.test(id) || !CURSOR.test(feed.cursor ?? '')) return;
  throw followRefusedError(
    `${JSON.stringify(id.slice(0, 100))} is no place to begin at with ${url.href}: --since takes an RFC 3339 time ` +
      '(2026-02-05T12:00:00Z), a date (2026-02-05) or a cursor (sha256: and 64 hexadecimal digits).',
  );
}

/** Whether nothing differs, so that nothing needs to be written. */
function isSame(known: KnownRun, run: KnownRun): boolean {
  const inOrder = ({ cursor, validators, latestValidators, latestUrl, ttlSec, walk }: KnownRun) =>
    JSON.stringify([cursor, validators?.etag, validators?.lastModified, latestValidators, latestUrl, ttlSec, walk]);
  return inOrder(known) === inOrder(run);
}

function freshness({ ttlSec }: KnownRun): ReadingEnd {
  return ttlSec === undefined ? {} : { freshMs: ttlSec * 1000 };
}

/** Items that cannot be used do not hide the others. */
function reportItems({ issues }: DecodedDiffDeltaFeed, url: URL, { ports }: Access): void {
  const bad = issues.filter(({ clause }) => clause.startsWith('DD-I'));
  for (const { clause, message } of bad.slice(0, MAX_SHOWN)) {
    warn(ports, 'bad-item', `${url.href}: ${clause}: ${message}`);
  }
  if (bad.length > MAX_SHOWN) {
    warn(ports, 'bad-item', `${url.href}: ${bad.length - MAX_SHOWN} more findings about its items.`);
  }
}

/** A degraded source is still read (DD-F6, DD-F7). */
function reportStatus({ feed, url }: FoundFeed, { ports }: Access): void {
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
      ports,
      'source-status',
      `${url.href}: ${shown}${more}: ${status}${reason}. ${ids.length > 1 ? 'Their' : 'Its'} items are read all the same.`,
    );
  }
}
