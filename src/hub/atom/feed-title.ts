export const ALL_TITLE = 'All changes';

/** What the feed of a collection is called: `Shrines: shrines.example/inari/`. */
export function collectionTitle(sourceTitle: string, describes: string): string {
  const { host, pathname, search } = new URL(describes);
  const path = pathname + search;
  return `${sourceTitle}: ${host}${path === '/' ? '' : path}`;
}
