import { type DecodedFeed, decodeFeed } from '../../codecs/diffdelta/decode-feed.ts';
import { type DecodedHead, decodeHead } from '../../codecs/diffdelta/decode-head.ts';
import { parseTime } from '../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../errors/feed-error.ts';
import type { KnownRun, SourceState } from '../follow-state.ts';
import type { Since } from '../since.ts';
import { createWalk, type FoundFeed, MAX_FEED_BYTES } from './archive-walk.ts';
import { type Access, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { FeedItem } from './feed-item.ts';
import { itemEvents } from './item-events.ts';
import { warn } from './reading.ts';

/** Where one feed of a DiffDelta service is. */
export interface FeedPlace {
  /** The head, where there is one. */
  readonly head?: string;
  /** The feed itself. A head says where its feed is, so this is for where there is no head. */
  readonly latest?: string;
}

const MAX_HEAD_BYTES = 1024 * 1024;
const MAX_SHOWN = 20;

/**
 * What a feed has told since the cursor that is known, oldest run first; the cursor alone decides (DD-T5, T-DD-6).
 *
 * Runs that were missed are read from the archives. A reader that knows nothing yet begins with the first archive there is.
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
  const { state, now } = access.reading;
  const isBeginning = cursor === undefined && since.timeMs === undefined;
  const context = { source: start.source, state, now, isBeginning };
  const walk = createWalk({ cursor, sinceMs: since.timeMs, before: known.walk }, access);
  let handedOn: string | undefined = known.cursor;
  try {
    await walk.back(latest);
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

type News =
  /** `run` is what is known of the feed now. */
  | { readonly kind: 'none'; readonly run: KnownRun }
  /** `run` is what is known once all of it was handed on. */
  | { readonly kind: 'feed'; readonly latest: FoundFeed; readonly run: KnownRun };

interface Before {
  readonly known: KnownRun;
  readonly cursor: string | undefined;
}

async function lookForNews(place: FeedPlace, before: Before, access: Access): Promise<News> {
  if (place.head === undefined) return lookAtFeed(place.latest ?? '', before, access);
  try {
    return await lookAtHead(place.head, before, access);
  } catch (error) {
    const isMissing = error instanceof FeedUnreadableError && error.url === place.head && isGone(error.status);
    if (place.latest === undefined || !isMissing) throw error;
    return lookAtFeed(place.latest, before, access);
  }
}

async function lookAtHead(url: string, { known, cursor }: Before, access: Access): Promise<News> {
  const document = await getDocument(url, { maxBytes: MAX_HEAD_BYTES, validators: known.validators }, access);
  if (document === 'unchanged') return { kind: 'none', run: known };
  const head = ensureDecoded(decodeHead(document.text), url, 'head');
  const { validators } = document;
  const ttl = head.ttl_sec === undefined ? {} : { ttlSec: head.ttl_sec };
  // No data yet is no reason to forget what there was (DD-C5, DD-C6).
  if (head.cursor === null) return { kind: 'none', run: { ...known, validators, ...ttl } };
  if (head.cursor === cursor) {
    return { kind: 'none', run: { ...runOf(cursor, head.ttl_sec), ...latestOf(known), validators } };
  }

  const latestUrl = sameOriginUrl(head.latest_url, document.url);
  if (latestUrl === undefined) {
    const named = JSON.stringify(head.latest_url.slice(0, 200));
    throw new FeedUnreadableError(url, `names ${named} as its feed, which is not of its own origin and was not asked.`);
  }
  const latest = await readFeedOf(head, latestUrl, known, access);
  const run = { ...runOf(latest.feed.cursor ?? undefined, head.ttl_sec ?? latest.feed.ttl_sec), validators };
  const all = { ...run, ...(latest.validators !== undefined && { latestValidators: latest.validators }) };
  return latest.feed.cursor === cursor ? { kind: 'none', run: all } : { kind: 'feed', latest, run: all };
}

type LatestFeed = FoundFeed & Pick<KnownRun, 'validators'>;

/** A feed that is older than its head is asked for once more, past the caches; what stays older is left for a later poll. */
async function readFeedOf(head: DecodedHead, url: string, known: KnownRun, access: Access): Promise<LatestFeed> {
  for (const question of [{ validators: known.latestValidators }, { isFresh: true }]) {
    const document = await getDocument(url, { maxBytes: MAX_FEED_BYTES, ...question }, access);
    if (document === 'unchanged') continue;
    const feed = ensureDecoded(decodeFeed(document.text), url, 'feed');
    if (isOfHead(feed, head)) return { url: document.url, feed, validators: document.validators };
  }
  throw new FeedUnreadableError(
    url,
    `does not have the cursor that its head names (${head.cursor}), and is not newer.`,
  );
}

/** The feed has the last word, unless it is behind its head. */
function isOfHead(feed: DecodedFeed, head: DecodedHead): boolean {
  if (feed.cursor === head.cursor) return true;
  const [made, headMade] = [feed, head].map(({ generated_at: time }) => parseTime(time ?? ''));
  return feed.cursor !== null && made !== undefined && headMade !== undefined && made > headMade;
}

async function lookAtFeed(url: string, { known, cursor }: Before, access: Access): Promise<News> {
  const document = await getDocument(url, { maxBytes: MAX_FEED_BYTES, validators: known.validators }, access);
  if (document === 'unchanged') return { kind: 'none', run: known };
  const feed = ensureDecoded(decodeFeed(document.text), url, 'feed');
  const { validators } = document;
  if (feed.cursor === null) return { kind: 'none', run: { ...known, validators } };
  const run = { ...runOf(feed.cursor, feed.ttl_sec), validators };
  if (feed.cursor === cursor) return { kind: 'none', run };
  return { kind: 'feed', latest: { url: document.url, feed }, run };
}

function runOf(cursor: string | undefined, ttlSec: number | undefined): KnownRun {
  return { ...(cursor !== undefined && { cursor }), ...(ttlSec !== undefined && { ttlSec }) };
}

function latestOf({ latestValidators }: KnownRun): KnownRun {
  return latestValidators === undefined ? {} : { latestValidators };
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

function isGone(status: number | undefined): boolean {
  return status === 404 || status === 410;
}

/** Items that cannot be used do not hide the others. */
function reportItems({ issues }: DecodedFeed, url: URL, { reading }: Access): void {
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
      `${url.href}: ${shown}${more}: ${status}${reason}. Its items are read all the same.`,
    );
  }
}
