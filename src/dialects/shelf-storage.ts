/** What a hub stores for its shelves. The {@link StorageKey} of a dialect knows which part belongs to it. */
export type ShelfStorage = object;

/**
 * The place where a dialect keeps its documents in a hub. A door puts a store there. A dialect that finds no store keeps its documents in memory and
 * rebuilds them from the log at each start.
 *
 * @example
 * export const FEED_STORE = new StorageKey<FeedStore>();
 * FEED_STORE.put(storage, () => openFeedFiles(folder)); // in a door
 * const store = FEED_STORE.open(world.storage); // in the shelf
 */
export class StorageKey<T> {
  readonly #places = new WeakMap<ShelfStorage, () => T>();

  put(storage: ShelfStorage, open: () => T): void {
    this.#places.set(storage, open);
  }

  open(storage: ShelfStorage): T | undefined {
    return this.#places.get(storage)?.();
  }
}
