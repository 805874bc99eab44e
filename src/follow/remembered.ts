import type { Remembered } from '../dialects/reader.ts';
import type { FollowState } from './follow-state.ts';

export interface RememberedFor {
  /** The memory of another dialect for an entry is ignored. */
  readonly dialect: string;
  /** The source of all entries, if they are one. Without it, each entry is a separate source. */
  readonly source?: string;
}

/** The stored state of the feeds of one dialect, for their reader. */
export function rememberedIn(state: FollowState, { dialect, source }: RememberedFor): Remembered {
  const found = new Map<string, string>();
  const sourceOf = async (entry: string): Promise<string | undefined> => {
    const known = source ?? found.get(entry) ?? (await state.find(entry))?.source;
    if (known !== undefined) found.set(entry, known);
    return known;
  };
  return {
    async memoryOf(entry) {
      const known = await state.find(entry);
      return known?.dialect === dialect ? known.memory : undefined;
    },
    async seenAmong(entry, ids) {
      const owner = await sourceOf(entry);
      return owner === undefined ? new Set() : await state.seenAmong(owner, ids);
    },
    async itemsAmong(entry, keys) {
      const owner = await sourceOf(entry);
      return owner === undefined ? new Map() : await state.itemsAmong(owner, keys);
    },
    async liveItemsOn(entries, page, most) {
      const owners = await Promise.all(entries.map(sourceOf));
      const live: string[] = [];
      for (const owner of new Set(owners)) {
        if (owner !== undefined) live.push(...(await state.liveItemsOn(owner, page, most)));
      }
      return live;
    },
  };
}
