import { decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import { decodeHead } from '../../../codecs/diffdelta/decode-head.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { type FoundFeed, MAX_RUN_BYTES } from './archive-walk.ts';
import { type Access, ensureDecoded, getDocument } from './diffdelta-access.ts';
import type { KnownRun } from './diffdelta-memory.ts';
import { feedOfHead, placesOfFeed } from './feed-of-head.ts';
import type { FeedPlace } from './feed-place.ts';

const MAX_HEAD_BYTES = 1024 * 1024;

/** The result of a look at a feed. */
export type News =
  /** `run` is what is known about the feed now. */
  | { readonly kind: 'none'; readonly run: KnownRun }
  /** `run` is what is known once everything was handed on. */
  | { readonly kind: 'feed'; readonly latest: FoundFeed; readonly run: KnownRun };

export interface Before {
  readonly known: KnownRun;
  readonly cursor: string | undefined;
}

/** Requests the head, which is small. A first reading requests the feed itself. */
export async function lookForNews(place: FeedPlace, before: Before, access: Access): Promise<News> {
  const { head, latest, other } = place;
  if (head === undefined) return lookAtFeed(latest ?? '', before, access);
  if (latest === undefined) return lookAtHead(place, before, access);
  const besideHead = (url: string) => async () =>
    asBesideHead(url, await lookAtFeed(url, asFeed(url, before), access), before.known);
  const byHead = () => lookAtHead(place, before, access);
  const isFirst = before.known.cursor === undefined && before.known.latestValidators === undefined;
  const named = () => (isFirst ? orElse(latest, besideHead(latest), byHead) : orElse(head, byHead, besideHead(latest)));
  return other === undefined || other === latest ? named() : orElse(isFirst ? latest : head, named, besideHead(other));
}

/** Takes the second way if there is nothing at the URL that the first one starts with. */
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

/** The validators of a head do not apply to its feed, nor those of one URL to another. */
function asFeed(url: string, { known, cursor }: Before): Before {
  const { validators: _, latestValidators, ...rest } = known;
  const isSame = (known.latestUrl ?? url) === url;
  return {
    known: { ...rest, ...(isSame && latestValidators !== undefined && { validators: latestValidators }) },
    cursor,
  };
}

function asBesideHead<T extends News>(url: string, news: T, known: KnownRun): T {
  const { validators: latestValidators, ...run } = news.run;
  return {
    ...news,
    run: {
      ...run,
      ...(known.validators !== undefined && { validators: known.validators }),
      ...(latestValidators !== undefined && { latestValidators, latestUrl: url }),
    },
  };
}

async function lookAtHead(place: FeedPlace, { known, cursor }: Before, access: Access): Promise<News> {
  const { head: url = '' } = place;
  const document = await getDocument(url, { maxBytes: MAX_HEAD_BYTES, validators: known.validators }, access);
  if (document === 'unchanged') return { kind: 'none', run: known };
  const head = ensureDecoded(decodeHead(document.text), url, 'head');
  const { validators } = document;
  const ttl = head.ttl_sec === undefined ? {} : { ttlSec: head.ttl_sec };
  // A feed without data is no reason to forget what there was (DD-C5, DD-C6).
  if (head.cursor === null) return { kind: 'none', run: { ...known, validators, ...ttl } };
  if (head.cursor === cursor) {
    return { kind: 'none', run: { ...runOf(cursor, head.ttl_sec), ...latestOf(known), validators } };
  }

  const places = placesOfFeed({ head, url: document.url, place, known });
  const latest = await feedOfHead(head, { places, known }, access);
  const run = { ...runOf(latest.feed.cursor ?? undefined, head.ttl_sec ?? latest.feed.ttl_sec), validators };
  const all = { ...run, latestValidators: latest.validators, latestUrl: latest.asked };
  return latest.feed.cursor === cursor ? { kind: 'none', run: all } : { kind: 'feed', latest, run: all };
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

function latestOf({ latestValidators, latestUrl }: KnownRun): KnownRun {
  return {
    ...(latestValidators !== undefined && { latestValidators }),
    ...(latestUrl !== undefined && { latestUrl }),
  };
}
