import type { HarvestedChange } from '../read/harvested.ts';

/** The title that a page gives itself; undefined if it is not available. */
export type TitleOf = (url: string) => Promise<string | undefined>;

export interface Named {
  readonly changes: readonly HarvestedChange[];
  /** How many pages were fetched, with or without a result. */
  readonly asked: number;
}

/** Adds the titles of pages to their changes. Pages of other sites and deleted pages are not fetched. */
export async function withTitles(changes: readonly HarvestedChange[], most: number, titleOf: TitleOf): Promise<Named> {
  if (most <= 0) return { changes, asked: 0 };
  const asked = new Map<string, string | undefined>();
  const named: HarvestedChange[] = [];
  for (const change of changes) {
    const isAskable = change.title === undefined && change.isOwn && change.change !== 'deleted';
    if (isAskable && !asked.has(change.loc) && asked.size < most) {
      asked.set(change.loc, await titleOf(change.loc));
    }
    const title = isAskable ? asked.get(change.loc) : undefined;
    named.push(title === undefined ? change : { ...change, title });
  }
  return { changes: named, asked: asked.size };
}
