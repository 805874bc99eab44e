import { groupBy } from '../codecs/primitives/group-by.ts';
import { piecesOf } from '../codecs/primitives/pieces-of.ts';
import { encodeForm } from '../codecs/websub/form.ts';
import { HUB_FORM_TYPE } from '../codecs/websub/hub-request.ts';
import type { AnnounceTarget } from './announce-target.ts';

/** A request that notifies a target. */
export interface AnnounceParcel {
  readonly body: string;
  readonly contentType: string;
  /** The URLs that it names. */
  readonly urls: readonly string[];
}

/** What to announce: the new feeds, and the pages that they report, each once. */
export interface AnnouncedNews {
  readonly site: URL;
  readonly topics: readonly string[];
  readonly pages: readonly string[];
}

/** The maximum that IndexNow accepts in one request, for one host. */
const MOST_INDEXNOW_URLS = 10_000;
const MOST_HUB_URLS = 200;

/** The requests that announce everything to a target, in order. */
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

/** How publishers notify a WebSub hub is only a custom; hubs differ in the name of the parameter, so both are sent. */
function pingOf(urls: readonly string[]): AnnounceParcel {
  const fields = urls.flatMap((url) => [['hub.url', url] as const, ['hub.topic', url] as const]);
  return { body: encodeForm([['hub.mode', 'publish'], ...fields]), contentType: HUB_FORM_TYPE, urls };
}

/** A key file applies to its own host; below a path, only to that path. */
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
