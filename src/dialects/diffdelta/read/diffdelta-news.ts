import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { type DecodedHead, decodeHead } from '../../../codecs/diffdelta/decode-head.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { createWalk, type FoundFeed, MAX_RUN_BYTES } from './archive-walk.ts';
import { type Access, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { KnownRun } from './diffdelta-memory.ts';

/** Where one feed of a DiffDelta service is. */
export interface FeedPlace {
  /** The head, where there is one. */
  readonly head?: string;
  /** The feed itself: where there is no head, and for a first reading, which needs the feed in any case. */
  readonly latest?: string;
}

const MAX_HEAD_BYTES = 1024 * 1024;
/** How many runs a feed may be ahead of its head without a later time. */
const MAX_LINKS = 20;

/** What a look at a feed has found. */
export type News =
  /** `run` is what is known of the feed now. */
  | { readonly kind: 'none'; readonly run: KnownRun }
  /** `run` is what is known once all of it was handed on. */
  | { readonly kind: 'feed'; readonly latest: FoundFeed; readonly run: KnownRun };

export interface Before {
  readonly known: KnownRun;
  readonly cursor: string | undefined;
}

/** Asks by the head, which is small; a first reading asks for the feed itself. */
export async function lookForNews(place: FeedPlace, before: Before, access: Access): Promise<News> {
  const { head, latest } = place;
  if (head === undefined) return lookAtFeed(latest ?? '', before, access);
  if (latest === undefined) return lookAtHead(head, before, access);
  const beside = async () => besideHead(await lookAtFeed(latest, asFeed(before), access), before.known);
  const isFirst = before.known.cursor === undefined && before.known.latestValidators === undefined;
  return isFirst
    ? orElse(latest, beside, () => lookAtHead(head, before, access))
    : orElse(head, () => lookAtHead(head, before, access), beside);
}

/** The second way, where nothing is at the URL with which the first begins. */
async function orElse(url: string, first: () => Promise<News>, second: () => Promise<News>): Promise<News> {
  try {
    return await first();
  } catch (error) {
    if (!isNothing(error) || error.url !== url) throw error;
    return await second().catch((other) => {
      throw isNothing(other) ? error : other;
    });
  }
}

function isNothing(error: unknown): error is FeedUnreadableError {
  return error instanceof FeedUnreadableError && (error.status === 404 || error.status === 410);
}

/** Validators of a head say nothing of its feed, nor the other way round. */
function asFeed({ known, cursor }: Before): Before {
  const { validators: _, latestValidators, ...rest } = known;
  return { known: { ...rest, ...(latestValidators !== undefined && { validators: latestValidators }) }, cursor };
}

function besideHead<T extends News>(news: T, known: KnownRun): T {
  const { validators: latestValidators, ...run } = news.run;
  return {
    ...news,
    run: {
      ...run,
      ...(known.validators !== undefined && { validators: known.validators }),
      ...(latestValidators !== undefined && { latestValidators }),
    },
  };
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
  let found: LatestFeed | undefined;
  for (const question of [{ validators: known.latestValidators }, { isFresh: true }]) {
    const document = await getDocument(url, { maxBytes: MAX_RUN_BYTES, ...question }, access);
    if (document === 'unchanged') continue;
    const feed = ensureDecoded(decodeDiffDeltaFeed(document.text, document.url), url, 'feed');
    found = { url: document.url, feed, validators: document.validators };
    if (isOfHead(feed, head)) return found;
  }
  if (found !== undefined && (await isBehind(head, found, access))) return found;
  throw new FeedUnreadableError(
    url,
    `does not have the cursor that its head names (${head.cursor}), and is not newer.`,
  );
}

/** The feed has the last word, unless it is behind its head. */
function isOfHead(feed: DecodedDiffDeltaFeed, head: DecodedHead): boolean {
  if (feed.cursor === head.cursor) return true;
  if (feed.prev_cursor !== null && feed.prev_cursor === head.cursor) return feed.cursor !== null;
  const [made, headMade] = [feed, head].map(({ generated_at: time }) => parseTime(time ?? ''));
  return feed.cursor !== null && made !== undefined && headMade !== undefined && made > headMade;
}

/** Whether the archives lead from the feed to the run of the head, as where several runs have the same time. */
async function isBehind(head: DecodedHead, latest: FoundFeed, access: Access): Promise<boolean> {
  const { cursor, generated_at: time } = latest.feed;
  const isOlder = (parseTime(time ?? '') ?? 0) < (parseTime(head.generated_at ?? '') ?? 0);
  if (cursor === null || cursor === head.prev_cursor || isOlder) return false;
  const walk = createWalk(
    { cursor: head.cursor ?? undefined, sinceMs: undefined, before: undefined, maxSteps: MAX_LINKS },
    access,
  );
  return (await walk.back(latest)).gap === undefined;
}

async function lookAtFeed(url: string, { known, cursor }: Before, access: Access): Promise<News> {
  const document = await getDocument(url, { maxBytes: MAX_RUN_BYTES, validators: known.validators }, access);
  if (document === 'unchanged') return { kind: 'none', run: known };
  const feed = ensureDecoded(decodeDiffDeltaFeed(document.text, document.url), url, 'feed');
  const { validators } = document;
  const ttl = feed.ttl_sec === undefined ? {} : { ttlSec: feed.ttl_sec };
  if (feed.cursor === null) return { kind: 'none', run: { ...known, validators, ...ttl } };
  const run = { ...runOf(feed.cursor, feed.ttl_sec), validators };
  if (feed.cursor === cursor) return { kind: 'none', run };
  return { kind: 'feed', latest: { url: document.url, feed }, run };
}

export function runOf(cursor: string | undefined, ttlSec: number | undefined): KnownRun {
  return { ...(cursor !== undefined && { cursor }), ...(ttlSec !== undefined && { ttlSec }) };
}

function latestOf({ latestValidators }: KnownRun): KnownRun {
  return latestValidators === undefined ? {} : { latestValidators };
}
