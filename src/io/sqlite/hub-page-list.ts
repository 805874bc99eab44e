import type { LogDatabase } from './log.ts';

/** A page of a hub, and the name of its text. */
export interface HeldText {
  readonly source: string;
  readonly url: string;
  readonly snapshot: string;
}

export interface HubPageList {
  /** The pages after a place, in order of source and address. The cost does not depend on how many there are in all. */
  behind(place: Pick<HeldText, 'source' | 'url'>, limit: number): readonly HeldText[];
  /** How many sources there are, those that are gone left out. */
  sources(): number;
}

/** The pages of which a hub has the text, for {@link SqliteHubStore.openTables}. */
export function openHubPageList({ log, database }: LogDatabase): HubPageList {
  const select = database.prepare(
    `SELECT source, url, snapshot FROM hub_pages
     WHERE (source, url) > (?, ?) AND snapshot IS NOT NULL ORDER BY source, url LIMIT ?`,
  );
  const count = database.prepare('SELECT count(*) AS sources FROM hub_sources');
  return {
    behind: ({ source, url }, limit) => log.ask(() => select.all(source, url, limit)) as HeldText[],
    sources: () => (log.ask(() => count.get()) as { readonly sources: number }).sources,
  };
}
