import { isOnSite } from '../../../fetch/same-site.ts';

/** What people are told of a source. */
export interface AtomSource {
  readonly title: string;
  /** Its page for people, http or https. */
  readonly url?: string;
}

export const ALL_TITLE = 'All changes';

/** What the feed of a collection is called: `Shrines: shrines.example/inari/`. */
function collectionTitle(sourceTitle: string, describes: string): string {
  const { host, pathname, search } = new URL(describes);
  const path = pathname + search;
  return `${sourceTitle}: ${host}${path === '/' ? '' : path}`;
}

/** What people are told of a collection. Where it names itself after another site, they are led to its own. */
export function collectionSource({ title, url }: AtomSource, describes: string): AtomSource {
  const isOwn = url !== undefined && isOnSite(describes, [new URL(url)]);
  const leadsTo = isOwn ? describes : url;
  return { title: collectionTitle(title, describes), ...(leadsTo !== undefined && { url: leadsTo }) };
}
