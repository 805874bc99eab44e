import { type DecodedDiffDeltaFeed, decodeDiffDeltaFeed } from '../../../codecs/diffdelta/decode-feed.ts';
import type { DecodedHead } from '../../../codecs/diffdelta/decode-head.ts';
import { parseTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import type { Validators } from '../../../fetch/response-headers.ts';
import { isNothing } from '../../no-offer.ts';
import { createWalk, type FoundFeed, MAX_RUN_BYTES } from './archive-walk.ts';
import { type Access, type DocumentQuestion, ensureDecoded, getDocument, sameOriginUrl } from './diffdelta-access.ts';
import type { KnownRun } from './diffdelta-memory.ts';
import type { FeedPlace } from './feed-place.ts';

/** How many runs a feed may be ahead of its head without a later time. */
const MAX_LINKS = 20;
const HEAD_FILE = /head\.json(?=$|\?)/;

export interface HeadFound {
  readonly head: DecodedHead;
  /** Where the head was found. */
  readonly url: URL;
  readonly place: FeedPlace;
  readonly known: KnownRun;
}

export interface HeadFeed extends FoundFeed {
  /** The requested URL, one of the places. */
  readonly asked: string;
  readonly validators: Validators;
}

/**
 * Where the feed of a head may be, likeliest first: where it was last time, where the head says, beside the head, and where the
 * service says. The `latest_url` of existing services names a folder that is no longer written.
 */
export function placesOfFeed({ head, url, place, known }: HeadFound): readonly string[] {
  const named = sameOriginUrl(head.latest_url, url);
  if (named === undefined) {
    const shown = JSON.stringify(head.latest_url.slice(0, 200));
    const why = `names ${shown} as its feed, which is not of its own origin and was not asked.`;
    throw new FeedUnreadableError(url.href, why);
  }
  const beside = HEAD_FILE.test(url.href) ? [url.href.replace(HEAD_FILE, 'latest.json')] : [];
  const places = [named, ...beside, ...[place.latest, place.other].filter((other) => other !== undefined)];
  const { latestUrl } = known;
  return [...new Set(latestUrl !== undefined && places.includes(latestUrl) ? [latestUrl, ...places] : places)];
}

/**
 * The feed that its head describes, or a newer one. If every place has an older one, all are asked again, bypassing the caches. If
 * that does not help, a later poll tries again.
 */
export async function feedOfHead(
  head: DecodedHead,
  { places, known }: { readonly places: readonly string[]; readonly known: KnownRun },
  access: Access,
): Promise<HeadFeed> {
  let newest: HeadFeed | undefined;
  let failure: unknown;
  for (const isFresh of [false, true]) {
    for (const asked of places) {
      const isKnown = !isFresh && asked === (known.latestUrl ?? places[0]);
      const question = { isFresh, ...(isKnown && { validators: known.latestValidators }) };
      try {
        const found = await feedAtPlace(asked, question, access);
        if (found === 'unchanged') continue;
        if (isOfHead(found.feed, head)) return found;
        newest = newest === undefined || timeOf(found.feed) > timeOf(newest.feed) ? found : newest;
      } catch (error) {
        if (!isOfPlace(error)) throw error;
        failure ??= error;
      }
    }
  }
  if (newest !== undefined && (await isBehind(head, newest, access))) return newest;
  if (newest === undefined && failure !== undefined) throw failure;
  const also = places.length > 1 ? ` Neither has ${places.slice(1).join(', nor ')}.` : '';
  throw new FeedUnreadableError(
    places[0] ?? '',
    `does not have the cursor that its head names (${head.cursor}), and is not newer.${also}`,
  );
}

/** An error of one place does not rule out the others. But a server that asks for a pause is left alone. */
function isOfPlace(error: unknown): boolean {
  return isNothing(error) || (error instanceof FeedUnreadableError && error.retryAfterMs === undefined);
}

async function feedAtPlace(
  asked: string,
  question: Omit<DocumentQuestion, 'maxBytes'>,
  access: Access,
): Promise<HeadFeed | 'unchanged'> {
  const document = await getDocument(asked, { maxBytes: MAX_RUN_BYTES, ...question }, access);
  if (document === 'unchanged') return document;
  const feed = ensureDecoded(decodeDiffDeltaFeed(document.text, document.url), asked, 'feed');
  return { url: document.url, feed, asked, validators: document.validators };
}

/** The feed has the last word, unless it is older than its head. */
function isOfHead(feed: DecodedDiffDeltaFeed, head: DecodedHead): boolean {
  if (feed.cursor === head.cursor) return true;
  if (feed.prev_cursor !== null && feed.prev_cursor === head.cursor) return feed.cursor !== null;
  const [made, headMade] = [feed, head].map(({ generated_at: time }) => parseTime(time ?? ''));
  return feed.cursor !== null && made !== undefined && headMade !== undefined && made > headMade;
}

/** Whether the archives lead from the feed to the run of the head. This decides if several runs have the same time. */
async function isBehind(head: DecodedHead, latest: FoundFeed, access: Access): Promise<boolean> {
  const { cursor } = latest.feed;
  const isOlder = timeOf(latest.feed) < timeOf(head);
  if (cursor === null || cursor === head.prev_cursor || isOlder) return false;
  const walk = createWalk(
    { cursor: head.cursor ?? undefined, sinceMs: undefined, before: undefined, maxSteps: MAX_LINKS },
    access,
  );
  return (await walk.back(latest)).gap === undefined;
}

function timeOf({ generated_at: time }: Pick<DecodedHead, 'generated_at'>): number {
  return parseTime(time ?? '') ?? 0;
}
