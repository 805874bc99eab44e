import type { LogDatabase } from './log.ts';

/** A page of a hub, and the name of its text. */
export interface HeldText {
  readonly source: string;
  readonly url: string;
  readonly snapshot: string;
}

export interface HubPageList {
  /** Those behind a place, in order of source and address. Its cost does not follow how many there are in all. */
  behind(place: Pick<HeldText, 'source' | 'url'>, limit: number): readonly HeldText[];
}

/** The pages of which a hub has the text, for {@link SqliteHubStore.openTables}. */
export function openHubPageList({ log, database }: LogDatabase): HubPageList {
  const select = database.prepare(
    `SELECT source, url, snapshot FROM hub_pages
     WHERE (source, url) > (?, ?) AND snapshot IS NOT NULL ORDER BY source, url LIMIT ?`,
  );
  return { behind: ({ source, url }, limit) => log.ask(() => select.all(source, url, limit)) as HeldText[] };
}
