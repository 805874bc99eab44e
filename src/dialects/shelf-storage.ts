/** What a hub stores for its shelves. Which part is whose, the {@link StorageKey} of a dialect knows. */
export type ShelfStorage = object;

/**
 * The place where a dialect keeps its documents in a hub. A door puts something there; a dialect that finds nothing keeps its
 * documents in memory, and makes them anew from the log at each start.
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
