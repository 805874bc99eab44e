import { formatTime } from '../../../codecs/primitives/time.ts';
import type { FeedReading, FeedVisit } from '../../../hub/visit/feed-readers.ts';
import { sourceIdOf } from '../../../model/source.ts';
import { readWebFeed } from './web-feed.ts';
import { getWebFeed } from './web-feed-document.ts';

/** The items of a feed for people, whichever of Atom, RSS and JSON Feed it is: the document says that itself. */
export async function readAtomFeed(visit: FeedVisit): Promise<FeedReading> {
  const { url, state, ports, note, source: id, allowDeletes = false } = visit;
  const source = sourceIdOf(url);
  const known = (await state.find(url.href))?.webFeed;
  const remedy = `tidings source resume ${id ?? '<id>'} --allow-deletes`;
  const news = await readWebFeed({ url, source, known, allowDeletes, remedy }, { ...ports, state, note });
  const { items, changes, freshMs } = news;
  if (news.known !== undefined || items.length > 0) {
    await state.commit({
      state: { source, entry: url.href, webFeed: news.known ?? known ?? { count: 0 } },
      seenIds: [],
      checksums: [],
      items,
      pending: [],
      settledIds: [],
      changes,
    });
  }
  return { isSame: news.known === undefined, ...(freshMs !== undefined && { freshMs }) };
}

const NAMES = { atom: 'an Atom feed', rss: 'an RSS feed', 'json-feed': 'a JSON Feed' } as const;

export async function tryAtomFeed({ url, ports, note }: Omit<FeedVisit, 'state'>): Promise<string> {
  const document = await getWebFeed(url, {}, ports);
  if (!('feed' in document)) return 'a feed';
  const { format, items, problems, hubUrls } = document.feed;
  for (const problem of problems) note(`${url.href}: ${problem}`);
  if (hubUrls.length > 0) note('It has a hub of WebSub, which could tell of news at once.');
  const [first] = items;
  const count = `${NAMES[format]} with ${items.length} ${items.length === 1 ? 'item' : 'items'}`;
  if (first === undefined) return count;
  const timeMs = first.publishedMs ?? first.updatedMs;
  const name = JSON.stringify((first.title ?? first.url ?? first.id).slice(0, 200));
  return `${count}; the first is ${name}${timeMs === undefined ? '' : ` of ${formatTime(timeMs)}`}`;
}
