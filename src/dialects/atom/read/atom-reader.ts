import { formatTime } from '../../../codecs/primitives/time.ts';
import { FeedUnreadableError } from '../../../errors/feed-error.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { asAsked } from '../../as-asked.ts';
import { warn } from '../../diagnostic.ts';
import { orNothing } from '../../no-offer.ts';
import type { Batch, FeedOffer, FeedQuestion, FeedReader, OfferFacts, ReaderPorts, ReadingEnd } from '../../reader.ts';
import { ensureTime } from '../../since.ts';
import { readWebFeed } from './web-feed.ts';
import { askForFeed, getWebFeed, type WebFeedDocument } from './web-feed-document.ts';
import { decodeKnown } from './web-feed-known.ts';

const FEED_FILE = /\.(?:atom|rss)$/i;
const NAMES = { atom: 'an Atom feed', rss: 'an RSS feed', 'json-feed': 'a JSON Feed' } as const;

/** The reader of feeds for people: Atom, RSS and JSON Feed. The document itself shows which it is. */
export const ATOM_READER: FeedReader = {
  noun: 'a feed for people',
  isSnapshot: true,
  recognizes: ({ pathname }) => FEED_FILE.test(pathname),
  entriesAt: ({ href }) => [href],
  discover: (question, ports) => orNothing(() => findFeed(question, ports)),
};

/** A feed, or a feed that the page of a site names. */
interface Found {
  readonly url: URL;
  /** Set if it was fetched just now. */
  readonly document?: WebFeedDocument;
  /** The page that led here, to be remembered. */
  readonly page?: string;
}

async function findFeed(question: FeedQuestion, ports: ReaderPorts): Promise<FeedOffer> {
  const { url, isNamed } = question;
  const known = decodeKnown(await ports.remembered.memoryOf(url.href));
  if (known !== undefined && 'leadsTo' in known) return offerOf({ url: new URL(known.leadsTo) }, question, ports);
  if (isNamed || known !== undefined) return offerOf({ url }, question, ports);
  const answer = await askForFeed(url, {}, ports);
  if ('feed' in answer) return offerOf({ url, document: answer }, question, ports);
  if ('why' in answer && answer.names !== undefined) {
    return offerOf({ url: new URL(answer.names), page: url.href }, question, ports);
  }
  const why = 'why' in answer ? answer.why : 'It answered 304 to a request without conditions.';
  throw new FeedUnreadableError(url.href, `is no feed, and names none: ${why}`);
}

function offerOf(found: Found, question: FeedQuestion, ports: ReaderPorts): FeedOffer {
  const feed = { entry: found.url.href, id: sourceIdOf(found.url) };
  return {
    read: () => asAsked(feed, readFeed(found, question, ports)),
    describe: () => describe(found.url, ports),
  };
}

async function* readFeed(found: Found, question: FeedQuestion, ports: ReaderPorts): AsyncGenerator<Batch, ReadingEnd> {
  const { url, document, page } = found;
  const { since = {}, allowDeletes = false, remedies = {} } = question;
  const id = sourceIdOf(url);
  const stored = decodeKnown(await ports.remembered.memoryOf(url.href));
  const known = stored === undefined || 'leadsTo' in stored ? undefined : stored;
  if (known === undefined) ensureTime(since, url.href);
  const request = { url, known, sinceMs: since.timeMs, document, allowDeletes, remedy: remedies.deletes };
  const news = await readWebFeed(request, ports);
  if (page !== undefined) yield { entry: page, id: `${id}_page`, changes: [], memory: { leadsTo: url.href } };
  if (news.known !== undefined || news.items.length + news.changes.length > 0) {
    const memory = news.known ?? known ?? { count: 0 };
    yield { entry: url.href, id, changes: news.changes, items: news.items, memory, isBlank: memory.count === 0 };
  }
  return { isSame: news.known === undefined, freshMs: news.freshMs, hubs: news.hubs };
}

async function describe(url: URL, ports: ReaderPorts): Promise<OfferFacts> {
  const document = await getWebFeed(url, {}, ports);
  if (!('feed' in document)) return { url: url.href, words: 'a feed' };
  const { hubs } = document;
  const { format, items, problems } = document.feed;
  for (const problem of problems) warn(ports, 'note', `${url.href}: ${problem}`);
  const [first] = items;
  const count = `${NAMES[format]} with ${items.length} ${items.length === 1 ? 'item' : 'items'}`;
  if (first === undefined) return { url: url.href, words: count, hubs };
  const timeMs = first.publishedMs ?? first.updatedMs;
  const name = JSON.stringify((first.title ?? first.url ?? first.id).slice(0, 200));
  const newestMs = items.reduce((newest, item) => Math.max(newest, item.updatedMs ?? item.publishedMs ?? 0), 0);
  return {
    url: url.href,
    words: `${count}; the first is ${name}${timeMs === undefined ? '' : ` of ${formatTime(timeMs)}`}`,
    pages: items.flatMap((item) => item.url ?? []),
    hubs,
    ...(newestMs > 0 && { newestMs }),
  };
}
