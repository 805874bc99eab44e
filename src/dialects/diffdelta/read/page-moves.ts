import type { KnownItem } from '../../feed-change.ts';
import type { Remembered } from '../../reader.ts';

/** What a run does with one item, in the order of the run. */
export interface ItemStep {
  readonly key: string;
  /** Where the run says that the item is, or was. */
  readonly page: string | undefined;
  readonly isRemoved: boolean;
}

export interface MoveContext {
  /** Under which the feed is remembered, and its items with it. */
  readonly entry: string;
  /** The entries of all feeds of the service, in which the same pages may have items. */
  readonly siblings: readonly string[];
  readonly remembered: Pick<Remembered, 'liveItemsOn'>;
}

/** How the items of one run leave their pages. */
export interface PageMoves {
  /** The page on which the item is no longer once this step is done: it was removed, or is elsewhere. */
  leftBy(step: number): string | undefined;
  /** Whether the page goes with the step that leaves it: no item is on it behind the run, and no other leaves it later. */
  endsWith(step: number): Promise<boolean>;
}

/** Judges by how all is once the run is over: the order of its items says nothing. `known` is what was known before it. */
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
      // Of those that are stored, the run touches no more than leave the page.
      const live = await context.remembered.liveItemsOn(entries, page, all.length + 1);
      return live.every((key) => places.has(key));
    },
  };
}
