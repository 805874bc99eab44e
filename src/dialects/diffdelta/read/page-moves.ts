import type { KnownItem } from '../../feed-change.ts';
import type { Remembered } from '../../reader.ts';

/** What a run does with one item, in the order of the run. */
export interface ItemStep {
  readonly key: string;
  /** Where the item is, or was, according to the run. */
  readonly page: string | undefined;
  readonly isRemoved: boolean;
}

export interface MoveContext {
  /** The key of the memory of the feed and its items. */
  readonly entry: string;
  /** The entries of all feeds of the service. The same pages may have items in several of them. */
  readonly siblings: readonly string[];
  readonly remembered: Pick<Remembered, 'liveItemsOn'>;
}

/** How the items of one run leave their pages. */
export interface PageMoves {
  /** The page that the item leaves with this step, because it was removed or moved. */
  leftBy(step: number): string | undefined;
  /** Whether the page ends with this step: no item is on it after the run, and no other leaves it later. */
  endsWith(step: number): Promise<boolean>;
}

/** Judges by the state after the whole run, because the order of its items means nothing. `known` is what was known before it. */
export function pageMoves(
  steps: readonly ItemStep[],
  known: ReadonlyMap<string, KnownItem>,
  context: MoveContext,
): PageMoves {
  const places = new Map<string, string | undefined>();
  for (const { key, page, isRemoved } of known.values()) places.set(key, isRemoved ? undefined : page);
  const left = new Map<number, string>();
  const leavers = new Map<string, number[]>();
  for (const [index, { key, page, isRemoved }] of steps.entries()) {
    const to = isRemoved ? undefined : page;
    const from = places.has(key) || !isRemoved ? places.get(key) : page;
    places.set(key, to);
    if (from === undefined || from === to) continue;
    left.set(index, from);
    const ofPage = leavers.get(from);
    if (ofPage === undefined) leavers.set(from, [index]);
    else ofPage.push(index);
  }
  const pagesBehind = new Set(places.values());
  const entries = [context.entry, ...context.siblings];

  return {
    leftBy: (step) => left.get(step),
    async endsWith(step) {
      const page = left.get(step);
      const all = leavers.get(page ?? '') ?? [];
      if (page === undefined || all.at(-1) !== step || pagesBehind.has(page)) return false;
      // Of the stored items, the run touches at most those that leave the page.
      const live = await context.remembered.liveItemsOn(entries, page, all.length + 1);
      return live.every((key) => places.has(key));
    },
  };
}
