import type { HarvestedChange } from '../read/harvested.ts';

/** What a page calls itself; undefined where that cannot be told. */
export type TitleOf = (url: string) => Promise<string | undefined>;

export interface Named {
  readonly changes: readonly HarvestedChange[];
  /** At so many pages a look was taken, whatever came of it. */
  readonly asked: number;
}

/** Changes with what their pages call themselves. Pages of others, and those that are gone, are not asked. */
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
