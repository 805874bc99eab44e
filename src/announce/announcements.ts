import { groupBy } from '../codecs/primitives/group-by.ts';
import { piecesOf } from '../codecs/primitives/pieces-of.ts';
import { encodeForm } from '../codecs/websub/form.ts';
import { HUB_FORM_TYPE } from '../codecs/websub/hub-request.ts';
import type { AnnounceTarget } from './announce-target.ts';

/** A request that tells a target something. */
export interface AnnounceParcel {
  readonly body: string;
  readonly contentType: string;
  /** The URLs that it names. */
  readonly urls: readonly string[];
}

/** What is told: the feeds that are new, and the pages that they tell of, each once. */
export interface AnnouncedNews {
  readonly site: URL;
  readonly topics: readonly string[];
  readonly pages: readonly string[];
}

/** What IndexNow takes at once, of one host. */
const MOST_INDEXNOW_URLS = 10_000;
const MOST_HUB_URLS = 200;

/** The requests that tell a target all of it, in order. */
export function announcementsTo(target: AnnounceTarget, told: AnnouncedNews): readonly AnnounceParcel[] {
  switch (target.kind) {
    case 'websub':
      return told.topics.map((topic) => pingOf([topic]));
    case 'hub':
      return piecesOf(told.pages, MOST_HUB_URLS).map(pingOf);
    case 'indexnow':
      return indexNowOf(told, target.key);
  }
}

/** The way of WebSub's publishers is a custom; hubs differ in the name of the parameter, so that both are sent. */
function pingOf(urls: readonly string[]): AnnounceParcel {
  const fields = urls.flatMap((url) => [['hub.url', url] as const, ['hub.topic', url] as const]);
  return { body: encodeForm([['hub.mode', 'publish'], ...fields]), contentType: HUB_FORM_TYPE, urls };
}

/** A file of the key counts for its own host; below a path, for what is below that path. */
function indexNowOf({ site, pages }: AnnouncedNews, key: string): readonly AnnounceParcel[] {
  const byHost = groupBy(pages, (url) => new URL(url).host);
  return [...byHost].flatMap(([host, urls]) =>
    piecesOf(urls, MOST_INDEXNOW_URLS).map((urlList) => {
      const keyLocation = host === site.host && site.pathname !== '/' ? new URL(`${key}.txt`, site).href : undefined;
      const body = JSON.stringify({ host, key, keyLocation, urlList });
      return { body, contentType: 'application/json; charset=utf-8', urls: urlList };
    }),
  );
}
