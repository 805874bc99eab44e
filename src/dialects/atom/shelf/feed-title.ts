import { isOnSite } from '../../../fetch/same-site.ts';

/** What people see of a source. */
export interface AtomSource {
  readonly title: string;
  /** Its page for people, http or https. */
  readonly url?: string;
}

export const ALL_TITLE = 'All changes';

/** The title of the feed of a collection: `Shrines: shrines.example/inari/`. */
function collectionTitle(sourceTitle: string, describes: string): string {
  const { host, pathname, search } = new URL(describes);
  const path = pathname + search;
  return `${sourceTitle}: ${host}${path === '/' ? '' : path}`;
}

/** What people see of a collection. If it is named after another site, the link leads to the page of its source. */
export function collectionSource({ title, url }: AtomSource, describes: string): AtomSource {
  const isOwn = url !== undefined && isOnSite(describes, [new URL(url)]);
  const leadsTo = isOwn ? describes : url;
  return { title: collectionTitle(title, describes), ...(leadsTo !== undefined && { url: leadsTo }) };
}
